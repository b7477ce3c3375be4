package pyenv

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// askLimit is how long an interpreter may take to answer. A Python on a network disk
// that is not cached takes seconds.
const askLimit = 20 * time.Second

// An Answer is what an interpreter reports about itself.
type Answer struct {
	// Interpreter is "Python 3.12.4", or empty if it gave no answer.
	Interpreter string
	// Packages are the declared packages, sorted and without duplicates.
	Packages []report.Package
	// Frameworks are the GPU frameworks that are installed for it.
	Frameworks []report.Framework
	// Err is why it gave no answer. Its text may hold a path.
	Err error
}

//go:embed ask.py
var askProgram string

// A question is the input of ask.py.
type question struct {
	Declared []string `json:"declared"`
	// Dists and Conda are patterns of the names of packages that tell something.
	Dists   string              `json:"dists"`
	Conda   string              `json:"conda"`
	Modules map[string]toModule `json:"modules"`
}

// toModule is the question about an installed framework: the values that its Files
// assign to Names, and which of the files Has exist, below its folder.
type toModule struct {
	Files []string `json:"files"`
	Names []string `json:"names"`
	Has   []string `json:"has"`
}

// A probeReply is the answer of ask.py.
type probeReply struct {
	Name     string
	Versions []string // of the packages declared
	installed
}

// Ask runs an interpreter once, and returns its version, the versions of the declared
// packages, and its GPU frameworks. It imports none of them: importing torch takes
// seconds, and may crash.
//
// The interpreter sees what a snippet sees, including PYTHONPATH and packages of the
// user, so it is started without -I or -E. As start-up files may print something, the
// answer is the line that begins with a random mark. It starts in a folder without
// Python code.
func Ask(ctx context.Context, p Python, declared []string) Answer {
	declared = slices.Clone(declared)
	slices.Sort(declared)
	declared = slices.Compact(declared)
	s, err := ask(ctx, p, declared)
	if err != nil {
		s = &probeReply{Versions: make([]string, len(declared))}
	}
	a := Answer{Interpreter: short(s.Name), Err: err}
	for i, name := range declared {
		a.Packages = append(a.Packages, report.Package{Name: name, Version: short(s.Versions[i])})
	}
	if err == nil {
		a.Frameworks = s.frameworks()
	}
	return a
}

func ask(ctx context.Context, p Python, declared []string) (*probeReply, error) {
	if p.Missing != "" {
		return nil, fmt.Errorf("there is no %s", p.Missing)
	}
	mark := rand.Text()
	args, err := arguments(mark, declared)
	if err != nil {
		return nil, err
	}
	ran := subprocess.Run(ctx, subprocess.Command{Program: p.Path, Args: args, Env: p.environ(), Dir: "/", Limit: askLimit})
	return parse(ran, mark, len(declared))
}

// arguments returns the arguments of the interpreter.
func arguments(mark string, declared []string) ([]string, error) {
	q := question{Declared: declared, Dists: relevantDists, Conda: relevantConda, Modules: map[string]toModule{}}
	if declared == nil {
		q.Declared = []string{}
	}
	for _, f := range known {
		q.Modules[f.name] = f.ask
	}
	data, err := json.Marshal(q)
	return []string{"-c", askProgram, mark, string(data)}, err
}

// parse parses the output of the interpreter. An answer is valid even if the interpreter
// failed later.
func parse(ran subprocess.Result, mark string, declared int) (*probeReply, error) {
	for line := range bytes.Lines(ran.Stdout) {
		data, found := bytes.CutPrefix(line, []byte(mark))
		if !found {
			continue
		}
		var s probeReply
		if err := json.Unmarshal(data, &s); err != nil || len(s.Versions) != declared || s.Name == "" {
			return nil, cmp.Or(err, errors.New("it answered something else than it was asked"))
		}
		return &s, nil
	}
	switch words := subprocess.FailureLine(ran.Stderr); {
	case ran.Err == nil:
		return nil, errors.New("it gave no answer")
	case words != "" && !subprocess.TimedOut(ran.Err):
		return nil, fmt.Errorf("%w: %s", ran.Err, short(words))
	}
	return nil, ran.Err
}

// short shortens text of an interpreter to the limit of a report.
func short(s string) string {
	const limit = 200
	return strings.ToValidUTF8(s[:min(len(s), limit)], "")
}
