package verify

import (
	"cmp"
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// Describe returns the description of this machine for a report, under the label name.
func Describe(name string, gpu report.GPU) report.Machine {
	root := os.DirFS("/")
	memory, _ := system.Memory(root)
	return report.Machine{Name: name, OS: cmp.Or(system.OS(root), runtime.GOOS), Arch: runtime.GOARCH, CPU: system.CPU(root),
		MemoryBytes: memory, Cores: runtime.NumCPU(), GPU: gpu}
}

// probeMachine probes the machine and its interpreters, in parallel.
func (r *run) probeMachine(ctx context.Context) {
	var probes sync.WaitGroup
	var answers map[[2]string]report.Answer
	probes.Go(func() {
		finder, asks := tools.Finder{Root: r.o.Root, Env: r.o.Env, Packages: r.o.Packages}, r.plan.asks()
		r.tools = finder.Find(ctx, r.plan.tools())
		answers = finder.Answers(ctx, r.tools, asks)
	})
	var cluster *report.Slurm
	if r.plan.needsSlurm() {
		probes.Go(func() { cluster = &report.Slurm{Version: slurm.Version(ctx)} })
	}
	r.machine = Describe(r.o.Machine, r.o.Probe(ctx))
	probes.Wait()
	r.redactor = newRedactor(r.o.Root, r.tools)
	r.redactor.redactModules(r.tools)
	r.machine.GPU.Detail = r.redactor.redact(r.machine.GPU.Detail)
	r.machine.Environments, r.machine.Slurm = environments(r.tools), cluster
	r.machine.Answers = report.SortedAnswers(answers)
}

// tools returns the keys of the tools that the plan needs.
func (p *Plan) tools() (keys []tools.Key) {
	for _, s := range p.Sessions {
		keys = append(keys, tools.KeyOf(s.Session))
		for _, b := range s.Chosen() {
			if b.Recipe != nil {
				keys = append(keys, tools.KeyOfBlock(b))
			}
		}
	}
	for _, env := range p.probedEnvironments() {
		keys = append(keys, tools.Key{Interpreter: session.Python, Env: env})
	}
	return append(keys, tools.KeysOf(p.asks())...)
}

// asks returns what requirements of the plan ask the machine for, by environment.
func (p *Plan) asks() map[string][]ask.Fact {
	asks := map[string][]ask.Fact{}
	for _, l := range p.Lines {
		addAsks(asks, l.Block)
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			addAsks(asks, b)
		}
	}
	return asks
}

// addAsks adds what needs=, when= and gpu lines of a block ask the machine for.
func addAsks(asks map[string][]ask.Fact, b *site.Block) {
	env, all := b.Environment(), b.Needs.Asks()
	for _, e := range b.Expects {
		all = append(all, e.When.Asks()...)
	}
	for _, l := range b.GPULines {
		all = append(all, l.Condition().Asks()...)
	}
	for _, f := range all {
		if !slices.Contains(asks[env], f) {
			asks[env] = append(asks[env], f)
		}
	}
}

// probedEnvironments returns the environments whose packages the plan needs to know:
// those of gpu blocks, and of blocks with "runs torch" or "torch >= 1.12" in needs= or
// when=.
func (p *Plan) probedEnvironments() []string {
	var names []string
	for _, l := range p.Lines {
		if l.Block.Env != "" || l.Condition().OfEnvironment() {
			names = append(names, l.Block.Env)
		}
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if requires(b, ask.Expr.OfEnvironment) {
				names = append(names, s.Env)
			}
		}
	}
	return names
}

// Environments returns the names of the environments that the plan needs.
func (p *Plan) Environments() []string {
	names := map[string]bool{}
	for _, k := range p.tools() {
		names[k.Env] = true
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// needsSlurm reports whether a requirement of the plan is about Slurm.
func (p *Plan) needsSlurm() bool {
	return slices.ContainsFunc(p.Lines, func(l *Line) bool { return l.Condition().OfSlurm() }) ||
		slices.ContainsFunc(p.Sessions, func(s *Session) bool {
			return slices.ContainsFunc(s.Chosen(), func(b *site.Block) bool { return requires(b, ask.Expr.OfSlurm) })
		})
}

// requires reports whether is holds for needs= or for a when= of the block.
func requires(b *site.Block, is func(ask.Expr) bool) bool {
	return is(b.Needs) || slices.ContainsFunc(b.Expects, func(e *site.Expect) bool { return is(e.When) })
}

// environments returns the environments about which something is known.
func environments(found tools.Set) []report.Environment {
	var all []report.Environment
	for k, t := range found {
		if e := t.Environment(k.Env); k.Interpreter == session.Python && (e.Interpreter != "" || len(e.Sources()) > 0) {
			all = append(all, e)
		}
	}
	return sortedEnvironments(all)
}

// keepSoftware copies from an earlier report what it holds about software that this run
// did not probe, because results that are kept refer to it. Environments that the site
// no longer has, and answers for which it no longer asks, are dropped.
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
		if r.tools[tools.Key{Interpreter: session.Python, Env: e.Name}] == nil && (is || e.Name == "") {
			all = append(all, e)
		}
	}
	r.machine.Environments = sortedEnvironments(all)
	answers, facts := map[[2]string]report.Answer{}, r.plan.asks()
	for _, a := range previous.Machine.Answers {
		if f := ask.Fact(a.Ask); !slices.Contains(facts[a.Env], f) && slices.Contains(r.plan.siteAsks[a.Env], f) {
			answers[a.Key()] = a
		}
	}
	for _, a := range r.machine.Answers {
		answers[a.Key()] = a
	}
	r.machine.Answers = report.SortedAnswers(answers)
}

// sortedEnvironments sorts by name, with the machine's own Python first, and drops
// those that do not fit in a report.
func sortedEnvironments(all []report.Environment) []report.Environment {
	slices.SortFunc(all, func(a, b report.Environment) int { return cmp.Compare(a.Name, b.Name) })
	return all[:min(len(all), report.MaxEnvironments)]
}
