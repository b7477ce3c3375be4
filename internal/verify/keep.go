package verify

import (
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/compat"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// A check that passed need not run again where nothing has changed that its
// outcome depends on: what its ID stands for (code, requirements, expectations),
// the machine, what software runs on it, the interpreter, the packages that its
// environment declares, and the gpudocs that judged it.
// Whatever else a snippet reads, such as a file or the network, is not seen:
// that is what --rerun is for. Failed, skipped and broken checks always run, and
// gpu lines are always judged, which costs nothing, but for those that measure.

// keep leaves out of the plan what the previous report proves, and returns how
// many checks that are. A session runs up to its last check that is not kept.
func (r *run) keep(previous *report.Report) int {
	if !r.o.Keep || previous == nil || previous.Generator != r.o.Generator || !sameMachine(previous.Machine, r.machine) || r.confinement.noSandbox != "" {
		return 0
	}
	passed := passedIn(previous)
	before := r.plan
	r.plan = before.without(passed, func(b *content.Block) bool {
		c := passed[b.ID]
		return c != nil && r.tools[keyOf(b.Session)].sameTool(c) && sameVerdicts(b, previous.Machine, r.machine)
	})
	return len(before.left(r.plan))
}

// sameVerdicts tells whether the software that a block's needs= and when= ask for
// is there and runs as it did: what is installed may be another by now. A block that
// names software is taken to use it, so another version of it counts too.
func sameVerdicts(b *content.Block, was, is report.Machine) bool {
	if requires(b, require.Expr.OfEnvironment) && !reflect.DeepEqual(environmentOf(was, b.Session.Env), environmentOf(is, b.Session.Env)) ||
		requires(b, require.Expr.OfSlurm) && !reflect.DeepEqual(was.Slurm, is.Slurm) {
		return false
	}
	before, now := compat.Facts(was, b.Session.Env), compat.Facts(is, b.Session.Env)
	return b.Needs.Judge(now).Met && expect(b, before) == expect(b, now)
}

// environmentOf is what a machine says of an environment, and nil where it says nothing.
func environmentOf(m report.Machine, name string) *report.Environment {
	for _, e := range m.Environments {
		if e.Name == name {
			return &e
		}
	}
	return nil
}

// MayKeep returns the checks that a run which keeps would leave out if machine,
// interpreters and packages are those of the previous report; only a run can
// know that.
func (p *Plan) MayKeep(previous *report.Report) map[report.ID]bool {
	if previous == nil {
		return nil
	}
	passed := passedIn(previous)
	return p.left(p.without(passed, func(b *content.Block) bool {
		c := passed[b.ID]
		return c != nil && c.Interpreter != ""
	}))
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

// without is the plan without the blocks that hold, where no block behind them
// in their session needs them, and without the lines that measured what passed.
func (p *Plan) without(passed map[report.ID]*report.Check, holds func(*content.Block) bool) *Plan {
	rest := *p
	rest.Sessions = nil
	rest.Lines = slices.DeleteFunc(slices.Clone(p.Lines), func(l *Line) bool { return l.Measure != nil && passed[l.ID] != nil })
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

// left are the checks that the plan runs and the rest of it does not.
func (p *Plan) left(rest *Plan) map[report.ID]bool {
	ids := p.ids()
	for id := range rest.ids() {
		delete(ids, id)
	}
	return ids
}

// sameReport tells whether the results of an earlier report can stand beside new
// ones: what a report says of GPUs and sandbox it says of all its checks. Where
// the site's sandbox is missing nothing new is found.
func (r *run) sameReport(previous *report.Report) bool {
	return previous.Machine.GPU.Same(r.machine.GPU) &&
		(previous.Machine.Sandbox == r.machine.Sandbox || r.confinement.noSandbox != "")
}

// sameMachine is stricter: a result that is shown as found under this system,
// and in this sandbox, was found there.
func sameMachine(a, b report.Machine) bool {
	return a.GPU.Same(b.GPU) && a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Sandbox == b.Sandbox
}
