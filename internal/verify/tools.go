package verify

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
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
}

// A toolKey names a tool: the interpreter of a session, and its environment.
type toolKey struct{ interpreter, env string }

func keyOf(s *content.Session) toolKey { return toolKey{s.Interpreter, s.Env} }

// toolLimit is how long an interpreter may take to say its version. A Python on
// a cold network disk takes seconds.
const toolLimit = 20 * time.Second

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

//go:embed tool.py
var pythonAsk string

const bashAsk = `builtin printf '%s\n' "$BASH_VERSION"`

// ask fills in name and packages. Nothing is imported for that: to import torch
// takes seconds.
func (t *tool) ask(ctx context.Context, k toolKey, o Options) {
	if k.interpreter != "bash" && k.interpreter != "python" {
		return // what a job script meets on its node, nobody here knows
	}
	declared := slices.Clone(o.Packages)
	if k.env != "" {
		declared = slices.Clone(o.Env[k.env].Packages)
	}
	slices.Sort(declared)
	declared = slices.Compact(declared)
	if k.interpreter == "bash" {
		if version := t.lastLine(ctx, "--noprofile", "--norc", "-c", bashAsk); version != "" {
			version, _, _ = strings.Cut(version, "(") // 5.2.15(1)-release
			t.name = "bash " + version
		}
		return
	}
	var said struct {
		Name     string
		Versions []string
	}
	line := t.lastLine(ctx, append([]string{"-c", pythonAsk}, declared...)...)
	if json.Unmarshal([]byte(line), &said) != nil || len(said.Versions) != len(declared) {
		said.Name, said.Versions = "", make([]string, len(declared))
	}
	t.name = short(said.Name)
	for i, name := range declared {
		t.packages = append(t.packages, report.Package{Name: name, Version: short(said.Versions[i])})
	}
}

// lastLine runs the interpreter and returns the last line that it prints: what
// comes before may be of a start-up file. It is empty after a failure.
func (t *tool) lastLine(ctx context.Context, args ...string) string {
	if t.missing != "" {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, toolLimit)
	defer stop()
	c := exec.CommandContext(ctx, t.path, args...)
	c.Env = environ(os.TempDir(), t.binDir, t.env...)
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return ""
	}
	out = bytes.TrimSpace(out)
	return string(out[bytes.LastIndexByte(out, '\n')+1:])
}

// short bounds what an interpreter says to what a report may hold.
func short(s string) string {
	const limit = 200
	return strings.ToValidUTF8(s[:min(len(s), limit)], "")
}

// sameTool tells whether a check ran in this very tool.
func (t *tool) sameTool(c *report.Check) bool {
	return t.name != "" && t.name == c.Interpreter && slices.Equal(t.packages, c.Packages)
}
