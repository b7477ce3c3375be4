package verify

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A tool is what the sessions of one kind and environment run in, and what it
// says of itself: with the machine that is the fingerprint by which a later run
// knows that a result still holds.
type tool struct {
	interpreter
	// name is "Python 3.12.4", or empty where it gave no answer.
	name     string
	packages []report.Package
	// frameworks are those of a Python; no fingerprint holds them.
	frameworks []report.Framework
}

// A toolKey names a tool: the interpreter of a session, and its environment.
type toolKey struct{ interpreter, env string }

func keyOf(s *content.Session) toolKey { return toolKey{s.Interpreter, s.Env} }

// bashLimit is how long bash may take to say its version.
const bashLimit = 20 * time.Second

// findTools looks up what the sessions of a plan need and asks each once, all at
// the same time. Bash blocks of an environment call its Python and what is
// installed in it, so that counts for them too.
func findTools(ctx context.Context, p *Plan, o Options) map[toolKey]*tool {
	tools := map[toolKey]*tool{}
	add := func(k toolKey) {
		if tools[k] == nil {
			tools[k] = &tool{interpreter: find(&content.Session{Interpreter: k.interpreter, Env: k.env}, o)}
		}
	}
	for _, s := range p.Sessions {
		add(keyOf(s.Session))
		if s.Env != "" || len(o.Packages) > 0 {
			add(toolKey{"python", s.Env})
		}
	}
	for _, env := range p.asked() {
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
			t.name = "" // half a fingerprint is none
		default:
			t.name += ", " + python.name
		}
	}
	return tools
}

// ask fills in name and packages.
func (t *tool) ask(ctx context.Context, k toolKey, o Options) {
	switch k.interpreter {
	case "bash":
		t.name = t.bashVersion(ctx)
	case "python":
		declared := o.Packages
		if k.env != "" {
			declared = o.Env[k.env].Packages
		}
		a := pyenv.Ask(ctx, t.python, declared)
		t.name, t.packages, t.frameworks = a.Interpreter, a.Packages, a.Frameworks
	} // what a job script meets on its node, nobody here knows
}

// bashVersion is "bash 5.2.15", or empty where it gives no answer.
func (t *tool) bashVersion(ctx context.Context) string {
	if t.missing != "" {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, bashLimit)
	defer stop()
	c := exec.CommandContext(ctx, t.path, "--noprofile", "--norc", "-c", `builtin printf '%s\n' "$BASH_VERSION"`)
	c.Env = environ(os.TempDir(), t.python.BinDir, t.python.Env...)
	c.WaitDelay = time.Second
	out, err := c.Output()
	version := strings.TrimSpace(string(out))
	version = version[strings.LastIndexByte(version, '\n')+1:] // before may stand what $BASH_ENV prints
	version, _, _ = strings.Cut(version, "(")                  // 5.2.15(1)-release
	if err != nil || version == "" || len(version) > 100 || !utf8.ValidString(version) {
		return ""
	}
	return "bash " + version
}

// sameTool tells whether a check ran in this very tool.
func (t *tool) sameTool(c *report.Check) bool {
	return t.name != "" && t.name == c.Interpreter && slices.Equal(t.packages, c.Packages)
}
