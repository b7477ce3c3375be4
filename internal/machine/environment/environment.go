// Package environment finds what this machine has of an environment of gpudocs.toml: its
// Python, and the variables that sessions get.
//
// Modules and setup are shell code. They run in one bash for each environment and run of
// gpudocs, and the variables that they leave are those of every session, of whatever
// language (shell.go). So a session starts as fast as without them, and what they print,
// or leave in the background, is no part of a result.
//
// An [Environment] may hold private paths, except in its modules and versions.
package environment

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A Spec is an environment of gpudocs.toml. At most one of Python and Conda is set.
type Spec struct {
	// Python and Conda are those of [pyenv.Spec].
	Python, Conda string
	// Modules are loaded and Setup is run by bash. Vars are set before and after both.
	Modules []string
	Setup   string
	Vars    map[string]string
}

// NamesPython reports whether the environment has a Python of its own. Otherwise it is
// the one that is in PATH after modules and setup, if any.
func (s Spec) NamesPython() bool { return s.Python != "" || s.Conda != "" }

// An Environment is what this machine has of a [Spec].
type Environment struct {
	Python pyenv.Python
	// Modules are the loaded modules with their versions: "gcc/12.2.0".
	Modules []string
	// Unavailable is why nothing can run in the environment, or empty.
	Unavailable string

	vars map[string]string
}

// Resolve finds an environment. root is the site's folder.
func Resolve(ctx context.Context, name string, s Spec, root string) Environment {
	e := Environment{vars: s.Vars}
	spec := pyenv.Spec{Python: s.Python, Conda: s.Conda}
	if len(s.Modules) > 0 || s.Setup != "" {
		var err error
		if spec.Base, e.Modules, err = s.load(ctx, root); err != nil {
			e.Unavailable = err.Error()
			e.Python = pyenv.Python{Name: name, From: pyenv.FromConfig, Missing: e.Unavailable}
			return e
		}
	}
	if len(s.Vars) > 0 {
		spec.Base = s.withVars(spec.Base)
	}
	e.Python = pyenv.Resolve(name, spec, root)
	return e
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
	path, _ := pyenv.LookPath(program, e.Environ())
	return path
}

// Versions are the modules as a check lists them with the packages of its environment.
func (e Environment) Versions() (list []report.Package) {
	for _, m := range e.Modules {
		if dir, version := filepath.Split(m); dir != "" {
			list = append(list, report.Package{Name: strings.TrimSuffix(dir, "/"), Version: version})
		} else {
			list = append(list, report.Package{Name: m, Version: "loaded"})
		}
	}
	return list
}
