package verify

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// A check that passed need not run again if nothing has changed that its outcome
// depends on: its ID (code, requirements, expectations, files), the content of large files, the machine, the software that
// runs on it, the interpreter, the packages that its environment declares, and the
// version of gpudocs. Whatever else a snippet reads, such as another file or the network, is
// not tracked: use --rerun for that. Failed, skipped and broken checks, and those that passed at a
// later try only, always run. So
// do gpu lines, which are cheap, unless they measure.

// keep removes from the plan the checks that the previous report proves, and returns
// their number. A session runs up to its last check that is not kept.
func (r *run) keep(ctx context.Context, previous *report.Report) int {
	if !r.o.Keep || previous == nil || previous.Generator != r.o.Generator || r.confinement.sandboxFault != nil {
		return 0
	}
	// Stricter than [run.sameReport]: pages show the system for a result.
	if was, is := previous.Machine, r.machine; !was.Same(is) || was.OS != is.OS || was.Arch != is.Arch || was.CPU != is.CPU {
		return 0
	}
	passed := currentIn(previous, r.limits())
	before, changed := r.plan, map[*site.Session]bool{} // a block may depend on what an earlier one needs
	for _, s := range before.Sessions {
		changed[s.Session] = slices.ContainsFunc(s.Chosen(), func(b *site.Block) bool { return !sameVerdicts(b, previous.Machine, r.machine) })
	}
	r.plan = before.without(passed, func(b *site.Block) bool {
		c := passed[b.ID]
		return c != nil && !c.Unsteady() && r.tools[tools.KeyOfBlock(b)].Ran(c) && !changed[b.Session] && r.sameFiles(ctx, b, c)
	})
	return len(before.idsWithout(r.plan))
}

// sameFiles reports whether the large files of a block's session are those of its check.
func (r *run) sameFiles(ctx context.Context, b *site.Block, c *report.Check) bool {
	now, err := r.inputs.large(ctx, b)
	return err == nil && slices.Equal(now, c.Files)
}

// sameVerdicts reports whether the software that needs= and when= of a block refer to
// is installed and runs as it did before. A block that names software is assumed to use
// it, so a change of its version counts too.
func sameVerdicts(b *site.Block, was, is report.Machine) bool {
	if requires(b, ask.Expr.OfEnvironment) && !reflect.DeepEqual(environmentOf(was, b.Session.Env), environmentOf(is, b.Session.Env)) ||
		requires(b, ask.Expr.OfSlurm) && !reflect.DeepEqual(was.Slurm, is.Slurm) {
		return false
	}
	before, now, asks := compat.Facts(was, b.Session.Env), compat.Facts(is, b.Session.Env), map[string][]ask.Fact{}
	addAsks(asks, b)
	if slices.ContainsFunc(asks[b.Session.Env], func(f ask.Fact) bool { return before[f].String() != now[f].String() }) {
		return false
	}
	return b.Needs.Judge(now).Met() && judge.Choose(b, before) == judge.Choose(b, now)
}

// environmentOf returns what a report holds about an environment of the machine, or
// nil.
func environmentOf(m report.Machine, name string) *report.Environment {
	for _, e := range m.Environments {
		if e.Name == name {
			return &e
		}
	}
	return nil
}

// MayKeep returns the checks that a run with [Options].Keep would leave out if machine,
// interpreters and packages are unchanged. Only a run can know whether they are.
func (p *Plan) MayKeep(previous *report.Report, limits judge.Limits) map[report.ID]bool {
	if previous == nil {
		return nil
	}
	limits.Machine = previous.Machine
	passed := currentIn(previous, limits)
	return p.idsWithout(p.without(passed, func(b *site.Block) bool {
		c := passed[b.ID]
		return c != nil && !c.Unsteady() && c.Interpreter != ""
	}))
}

// currentIn returns the checks that passed and whose values need not be found again.
func currentIn(r *report.Report, limits judge.Limits) map[report.ID]*report.Check {
	passed := passedIn(r)
	maps.DeleteFunc(passed, func(_ report.ID, c *report.Check) bool { return report.Future(c.Ran) || !limits.Current(c) })
	return passed
}

func passedIn(r *report.Report) map[report.ID]*report.Check {
	passed := map[report.ID]*report.Check{}
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Outcome == report.Passed {
			passed[c.ID] = c
		}
	}
	return passed
}

// without returns the plan without the passed blocks for which holds is true, unless a
// later block of the session still needs them, and without measurements that passed.
func (p *Plan) without(passed map[report.ID]*report.Check, holds func(*site.Block) bool) *Plan {
	rest := *p
	rest.Sessions = nil
	rest.Lines = slices.DeleteFunc(slices.Clone(p.Lines), func(l *Line) bool { return l.Measures() != nil && passed[l.ID] != nil })
	for _, s := range p.Sessions {
		last := s.Last
		for last >= 0 && holds(s.Blocks[last]) {
			last--
		}
		if last >= 0 {
			rest.Sessions = append(rest.Sessions, &Session{s.Session, last})
		}
	}
	rest.Sessions = distinct(rest.Sessions)
	return &rest
}

// idsWithout returns the checks of the plan that are not in rest.
func (p *Plan) idsWithout(rest *Plan) map[report.ID]bool {
	ids := p.ids()
	for id := range rest.ids() {
		delete(ids, id)
	}
	return ids
}

// sameReport reports whether results of an earlier report may be merged with new ones.
// If the site's sandbox is missing there are no new results.
func (r *run) sameReport(previous *report.Report) bool {
	now := r.machine
	if r.confinement.sandboxFault != nil {
		now.Sandbox = previous.Machine.Sandbox
	}
	return previous.Machine.Same(now)
}
