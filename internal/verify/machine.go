package verify

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// Describe returns the description of this machine for a report, under the label name.
func Describe(name string, gpu report.GPU) report.Machine {
	root := os.DirFS("/")
	return report.Machine{Name: name, OS: cmp.Or(system.OS(root), runtime.GOOS), Arch: runtime.GOARCH, CPU: system.CPU(root), GPU: gpu}
}

// probeMachine probes the machine and its interpreters, in parallel.
func (r *run) probeMachine(ctx context.Context) {
	var probes sync.WaitGroup
	probes.Go(func() { r.tools = findTools(ctx, r.plan, r.o) })
	var cluster *report.Slurm
	if r.plan.needsSlurm() {
		probes.Go(func() { cluster = &report.Slurm{Version: slurm.Version(ctx)} })
	}
	r.machine = Describe(r.o.Machine, r.o.Probe(ctx))
	r.redactor = newRedactor(r.o.Root)
	probes.Wait()
	r.machine.Environments, r.machine.Slurm = environments(r.tools), cluster
}

// A tool is the interpreter and the packages of the sessions of one kind and
// environment. Together with the machine it is the fingerprint by which a later run
// decides whether a result is still valid.
type tool struct {
	interpreter
	// name is "Python 3.12.4", or empty if it did not answer.
	name     string
	packages []report.Package
	// frameworks are those of a Python. They are not part of the fingerprint.
	frameworks []report.Framework
}

// A toolKey identifies a tool by interpreter and environment.
type toolKey struct{ interpreter, env string }

func keyOf(s *site.Session) toolKey { return toolKey{s.Interpreter, s.Env} }

// bashTimeout limits the time that bash may take to print its version.
const bashTimeout = 20 * time.Second

// findTools finds the tools that a plan needs, in parallel, and probes each once. Bash
// blocks of an environment call its Python and the tools installed in it, so their
// fingerprint includes it.
func findTools(ctx context.Context, p *Plan, o Options) map[toolKey]*tool {
	tools := map[toolKey]*tool{}
	add := func(k toolKey) {
		if tools[k] == nil {
			tools[k] = &tool{interpreter: find(k, o)}
		}
	}
	for _, s := range p.Sessions {
		add(keyOf(s.Session))
		if s.Env != "" || len(o.Packages) > 0 {
			add(toolKey{session.Python, s.Env})
		}
	}
	for _, env := range p.probedEnvironments() {
		add(toolKey{session.Python, env})
	}
	var probes sync.WaitGroup
	for k, t := range tools {
		probes.Go(func() { t.probe(ctx, k, o) })
	}
	probes.Wait()
	for k, t := range tools {
		python := tools[toolKey{session.Python, k.env}]
		if k.interpreter != session.Bash || python == nil {
			continue
		}
		t.packages = python.packages
		switch {
		case k.env == "":
		case python.name == "":
			t.name = "" // incomplete
		default:
			t.name += ", " + python.name
		}
	}
	return tools
}

// probe sets name and packages.
func (t *tool) probe(ctx context.Context, k toolKey, o Options) {
	switch {
	case t.missing != "" && k.interpreter != session.Python:
	case k.interpreter == session.Bash:
		if v := BashVersion(ctx, t.path, environ(os.TempDir(), t.python.BinDir, t.python.Env...)); v != "" {
			t.name = "bash " + v
		}
	case k.interpreter == session.Python:
		declared := o.Packages
		if k.env != "" {
			declared = o.Env[k.env].Packages
		}
		a := pyenv.Ask(ctx, t.python, declared)
		t.name, t.packages, t.frameworks = a.Interpreter, a.Packages, a.Frameworks
	} // the tools on the node of a job are not known here
}

// BashVersion returns the version of a bash, "5.2.15", or "" if it does not answer in
// time.
func BashVersion(ctx context.Context, path string, env []string) string {
	a := subprocess.Run(ctx, subprocess.Command{Program: path, Env: env, Limit: bashTimeout,
		Args: []string{"--noprofile", "--norc", "-c", `builtin printf '%s\n' "$BASH_VERSION"`}})
	version := strings.TrimSpace(string(a.Stdout))
	version = version[strings.LastIndexByte(version, '\n')+1:] // $BASH_ENV may print something first
	version, _, _ = strings.Cut(version, "(")                  // 5.2.15(1)-release
	if a.Err != nil || len(version) > 100 || !utf8.ValidString(version) {
		return ""
	}
	return version
}

// sameTool reports whether a check ran with this tool.
func (t *tool) sameTool(c *report.Check) bool {
	return t.name != "" && t.name == c.Interpreter && slices.Equal(t.packages, c.Packages)
}

// An interpreter is the program that runs a session.
type interpreter struct {
	kind, path string
	// python is the Python of the session's environment. Bash sessions have one too, as
	// their blocks call it and the tools installed in it.
	python pyenv.Python
	// missing names the program that was not found.
	missing string
}

// find looks up an interpreter in its environment, or in PATH if it has none.
func find(k toolKey, o Options) interpreter {
	if k.interpreter == report.KindSbatch {
		if !slurm.Installed() {
			return interpreter{missing: slurm.Program}
		}
		return interpreter{}
	}
	e := o.Env[k.env]
	python := pyenv.Resolve(k.env, pyenv.Spec{Python: e.Python, Conda: e.Conda}, o.Root)
	switch {
	case k.interpreter == session.Python:
		return interpreter{kind: session.Python, path: python.Path, python: python, missing: python.Missing}
	case k.env != "" && python.BinDir == "":
		return interpreter{missing: python.Missing}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return interpreter{missing: "bash"}
	}
	return interpreter{kind: session.Bash, path: bash, python: python}
}

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
		if k.interpreter == session.Python && t.name != "" {
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
		if r.tools[toolKey{session.Python, e.Name}] == nil && (is || e.Name == "") {
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
