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
		return report.Check{Kind: report.KindBash, Outcome: report.Skipped, Reason: &report.Reason{Code: code, Why: detail}}
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
		c.check.History = []report.Past{past}
		if got := At(&c.check, 0); got.Word() != c.want {
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

// TestLost: what passed with the same code, and is not applicable because the machine has lost something, is lost. Neither what a run was
// told, nor what others use, nor an edit, nor a gain is a loss.
func TestLost(t *testing.T) {
	passed, edited, machine := report.Past{Outcome: report.Passed}, report.Past{Outcome: report.Passed, Changed: true}, report.Past{Outcome: report.Passed, Changed: true, SameCode: true}
	later := report.Past{Outcome: report.Skipped, Code: report.ReasonNeeds}
	for name, c := range map[string]struct {
		why     report.Reason
		history []report.Past
		want    bool
	}{
		"a program":                   {report.Reason{Code: report.ReasonNeeds, Need: `has("nvcc")`, Found: "no"}, []report.Past{passed}, true},
		"all GPUs":                    {report.Reason{Code: report.ReasonNoGPU}, []report.Past{machine}, true},
		"GPUs of a number":            {report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 8", Found: "1"}, []report.Past{machine}, true},
		"a newer driver":              {report.Reason{Code: report.ReasonNeeds, Need: "driver >= 550", Found: "470"}, []report.Past{machine}, true},
		"software":                    {report.Reason{Code: report.ReasonSoftware, Need: "torch >= 2"}, []report.Past{passed}, true},
		"an environment":              {report.Reason{Code: report.ReasonEnvironment}, []report.Past{passed}, true},
		"an interpreter":              {report.Reason{Code: report.ReasonNoInterpreter, Program: "python3"}, []report.Past{passed}, true},
		"a copy to another GPU":       {report.Reason{Code: report.ReasonMeasure, Why: report.WhyNotSupported}, []report.Past{machine}, true},
		"behind a lost block":         {report.Reason{Code: report.ReasonSessionSkip, Block: "x", Why: report.ReasonNoGPU}, []report.Past{machine}, true},
		"a rerun":                     {report.Reason{Code: report.ReasonNoGPU}, []report.Past{later, later, machine}, true},
		"failed since":                {report.Reason{Code: report.ReasonNoGPU}, []report.Past{{Outcome: report.Failed}, passed}, true},
		"never passed":                {report.Reason{Code: report.ReasonNoGPU}, []report.Past{later, {Outcome: report.Failed}}, false},
		"no history":                  {report.Reason{Code: report.ReasonNoGPU}, nil, false},
		"an edited block":             {report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 9"}, []report.Past{edited}, false},
		"edited some time ago":        {report.Reason{Code: report.ReasonNoGPU}, []report.Past{later, edited}, false},
		"no sandbox":                  {report.Reason{Code: report.ReasonNoSandbox}, []report.Past{passed}, false},
		"behind a block without one":  {report.Reason{Code: report.ReasonSessionSkip, Found: report.ReasonNoSandbox}, []report.Past{passed}, false},
		"memory that others use":      {report.Reason{Code: report.ReasonMeasure, Why: report.WhyNoMemory}, []report.Past{passed}, false},
		"a job that did not start":    {report.Reason{Code: report.ReasonSlurm}, []report.Past{passed}, false},
		"not reached":                 {report.Reason{Code: report.ReasonNotReached}, []report.Past{passed}, false},
		"a driver that is too new":    {report.Reason{Code: report.ReasonNeeds, Need: "driver < 470", Found: "550"}, []report.Past{machine}, false},
		"a program that must be away": {report.Reason{Code: report.ReasonNeeds, Need: `!has("conda")`}, []report.Past{passed}, false},
	} {
		check := report.Check{Kind: report.KindBash, Outcome: report.Skipped, Reason: &c.why, History: c.history}
		if got := Of(&check); got.Lost != c.want || got.Broken() != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	asks := report.Check{Kind: report.KindGPU, Want: "torch", Asks: true, Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNoGPU}, History: []report.Past{passed}}
	if Of(&asks).Lost {
		t.Error("an answer is lost")
	}
	back := report.Check{Kind: report.KindBash, Outcome: report.Passed, History: []report.Past{later, machine}}
	if Of(&back).Lost || !At(&back, 0).Lost || At(&back, 1).Lost {
		t.Error("what is back is not lost, and was")
	}
}
