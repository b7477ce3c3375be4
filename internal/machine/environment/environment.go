// Package environment finds what this machine has of an environment of gpudocs.toml: its
// Python, and the variables that sessions get.
//
// Modules and setup are shell code. They run in one bash for each environment and run of
// gpudocs, and the variables that they leave are those of every session, of whatever
// language (shell.go). So a session starts as fast as without them, and what they print,
// or leave in the background, is no part of a result.
//
// An environment of uv, pixi or conda is made from a lock, in the user's cache folder, and
// only when [Sync] is called (locked.go, sync.go). [Resolve] finds one that is there. So it is
// with a container image (image.go).
//
// An [Environment] may hold private paths, except in its modules and versions.
package environment

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A Spec is an environment of gpudocs.toml. At most one of Python, Conda and Tool is set.
type Spec struct {
	// Python and Conda are those of [pyenv.Spec].
	Python, Conda string
	// Tool is UV, Pixi or Conda if the environment is made, from the file File, which has its
	// versions in the file Lock. Both are relative to the site's folder, and may be the same.
	Tool, File, Lock string
	// Modules are loaded and Setup is run by bash. Vars are set before and after both.
	Modules []string
	Setup   string
	Vars    map[string]string
	// Container is the image in which all programs run, with Vars and the Python that Python
	// names there. Modules and Setup are for the runtime of the container.
	Container string
}

// NamesPython reports whether the environment has a Python of its own. Otherwise it is
// the one that is in PATH after modules and setup, if any.
func (s Spec) NamesPython() bool { return s.Python != "" || s.Conda != "" || s.Tool != "" }

// loads reports whether a shell has to load the environment.
func (s Spec) loads() bool { return len(s.Modules) > 0 || s.Setup != "" }

// An Environment is what this machine has of a [Spec].
type Environment struct {
	Python pyenv.Python
	// Modules are the loaded modules with their versions: "gcc/12.2.0".
	Modules []string
	// Lock is the SHA-256 of the lock, in hexadecimal. Unmade is set if the environment is
	// not made yet, which [Sync] does.
	Lock   string
	Unmade bool
	// Unavailable is why nothing can run in the environment, or nil.
	Unavailable *report.Reason
	// Image is the image in which programs run, or nil.
	Image *container.Image

	vars     map[string]string
	programs map[string]string // in the image
	lockName string
}

// Resolve finds an environment. root is the site's folder.
func Resolve(ctx context.Context, name string, s Spec, root string) Environment {
	e := Environment{vars: s.Vars, lockName: filepath.Base(s.Lock)}
	spec := e.find(ctx, s, root)
	if s.Container != "" && e.Unavailable == nil {
		e.findImage(ctx, s, root, spec.Base)
		spec = pyenv.Spec{Missing: e.Unavailable}
	}
	if e.Image != nil {
		e.Python = e.pythonInImage(name, s)
		return e
	}
	e.Python = pyenv.Resolve(name, spec, root)
	return e
}

// Pythons returns where the Pythons of environments are, for a search of all Pythons. It
// loads modules and runs setup.
func Pythons(ctx context.Context, all map[string]Spec, root string) map[string]pyenv.Spec {
	specs := map[string]pyenv.Spec{}
	var mu sync.Mutex
	var finds sync.WaitGroup
	for name, s := range all {
		finds.Go(func() {
			var e Environment
			found := pyenv.Spec{Missing: fault(report.EnvContainer, "", "")} // which is not searched
			if s.Container == "" {
				found = e.find(ctx, s, root)
			}
			mu.Lock()
			defer mu.Unlock()
			specs[name] = found
		})
	}
	finds.Wait()
	return specs
}

// find returns where the Python of the environment is, and sets what is known besides.
func (e *Environment) find(ctx context.Context, s Spec, root string) pyenv.Spec {
	spec, err := pyenv.Spec{Python: s.Python, Conda: s.Conda}, error(nil)
	if s.Tool != "" {
		spec, err = e.locked(s, root)
	}
	if err == nil && s.loads() {
		spec.Base, e.Modules, err = s.load(ctx, root)
	}
	if err != nil {
		e.Unavailable = faultOf(err)
		return pyenv.Spec{Missing: e.Unavailable}
	}
	if len(s.Vars) > 0 {
		spec.Base = s.withVars(spec.Base)
	}
	return spec
}

// locked returns where an environment is that is made, and sets what is known of its lock.
func (e *Environment) locked(s Spec, root string) (pyenv.Spec, error) {
	l, err := s.locate(root)
	if err != nil {
		return pyenv.Spec{}, err
	}
	e.Lock = l.sum
	if e.Unmade = !l.isComplete(); e.Unmade {
		return pyenv.Spec{}, fault(report.EnvUnsynced, "", "")
	}
	return l.python(), nil
}

// fault returns why an environment is not available: a program, a module or an image, and what was said of it.
func fault(why, program, said string) *report.Reason {
	return &report.Reason{Code: report.ReasonEnvironment, Why: why, Program: program, Said: said}
}

// faultOf returns the fault that an error is. What is no fault of ours was said by the system.
func faultOf(err error) *report.Reason {
	if f, ok := errors.AsType[*report.Reason](err); ok {
		return f
	}
	return fault(report.EnvFailed, "", err.Error())
}

// withVars returns the variables of base, or those of gpudocs if it is nil, and then Vars.
func (s Spec) withVars(base []string) []string {
	if base == nil {
		base = os.Environ()
	}
	return append(slices.Clone(base), assignments(s.Vars)...)
}

func assignments(vars map[string]string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		list = append(list, name+"="+vars[name])
	}
	return list
}

// Environ returns the complete variables of programs in the environment. Of several values
// of a variable the last one counts.
func (e Environment) Environ() []string { return append(e.Python.Environ(), assignments(e.vars)...) }

// LookPath returns the path of a program of the environment, or "".
func (e Environment) LookPath(program string) string {
	if e.Image != nil {
		return e.programs[program]
	}
	path, _ := pyenv.LookPath(program, e.Environ())
	return path
}

// Versions are the modules and the lock as a check lists them with the packages of its environment.
func (e Environment) Versions() (list []report.Package) {
	if e.Lock != "" {
		list = append(list, report.Package{Name: e.lockName, Version: e.Lock[:12]})
	}
	if e.Image != nil && e.Image.Digest != "" {
		list = append(list, report.Package{Name: "image", Version: strings.TrimPrefix(e.Image.Digest, "sha256:")[:12]})
	}
	for _, m := range e.Modules {
		if dir, version := filepath.Split(m); dir != "" {
			list = append(list, report.Package{Name: strings.TrimSuffix(dir, "/"), Version: version})
		} else {
			list = append(list, report.Package{Name: m, Version: "loaded"})
		}
	}
	return list
}
