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

// A request is the input of ask.py.
type request struct {
	Declared []string `json:"declared"`
	// Wanted are names of packages, or of what they are imported by.
	Wanted []string `json:"wanted"`
	// Dists and Conda are patterns of the names of relevant packages.
	Dists   string                   `json:"dists"`
	Conda   string                   `json:"conda"`
	Modules map[string]moduleRequest `json:"modules"`
}

// A moduleRequest asks about an installed framework: the values that its Files assign to Names,
// and which of the files Has exist. Files are relative to its folder.
type moduleRequest struct {
	Files []string `json:"files"`
	Names []string `json:"names"`
	Has   []string `json:"has"`
}

// A reply is the output of ask.py.
type reply struct {
	Name     string
	Versions []string // of the declared packages
	Wanted   []Found
	installed
}

// Found is whether a package is installed, with its version if that is known.
type Found struct {
	Has     bool
	Version string
}

// Packages returns which packages an interpreter has. Names are those of distributions
// ("PyYAML") or for importing ("yaml"). It imports none of them.
func Packages(ctx context.Context, p Python, names []string) ([]Found, error) {
	r, err := query(ctx, p, nil, names)
	if err != nil {
		return nil, err
	}
	for i, f := range r.Wanted {
		if r.Wanted[i].Version = short(f.Version); !plain.MatchString(r.Wanted[i].Version) {
			r.Wanted[i].Version = "" // no version, maybe a path
		}
	}
	return r.Wanted, nil
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
	declared = slices.Compact(slices.Sorted(slices.Values(declared)))
	r, err := query(ctx, p, declared, nil)
	if err != nil {
		r = &reply{Versions: make([]string, len(declared))}
	}
	a := Answer{Interpreter: short(r.Name), Err: err}
	for i, name := range declared {
		a.Packages = append(a.Packages, report.Package{Name: name, Version: short(r.Versions[i])})
	}
	if err == nil {
		a.Frameworks = r.frameworks()
	}
	return a
}

func query(ctx context.Context, p Python, declared, wanted []string) (*reply, error) {
	if p.Missing != nil {
		return nil, p.Missing
	}
	q := request{Declared: append([]string{}, declared...), Wanted: append([]string{}, wanted...), Dists: relevantDists, Conda: relevantConda,
		Modules: map[string]moduleRequest{}}
	for _, f := range known {
		q.Modules[f.name] = f.ask
	}
	data, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	mark := rand.Text()
	run := p.Run
	if run == nil {
		run = subprocess.Run
	}
	a := run(ctx, subprocess.Command{Program: p.Path, Args: []string{"-c", askProgram, mark, string(data)},
		Env: append(p.Environ(), "LC_ALL=C.UTF-8"), Dir: "/", Limit: askLimit})
	return parse(a, mark, len(declared), len(wanted))
}

// parse parses the output of the interpreter. An answer is valid even if the interpreter
// failed later.
func parse(a subprocess.Result, mark string, declared, wanted int) (*reply, error) {
	for line := range bytes.Lines(a.Stdout) {
		data, found := bytes.CutPrefix(line, []byte(mark))
		if !found {
			continue
		}
		var r reply
		if err := json.Unmarshal(data, &r); err != nil || len(r.Versions) != declared || len(r.Wanted) != wanted || r.Name == "" {
			return nil, cmp.Or(err, errors.New("it answered something else than it was asked"))
		}
		return &r, nil
	}
	switch words := subprocess.FailureLine(a.Stderr); {
	case a.Err == nil:
		return nil, errors.New("it gave no answer")
	case words != "" && !subprocess.TimedOut(a.Err):
		return nil, fmt.Errorf("%w: %s", a.Err, short(words))
	}
	return nil, a.Err
}

// short shortens text of an interpreter to the limit of a report.
func short(s string) string {
	const limit = 200
	return strings.ToValidUTF8(s[:min(len(s), limit)], "")
}
