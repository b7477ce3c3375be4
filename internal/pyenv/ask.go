package pyenv

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askLimit is how long an interpreter may take to answer. A Python on a cold
// network disk takes seconds.
const askLimit = 20 * time.Second

// An Answer is what an interpreter says of itself.
type Answer struct {
	// Interpreter is "Python 3.12.4", or empty where it gave no answer.
	Interpreter string
	// Packages are those declared, sorted and each once.
	Packages []report.Package
	// Frameworks are the GPU frameworks that are installed for it.
	Frameworks []report.Framework
	// Err is why it gave no answer.
	Err error
}

//go:embed ask.py
var askProgram string

// Ask starts an interpreter to say its version, and those of the declared
// packages. Nothing is imported for that: to import torch takes seconds.
func Ask(ctx context.Context, p Python, declared []string) Answer {
	declared = slices.Clone(declared)
	slices.Sort(declared)
	declared = slices.Compact(declared)
	var said struct {
		Name     string
		Versions []string
	}
	line, err := lastLine(ctx, p, append([]string{"-c", askProgram}, declared...)...)
	if err == nil {
		err = json.Unmarshal(line, &said)
	}
	if err == nil && len(said.Versions) != len(declared) {
		err = errors.New("it answered something else than it was asked")
	}
	if err != nil {
		said.Name, said.Versions = "", make([]string, len(declared))
	}
	a := Answer{Interpreter: short(said.Name), Err: err}
	for i, name := range declared {
		a.Packages = append(a.Packages, report.Package{Name: name, Version: short(said.Versions[i])})
	}
	return a
}

// lastLine runs the interpreter and returns the last line that it prints: what
// comes before may be of a start-up file.
func lastLine(ctx context.Context, p Python, args ...string) ([]byte, error) {
	if p.Missing != "" {
		return nil, errors.New(p.Missing + " is not installed")
	}
	ctx, stop := context.WithTimeout(ctx, askLimit)
	defer stop()
	c := exec.CommandContext(ctx, p.Path, args...)
	c.Env = p.environ()
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:], nil
}

// short bounds what an interpreter says to what a report may hold.
func short(s string) string {
	const limit = 200
	return strings.ToValidUTF8(s[:min(len(s), limit)], "")
}
