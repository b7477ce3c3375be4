package results

import (
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestBegan checks that a machine whose history is full is not reported as new, because its first result is not known.
func TestBegan(t *testing.T) {
	t.Parallel()
	c := report.Check{Ran: time.Unix(1e9, 0), Outcome: report.Passed}
	for range report.MaxHistory {
		c.History = append(c.History, report.Past{Ran: time.Unix(1e8, 0), Outcome: report.Passed})
	}
	m := &Machine{Source: Source{Report: &report.Report{Checks: []report.Check{c}}}}
	if at, ok := m.Began(); ok {
		t.Errorf("full history: began at %v", at)
	}
	m.Report.Checks[0].History = c.History[:3]
	if at, ok := m.Began(); !ok || at.Unix() != 1e8 {
		t.Errorf("%v %v", at, ok)
	}
	m.Signature.State = SignedOther
	if _, ok := m.Began(); ok || m.Changes() != nil {
		t.Error("an altered report has changes")
	}
}
