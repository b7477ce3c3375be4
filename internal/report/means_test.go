package report

import "testing"

func TestMeans(t *testing.T) {
	gpu := func(want string, o Outcome) Check { return Check{Kind: KindGPU, Want: want, Asks: asked(KindGPU, want), Outcome: o} }
	skipped := func(code, detail string) Check {
		return Check{Kind: KindBash, Outcome: Skipped, Reason: &Reason{Code: code, Detail: detail}}
	}
	measured := gpu("matmul", Passed)
	measured.Measurement = &Measurement{}
	lacks := gpu("runs cu124", Skipped)
	lacks.Reason = &Reason{Code: ReasonNoGPU}
	for name, c := range map[string]struct {
		check Check
		asks  bool
		want  Outcome
	}{
		"yes":                      {gpu("runs cu124", Passed), true, Yes},
		"no":                       {gpu("torch", Failed), true, No},
		"a broken driver":          {gpu("runs cu124", Errored), true, Errored},
		"a question without a GPU": {lacks, true, NotApplicable},
		"a demand":                 {gpu("driver >= 550", Failed), false, Failed},
		"a demanded answer":        {gpu("runs cu124 == yes", Failed), false, Failed},
		"a reading":                {gpu("ecc == on", Passed), false, Passed},
		"a measurement":            {measured, false, Passed},
		"a block":                  {Check{Kind: KindBash, Outcome: Failed, Want: "torch"}, false, Failed},
		"an unmet requirement":     {skipped(ReasonNeeds, ""), false, NotApplicable},
		"no sandbox":               {skipped(ReasonNoSandbox, ""), false, NotApplicable},
		"not reached":              {skipped(ReasonNotReached, ""), false, Skipped},
		"a reading no card has":    {skipped(ReasonMeasure, WhyNotSupported), false, NotApplicable},
		"a reading of a lost GPU":  {skipped(ReasonMeasure, WhyLost), false, Skipped},
	} {
		if got := c.check.Means(); got != c.want || c.check.Asks != c.asks {
			t.Errorf("%s: means %s, asks %t", name, got, c.check.Asks)
		}
		past := Past{Outcome: c.check.Outcome}
		if c.check.Reason != nil {
			past.Code = c.check.Reason.Code
		}
		if past.Code == ReasonMeasure {
			c.want = Skipped // the detail is not in the history
		}
		if got := c.check.Meant(past); got != c.want {
			t.Errorf("%s: meant %s", name, got)
		}
	}
}
