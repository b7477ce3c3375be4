package verify

import (
	"cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// driverNeeds is what the program that runs Python blocks needs.
var driverNeeds, _ = ask.Parse("python >= 3.8")

// skip decides, before a block runs, whether it is skipped.
func (x *runner) skip(b *site.Block, c *report.Check) bool {
	if x.endedBy != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonSession, Block: x.endedBy.Name}
		if x.endedBy.Outcome == report.Skipped {
			c.Outcome, c.Reason.Code = report.Skipped, report.ReasonSessionSkip
			c.Reason.Need, c.Reason.Why = x.endedBy.Reason.Need, x.endedBy.Reason.Code
		} else if x.endedBy.Reason != nil {
			c.Reason.Signal = x.endedBy.Reason.Signal
		}
		return true
	}
	v, tool := b.Needs.Judge(x.facts(b)), x.toolOf(b)
	if old := driverNeeds.Judge(x.facts(b)); v.Met() && x.tool.Kind == session.Python && !old.Met() && old.Found != "" {
		v = old
	}
	var why *report.Reason
	switch {
	case !v.Met() && (!v.Fact.Entry().Installed() || tool.Missing == nil): // otherwise what is missing is the better reason
		why = x.unmet(v, b.Session.Env)
	case tool.Missing != nil:
		why = tool.Missing.Redacted(x.detail)
	case x.confinement.sandboxFault != nil:
		why = x.confinement.sandboxFault
	case x.confinement.sandboxed && b.Kind == site.Sbatch:
		why = &report.Reason{Code: report.ReasonNoSandbox, Why: report.BwrapJob}
	case x.confinement.sandboxed && tool.Env.Image != nil:
		why = &report.Reason{Code: report.ReasonNoSandbox, Why: report.BwrapContainer}
	default:
		return false
	}
	c.Outcome, c.Reason, x.endedBy = report.Skipped, why, c
	return true
}

// buildsAnyway reports whether a block that is skipped is built: there are a compiler and a
// sandbox, and its requirements are not met, or the first skipped block of the session was
// built.
func (x *runner) buildsAnyway(b *site.Block, c *report.Check) bool {
	can := b.Recipe != nil && b.Recipe.Build != "" && c.Outcome == report.Skipped && x.confinement.sandboxFault == nil &&
		x.tool.Missing == nil && x.toolOf(b).Missing == nil
	if x.endedBy == c {
		x.builtOnly = can
	}
	if !can || !x.builtOnly {
		return false
	}
	if v := b.Needs.Judge(x.facts(b)); !v.Met() {
		c.Reason = x.unmet(v, b.Session.Env)
	}
	return true
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
