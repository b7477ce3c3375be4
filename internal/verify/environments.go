package verify

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// asked are the environments of which the plan asks what they hold: those of gpu
// blocks, and those of blocks with "runs torch" or "torch >= 1.12" in needs= or when=.
func (p *Plan) asked() []string {
	var names []string
	for _, l := range p.Lines {
		if l.Block.Env != "" || l.Need.OfEnvironment() {
			names = append(names, l.Block.Env)
		}
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if requires(b, require.Expr.OfEnvironment) {
				names = append(names, s.Env)
			}
		}
	}
	return names
}

// asksSlurm tells whether the plan asks about Slurm.
func (p *Plan) asksSlurm() bool {
	return slices.ContainsFunc(p.Lines, func(l *Line) bool { return l.Need.OfSlurm() }) ||
		slices.ContainsFunc(p.Sessions, func(s *Session) bool {
			return slices.ContainsFunc(s.Chosen(), func(b *content.Block) bool { return requires(b, require.Expr.OfSlurm) })
		})
}

// requires tells whether a block's needs= or when= is a requirement as asked.
func requires(b *content.Block, is func(require.Expr) bool) bool {
	return is(b.Needs) || slices.ContainsFunc(b.Expects, func(e *content.Expect) bool { return is(e.When) })
}

// environments are the Python environments that gave an answer.
func environments(tools map[toolKey]*tool) []report.Environment {
	var all []report.Environment
	for k, t := range tools {
		if k.interpreter == "python" && t.name != "" {
			all = append(all, report.Environment{Name: k.env, Interpreter: t.name, Frameworks: t.frameworks})
		}
	}
	return sorted(all)
}

// keepSoftware takes over from an earlier report what it says of software that this
// run did not ask for, for the results that it takes over: of environments those that
// the site still has.
func (r *run) keepSoftware(previous *report.Report) {
	if previous == nil {
		return
	}
	if r.machine.Slurm == nil {
		r.machine.Slurm = previous.Machine.Slurm
	}
	all := slices.Clone(r.machine.Environments)
	for _, e := range previous.Machine.Environments {
		_, is := r.o.Env[e.Name]
		if r.tools[toolKey{"python", e.Name}] == nil && (is || e.Name == "") {
			all = append(all, e)
		}
	}
	r.machine.Environments = sorted(all)
}

// sorted puts the machine's own first, and leaves out what no report can hold.
func sorted(all []report.Environment) []report.Environment {
	slices.SortFunc(all, func(a, b report.Environment) int { return cmp.Compare(a.Name, b.Name) })
	return all[:min(len(all), report.MaxEnvironments)]
}
