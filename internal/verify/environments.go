package verify

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
)

// probedEnvironments returns the environments whose packages the plan needs to know:
// those of gpu blocks, and of blocks with "runs torch" or "torch >= 1.12" in needs= or
// when=.
func (p *Plan) probedEnvironments() []string {
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

// needsSlurm reports whether a requirement of the plan is about Slurm.
func (p *Plan) needsSlurm() bool {
	return slices.ContainsFunc(p.Lines, func(l *Line) bool { return l.Need.OfSlurm() }) ||
		slices.ContainsFunc(p.Sessions, func(s *Session) bool {
			return slices.ContainsFunc(s.Chosen(), func(b *site.Block) bool { return requires(b, require.Expr.OfSlurm) })
		})
}

// requires reports whether is holds for needs= or for a when= of the block.
func requires(b *site.Block, is func(require.Expr) bool) bool {
	return is(b.Needs) || slices.ContainsFunc(b.Expects, func(e *site.Expect) bool { return is(e.When) })
}

// environments returns the Python environments that answered.
func environments(tools map[toolKey]*tool) []report.Environment {
	var all []report.Environment
	for k, t := range tools {
		if k.interpreter == "python" && t.name != "" {
			all = append(all, report.Environment{Name: k.env, Interpreter: t.name, Frameworks: t.frameworks})
		}
	}
	return sortedEnvironments(all)
}

// keepSoftware copies from an earlier report what it holds about software that this run
// did not probe, because results that are kept refer to it. Environments that the site
// no longer has are dropped.
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
	r.machine.Environments = sortedEnvironments(all)
}

// sortedEnvironments sorts by name, with the machine's own Python first, and drops
// those that do not fit in a report.
func sortedEnvironments(all []report.Environment) []report.Environment {
	slices.SortFunc(all, func(a, b report.Environment) int { return cmp.Compare(a.Name, b.Name) })
	return all[:min(len(all), report.MaxEnvironments)]
}
