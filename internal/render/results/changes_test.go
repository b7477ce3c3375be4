package results

import (
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
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

// TestChangesOfNotApplicable: a check that the machine can no longer run, or could not run, does not apply to it, and is not just skipped.
func TestChangesOfNotApplicable(t *testing.T) {
	t.Parallel()
	lacks := report.Check{Ran: time.Unix(2, 0), Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 1", Found: "0"},
		History: []report.Past{{Ran: time.Unix(1, 0), Outcome: report.Passed}}}
	ended := lacks
	ended.Reason = &report.Reason{Code: report.ReasonNotReached, Block: "setup"}
	able := report.Check{Ran: time.Unix(2, 0), Outcome: report.Passed, History: []report.Past{{Ran: time.Unix(1, 0), Outcome: report.Skipped, Code: report.ReasonNeeds}}}
	m := &Machine{Source: Source{Report: &report.Report{Checks: []report.Check{lacks, ended, able}}}}
	list := m.Changes()
	if len(list) != 3 || list[2].Was.Standing != standing.NotApplicable || list[2].Now.Standing != standing.Passed || list[0].Was.Standing != standing.Passed || list[0].Now.Standing != standing.NotApplicable || list[1].Now.Standing != standing.Skipped {
		t.Errorf("%+v", list)
	}
}

// TestSince: a failure lasts since the first of the newest runs that failed, and its line is what says most.
func TestSince(t *testing.T) {
	t.Parallel()
	at := func(day int64) time.Time { return time.Unix(day*86400, 0) }
	c := &report.Check{Ran: at(9), Outcome: report.Failed, History: []report.Past{{Ran: at(8), Outcome: report.Errored}, {Ran: at(7), Outcome: report.Passed}, {Ran: at(6), Outcome: report.Failed}}}
	if got := Since(c); !got.Equal(at(8)) {
		t.Errorf("fails since %v", got)
	}
	c.History = nil
	if got := Since(c); !got.Equal(at(9)) {
		t.Errorf("without earlier runs: fails since %v", got)
	}
	c.Stderr = &report.Stream{Text: "Traceback\n  line 1\nValueError: no\n\n"}
	if got := reason.TellingLine(c); got != "ValueError: no" {
		t.Errorf("%q", got)
	}
	c.Diff = []report.DiffLine{{Op: "-", Text: "1"}, {Op: "+", Text: " "}, {Op: "+", Text: "2"}}
	if got := reason.TellingLine(c); got != "2" {
		t.Errorf("%q", got)
	}
}
