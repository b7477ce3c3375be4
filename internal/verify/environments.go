package verify

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// frameworksIn are the environments in which the plan asks for frameworks: those
// of gpu blocks, and those of blocks with "runs torch" in needs= or when=.
func (p *Plan) frameworksIn() []string {
	var names []string
	for _, l := range p.Lines {
		if l.Block.Env != "" || asksForFramework(l.Need) {
			names = append(names, l.Block.Env)
		}
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if usesFramework(b) {
				names = append(names, s.Env)
			}
		}
	}
	return names
}

// usesFramework tells whether a block's needs= or when= name a framework.
func usesFramework(b *content.Block) bool {
	when := func(e *content.Expect) bool { return asksForFramework(e.When) }
	return asksForFramework(b.Needs) || slices.ContainsFunc(b.Expects, when)
}

// asksForFramework has the requirement judged, which asks for all that it names.
func asksForFramework(e require.Expr) bool {
	asks := false
	e.Judge(require.Machine{require.Runs: require.Software(func(name string) (require.Answer, string) {
		asks = asks || slices.Contains(require.Frameworks(), name)
		return require.RunsUnknown, ""
	})})
	return asks
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

// keepEnvironments takes over from an earlier report the environments that this
// run did not ask, for the results that it takes over: those that the site still
// has.
func (r *run) keepEnvironments(previous *report.Report) {
	if previous == nil {
		return
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
