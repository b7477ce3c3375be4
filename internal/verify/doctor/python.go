package doctor

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// askPythons asks every interpreter of this machine, several in parallel.
func askPythons(ctx context.Context, configured map[string]environment.Spec, root string) []Python {
	found := pyenv.Find(root, environment.Pythons(ctx, configured, root))
	out := make([]Python, len(found))
	var workers errgroup.Group
	workers.SetLimit(2 * runtime.NumCPU()) // they wait for disks more than they calculate
	for i, p := range found {
		workers.Go(func() error {
			out[i] = askPython(ctx, p)
			return nil
		})
	}
	_ = workers.Wait() // no error
	left := maps.Clone(configured)
	for i := range out {
		_, out[i].Configured = left[out[i].Name] // of two with the name the first
		delete(left, out[i].Name)
	}
	return out
}

func askPython(ctx context.Context, p pyenv.Python) Python {
	out := Python{Name: p.Name, Kind: p.Kind, Path: p.Path, lacks: p.Missing, Frameworks: []Framework{}}
	if p.Missing != nil {
		return out
	}
	out.root = filepath.Dir(filepath.Dir(p.Path))
	a := pyenv.Ask(ctx, p, []string{"jupyter_client"})
	out.Interpreter = a.Interpreter
	switch {
	case errors.Is(a.Err, context.DeadlineExceeded):
		out.Failed = PythonTimeout
	case a.Err != nil:
		out.Failed = a.Err.Error()
	}
	for _, f := range a.Frameworks[:min(len(a.Frameworks), report.MaxFrameworks)] {
		out.Frameworks = append(out.Frameworks, Framework{Framework: f})
	}
	if len(a.Packages) > 0 && a.Packages[0].Version != "" {
		out.Kernels = kernels(ctx, p)
	}
	return out
}

// maxKernels limits the kernels of an interpreter.
const maxKernels = 32

func kernels(ctx context.Context, p pyenv.Python) (names []string) {
	all, _ := tools.Interpreter{Path: p.Path, Env: environment.Environment{Python: p}}.ListKernels(ctx)
	for _, name := range slices.Sorted(maps.Keys(all.Kernels)) {
		if all.Kernels[name].Found && site.KernelName.MatchString(name) && len(names) < maxKernels {
			names = append(names, name)
		}
	}
	return names
}

// judgePythons adds to each framework whether it runs on the machine.
func judgePythons(pythons []Python, m report.Machine) {
	for _, p := range pythons {
		m.Environments = []report.Environment{p.environment()}
		for i, f := range p.Frameworks {
			p.Frameworks[i].Verdict = compat.Judge(m, p.Name, f.Name)
		}
	}
}

// environment returns the description of a Python in reports.
func (p Python) environment() report.Environment {
	e := report.Environment{Name: p.Name, Interpreter: p.Interpreter, Frameworks: []report.Framework{}}
	for _, f := range p.Frameworks {
		e.Frameworks = append(e.Frameworks, f.Framework)
	}
	return e
}

// environments returns those of a report of verify: the machine's own and the site's,
// which come first, because a conda environment may have the same name.
func environments(pythons []Python) (out []report.Environment) {
	named := map[string]bool{}
	for _, p := range pythons {
		if p.Interpreter != "" && !named[p.Name] {
			named[p.Name] = true
			out = append(out, p.environment())
		}
	}
	return out
}

// askCuBLAS finds copies of cuBLAS in the system and in the environments. None is
// loaded, so whether they work is not known.
func askCuBLAS(pythons []Python) []Library {
	dirs := cuda.SystemDirs()
	for _, p := range pythons {
		if p.root != "" {
			dirs = append(dirs, p.root)
		}
	}
	out := []Library{}
	for _, l := range cuda.FindBLAS(dirs...) {
		out = append(out, Library{Major: l.Major, Path: l.Path})
	}
	return out
}
