package standing

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestOf: an outcome means more than its word, and so does an earlier one.
func TestOf(t *testing.T) {
	gpu := func(want string, o report.Outcome) report.Check {
		return report.Check{Kind: report.KindGPU, Want: want, Asks: want == "runs cu124" || want == "torch", Outcome: o}
	}
	skipped := func(code, detail string) report.Check {
		return report.Check{Kind: report.KindBash, Outcome: report.Skipped, Reason: &report.Reason{Code: code, Detail: detail}}
	}
	measured := gpu("matmul", report.Passed)
	measured.Measurement = &report.Measurement{}
	lacks := gpu("runs cu124", report.Skipped)
	lacks.Reason = &report.Reason{Code: report.ReasonNoGPU}
	for name, c := range map[string]struct {
		check report.Check
		asks  bool
		want  string
	}{
		"yes":                      {gpu("runs cu124", report.Passed), true, "yes"},
		"no":                       {gpu("torch", report.Failed), true, "no"},
		"a broken driver":          {gpu("runs cu124", report.Errored), true, "error"},
		"a question without a GPU": {lacks, true, "not-applicable"},
		"a demand":                 {gpu("driver >= 550", report.Failed), false, "failed"},
		"a demanded answer":        {gpu("runs cu124 == yes", report.Failed), false, "failed"},
		"a reading":                {gpu("ecc == on", report.Passed), false, "passed"},
		"a measurement":            {measured, false, "passed"},
		"a block":                  {report.Check{Kind: report.KindBash, Outcome: report.Failed, Want: "torch"}, false, "failed"},
		"an unmet requirement":     {skipped(report.ReasonNeeds, ""), false, "not-applicable"},
		"no sandbox":               {skipped(report.ReasonNoSandbox, ""), false, "not-applicable"},
		"not reached":              {skipped(report.ReasonNotReached, ""), false, "skipped"},
		"a reading no card has":    {skipped(report.ReasonMeasure, report.WhyNotSupported), false, "not-applicable"},
		"a reading of a lost GPU":  {skipped(report.ReasonMeasure, report.WhyLost), false, "skipped"},
	} {
		if got := Of(&c.check); got.Word() != c.want || got.Asks != c.asks {
			t.Errorf("%s: %+v", name, got)
		}
		past := report.Past{Outcome: c.check.Outcome}
		if c.check.Reason != nil {
			past.Code = c.check.Reason.Code
		}
		if past.Code == report.ReasonMeasure {
			c.want = "skipped" // the detail is not in the history
		}
		if got := At(&c.check, past); got.Word() != c.want {
			t.Errorf("%s: earlier %+v", name, got)
		}
	}
}

// TestCountOf: a check counts once, by the strongest of its states, and a line that asks only with its answer.
func TestCountOf(t *testing.T) {
	state := func(s Standing) State { return State{Standing: s, Proven: s == Passed} }
	list := []struct {
		id report.ID
		State
	}{
		{"a", state(Passed)}, {"a", state(Failed)}, {"a", state(NotApplicable)},
		{"b", state(Stale)}, {"b", state(Passed)},
		{"c", State{Standing: Passed, Unsteady: true, Proven: true}}, {"c", state(Passed)},
		{"d", State{Standing: Answered, Asks: true, Answer: "no"}}, {"d", State{Standing: NotApplicable, Asks: true}},
		{"e", State{Standing: NotApplicable, Asks: true}},
		{"f", state(None)},
	}
	got := CountOf(func(yield func(report.ID, State) bool) {
		for _, s := range list {
			yield(s.id, s.State)
		}
	})
	want := Count{By: [...]int{None: 1, Failed: 1, Stale: 1, Passed: 1, Answered: 1, Altered: 0}, Unsteady: 1, Proven: 3, ProvenStale: 1}
	if got != want || got.Total() != 4 {
		t.Errorf("%+v", got)
	}
	if twice := got.Plus(got); twice.Failed() != 2 || twice.Proven != 6 {
		t.Errorf("%+v", twice)
	}
}
