// Package tools finds the programs that run the sessions of a site on this machine, and
// asks each for its version.
//
// A session needs an interpreter (interpreter.go), found in its environment or in PATH,
// and a block with a recipe its compiler or interpreter (recipe.go).
// Together with the versions of the packages that its environment declares, it is a
// [Tool]: the fingerprint by which a later run decides whether a result is still valid.
package tools

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A Tool is the interpreter and the packages of the sessions of one kind and
// environment, or the compiler or interpreter of a recipe.
type Tool struct {
	Interpreter
	// Name is "Python 3.12.4", or empty if it did not answer.
	Name string
	// Program is the compiler of a recipe without the environment, "nvcc 12.4.131".
	Program string
	// Compiler is its path, or empty.
	Compiler string
	Packages []report.Package
	// Frameworks are those of a Python. They are not part of the fingerprint.
	Frameworks []report.Framework
}

// Ran reports whether a check ran with this tool, as far as what the tool does depends on nothing but its name, version and packages. A
// program that gave no version, or is in an image without a digest, may be another one the next time.
func (t *Tool) Ran(c *report.Check) bool {
	return t.Name != "" && (t.Env.Image == nil || t.Env.Image.Digest != "") && t.Name == c.Interpreter && slices.Equal(t.Packages, c.Packages)
}

// Environment returns the description of the environment of a Python in reports.
func (t *Tool) Environment(name string) report.Environment {
	e := report.Environment{Name: name, Interpreter: t.Name, Frameworks: t.Frameworks, Modules: t.Env.Modules, Lock: t.Env.Lock}
	if t.Env.Image != nil {
		e.Image = t.Env.Image.Digest
	}
	return e
}

// A Key identifies a tool by interpreter and environment, and by the recipe whose commands
// the interpreter runs, or the Jupyter kernel.
type Key struct {
	Interpreter, Env string
	Recipe           *recipe.Recipe
	Kernel           string
}

// KeyOf returns the key of the tool of a session.
func KeyOf(s *site.Session) Key {
	return Key{Interpreter: s.Interpreter, Env: s.Env, Kernel: s.Kernel}
}

// KeyOfBlock returns the key of the tool of a block: that of its recipe, or of its session.
func KeyOfBlock(b *site.Block) Key {
	k := KeyOf(b.Session)
	k.Recipe = b.Recipe
	return k
}

// A Set holds the tools of a run.
type Set map[Key]*Tool

// A Finder finds the tools of a site.
type Finder struct {
	// Root is its folder, to which paths of environments are relative.
	Root string
	// Env are its environments. Packages are those that it declares for blocks without
	// an environment.
	Env      map[string]site.Environment
	Packages []string
}

// Find finds tools and probes each once, in parallel. Bash blocks of an environment call
// its Python and the tools installed in it, so their fingerprint includes it.
func (s Finder) Find(ctx context.Context, keys []Key) Set {
	tools := Set{}
	for _, k := range keys {
		tools[k] = &Tool{}
		if k.Env != "" || len(s.Packages) > 0 {
			tools[Key{Interpreter: session.Python, Env: k.Env}] = &Tool{}
		}
	}
	resolved := map[string]func() environment.Environment{} // each once
	for k := range tools {
		resolved[k.Env] = sync.OnceValue(func() environment.Environment {
			return environment.Resolve(ctx, k.Env, SpecOf(k.Env, s.Env[k.Env]), s.Root)
		})
	}
	var probes sync.WaitGroup
	for k, t := range tools {
		probes.Go(func() {
			t.Interpreter = find(k, s, resolved[k.Env]())
			t.probe(ctx, k, s)
		})
	}
	probes.Wait()
	for k, t := range tools {
		python := tools[Key{Interpreter: session.Python, Env: k.Env}]
		if python == nil || k.Interpreter != session.Bash && k.Interpreter != session.Jupyter {
			continue
		}
		t.Packages = python.Packages
		switch {
		case k.Env == "", k.Interpreter == session.Jupyter, python.Missing != nil && !SpecOf(k.Env, s.Env[k.Env]).NamesPython():
		case python.Name == "" || t.Name == "":
			t.Name = "" // incomplete
		default:
			t.Name += ", " + python.Name
		}
	}
	return tools
}

// probe sets name and packages.
func (t *Tool) probe(ctx context.Context, k Key, s Finder) {
	switch {
	case t.Env.Unavailable != nil, t.Missing != nil && k.Interpreter != session.Python:
	case k.Recipe != nil:
		t.probeRecipe(ctx, k.Recipe)
	case k.Interpreter == session.Bash:
		if v := BashVersion(ctx, t.Env, t.Path, t.Environ(os.TempDir())); v != "" {
			t.Name = "bash " + v
		}
	case k.Interpreter == session.Jupyter:
		t.Missing, t.Name = t.probeKernel(ctx)
	case k.Interpreter == session.Python:
		declared := s.Packages
		if k.Env != "" {
			declared = s.Env[k.Env].Packages
		}
		a := pyenv.Ask(ctx, t.Env.Python, declared)
		t.Name, t.Packages, t.Frameworks = a.Interpreter, a.Packages, a.Frameworks
		t.Packages = append(t.Packages, t.Env.Versions()...)
		t.Packages = t.Packages[:min(len(t.Packages), report.MaxPackages)]
	} // the tools on the node of a job are not known here
}

// bashTimeout limits the time that bash may take to print its version.
const bashTimeout = 20 * time.Second

// BashVersion returns the version of a bash, "5.2.15", or "" if it does not answer in
// time.
func BashVersion(ctx context.Context, e environment.Environment, path string, env []string) string {
	a := e.Run(ctx, subprocess.Command{Program: path, Env: env, Limit: bashTimeout,
		Args: []string{"--noprofile", "--norc", "-c", `builtin printf '%s\n' "$BASH_VERSION"`}})
	version := strings.TrimSpace(string(a.Stdout))
	version = version[strings.LastIndexByte(version, '\n')+1:] // $BASH_ENV may print something first
	version, _, _ = strings.Cut(version, "(")                  // 5.2.15(1)-release
	if a.Err != nil || len(version) > 100 || !utf8.ValidString(version) {
		return ""
	}
	return version
}
