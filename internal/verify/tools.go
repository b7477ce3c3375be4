package verify

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

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
			tools[k] = &tool{interpreter: find(&site.Session{Interpreter: k.interpreter, Env: k.env}, o)}
		}
	}
	for _, s := range p.Sessions {
		add(keyOf(s.Session))
		if s.Env != "" || len(o.Packages) > 0 {
			add(toolKey{"python", s.Env})
		}
	}
	for _, env := range p.probedEnvironments() {
		add(toolKey{"python", env})
	}
	var asking sync.WaitGroup
	for k, t := range tools {
		asking.Go(func() { t.ask(ctx, k, o) })
	}
	asking.Wait()
	for k, t := range tools {
		python := tools[toolKey{"python", k.env}]
		if k.interpreter != "bash" || python == nil {
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

// ask sets name and packages.
func (t *tool) ask(ctx context.Context, k toolKey, o Options) {
	switch k.interpreter {
	case "bash":
		if t.missing != "" {
			return
		}
		if v := BashVersion(ctx, t.path, environ(os.TempDir(), t.python.BinDir, t.python.Env...)); v != "" {
			t.name = "bash " + v
		}
	case "python":
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
