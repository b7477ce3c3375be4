package verify

import (
	"cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// judge sets the outcome of a bash or python block.
func (x *runner) judge(b *site.Block, c *report.Check, res session.Result) {
	want := judge.Choose(b, x.facts(b))
	if x.ended(b, c, res, want.Exit) {
		return
	}
	c.Outcome = report.Passed
	if want.Reason != nil {
		c.Outcome, c.Reason = report.Errored, want.Reason
		return
	}
	judge.Compare(c, want.Stdout, c.Stdout)
	judge.Compare(c, want.Stderr, c.Stderr)
}

// ended sets the outcome of a step that did not end as expected. It returns true if
// there is no output left to compare.
func (x *runner) ended(b *site.Block, c *report.Check, res session.Result, exit int) bool {
	if res.Ended {
		x.endedBy = c
	}
	at := judge.Place(b, res.FailLine)
	switch {
	case res.Status == session.TimedOut:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonTimeout, Limit: report.Seconds(x.timeLimit(b))}
		return true
	case res.Status == session.Limited:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonLimit, Limit: x.confinement.limit(res.Limit)}
		return true
	case res.Status == session.Crashed:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonCrash, Signal: res.Signal, Place: at}
		if res.Signal == "" {
			c.Reason.Exit = &res.Exit
		}
		return true
	}
	c.Exit = &res.Exit
	if res.Exit == exit {
		return false
	}
	c.Outcome = report.Failed
	if res.Exception != "" {
		c.Reason = &report.Reason{Code: report.ReasonException, Said: x.detail(res.Exception), Place: at}
		return true
	}
	c.Outcome, c.Reason = judgeExit(res.Exit, exit)
	c.Reason.Place = at
	return true
}

// judgeExit compares an exit code with the expected one.
func judgeExit(got, want int) (report.Outcome, *report.Reason) {
	if got == want {
		return report.Passed, nil
	}
	return report.Failed, &report.Reason{Code: report.ReasonExit, Exit: &got, Expected: want}
}

// unmet returns the reason of a requirement that is not met. It includes the verdict on
// the software that the requirement names, unless that does run here.
func (r *run) unmet(v ask.Verdict, environment string) *report.Reason {
	reason := &report.Reason{Code: report.ReasonNeeds, Need: v.Need, Found: v.Found}
	switch {
	case v.Answer == ask.Unknown:
		reason.Why = report.NeedUnknown
	case v.Found == "" || v.Found == "0":
		reason.Why = r.machine.GPU.Code // if it is about GPUs, why there are none
	}
	if v.Fact.Entry().Installed() {
		r.addMissing(v, environment, reason)
	}
	if v.Software == "" {
		return reason
	}
	if verdict := compat.Judge(r.machine, environment, v.Software); !verdict.Runs() {
		reason.Verdict, reason.Why = &verdict, ""
		if verdict.ByMachine() {
			reason.Why = r.machine.GPU.Code
		}
	}
	return reason
}

// addMissing completes the reason for missing software or another version of it. For
// Python and frameworks it adds the environment.
func (r *run) addMissing(v ask.Verdict, environment string, reason *report.Reason) {
	if v.Answer == ask.No || v.Found != "" { // else it may be there
		reason.Code, reason.Why = report.ReasonSoftware, ""
	}
	if v.Found != "" {
		reason.Found = string(v.Fact) + " " + v.Found
	}
	if e := v.Fact.Entry(); e.Source == ask.FromSlurm || environment == "" && e.Source == ask.FromAnswers && e.Fact != ask.Pip {
		return
	}
	reason.Env = cmp.Or(environment, "python3")
	for _, e := range r.machine.Environments {
		if e.Name == environment && e.Interpreter != "" {
			reason.Program = e.Interpreter
		}
	}
}
