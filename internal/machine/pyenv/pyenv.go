// Package pyenv finds the Python environments of a machine and the GPU frameworks that
// are installed in them, without importing anything.
//
// # Environments
//
// [Resolve] finds one environment of gpudocs.toml, [Find] all environments of this
// machine, each once: the Pythons in PATH, the active environment, .venv and venv of the
// site's folder, those of conda, mamba, micromamba and pixi (see conda.go), and the
// versions of pyenv. Nothing is executed for that.
//
// # Frameworks
//
// [Ask] runs the interpreter of an environment once, with a program that imports only
// Python's own modules (ask.py): importing torch takes seconds, and a broken package may
// end the process. The program locates a framework with import's own finders, so it
// respects the order of sys.path and editable installs, and reads
//
//   - the metadata of packages: *.dist-info, *.egg-info and eggs,
//   - the Python files that the frameworks' builds write, such as torch/version.py,
//     of which it reads assignments of plain values, and
//   - the names of the packages that conda has installed.
//
// From these pyenv derives, for each installed framework, its version and how it was
// built (frameworks.go): for a CUDA toolkit, for AMD's GPUs, or for neither. The toolkit
// is the one that the build names. If it names only a major version, as
// jax-cuda12-plugin and cupy-cuda12x do, or none, as Numba, it is the one that pip or
// conda have installed with it (toolkit.go). Toolkits installed for the whole machine are
// not searched.
//
// An interpreter has 20 seconds. It takes some 10 ms more than Python's own start. Python
// 3.6 and newer report everything, 2.7 its version and those of packages.
//
// # Privacy
//
// A [Python] and an error contain private paths. The rest of an [Answer] does not, and can
// be published in a report.
package pyenv

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Kinds of environments.
const (
	KindSystem     = "system"     // of the system
	KindVenv       = "venv"       // a virtual environment, of venv, virtualenv or uv
	KindConda      = "conda"      // of conda, mamba, micromamba or pixi
	KindPyenv      = "pyenv"      // a version that pyenv built
	KindConfigured = "configured" // an interpreter that gpudocs.toml names
)

// Ways to find an environment.
const (
	FromPath   = "path"   // PATH
	FromConfig = "config" // gpudocs.toml
	FromActive = "active" // VIRTUAL_ENV
	FromSite   = "site"   // .venv or venv in the site's folder
	FromConda  = "conda"  // where conda, mamba, micromamba and pixi keep theirs
	FromPyenv  = "pyenv"  // ~/.pyenv/versions
)

// A Spec is an environment in gpudocs.toml. At most one of Python, Conda and Venv is set;
// none is the Python in PATH.
type Spec struct {
	// Python is the path of an interpreter, or a name to look up in PATH. A relative
	// path with a slash is relative to the site's folder.
	Python string
	// Conda is the name or the prefix of a conda environment.
	Conda string
	// Venv is the folder of a virtual environment.
	Venv string
	// Missing is why the environment is not available, or nil.
	Missing *report.Reason
	// Base are the variables of a shell in which modules are loaded, as "K=V", with the
	// PATH to search. If nil, they are those of gpudocs.
	Base []string
}

// A Python is an interpreter with its environment.
type Python struct {
	// Name is the name in gpudocs.toml or of the environment. It is empty for the
	// machine's own Python.
	Name string
	// Kind is one of the Kind constants, From one of the From constants.
	Kind, From string
	// Path is the interpreter. For programs that run in the environment, BinDir comes
	// first in PATH, and Env, as "K=V", is added to the environment variables.
	Path, BinDir string
	Env          []string
	// Base are the variables to which Env is added. If nil, they are those of gpudocs.
	Base []string
	// Run runs a program of the environment. If nil, it is [subprocess.Run].
	Run func(context.Context, subprocess.Command) subprocess.Result
	// Missing is what was not found, without paths of this machine except for one in
	// gpudocs.toml. Then Path is empty. If only the Python of an environment is missing,
	// BinDir and Env are set nevertheless.
	Missing *report.Reason
}

// missing returns the reason for a program or an environment that was not found.
func missing(why, program string) *report.Reason {
	return &report.Reason{Code: report.ReasonNoInterpreter, Why: why, Program: program}
}

// builtinNames are the names of the machine's own Python.
var builtinNames = []string{"python3", "python"}

// Resolve finds one environment. root is the site's folder.
func Resolve(name string, spec Spec, root string) (p Python) {
	switch {
	case spec.Missing != nil:
		p = Python{Name: name, Kind: KindConfigured, From: FromConfig, Missing: spec.Missing}
	case spec.Conda != "":
		p = resolveConda(name, spec.Conda, root)
	case spec.Venv != "":
		p = Python{Kind: KindVenv, From: FromConfig, Missing: missing("", "python")}
		if found := venv(spec.Venv, FromConfig); len(found) > 0 {
			p = found[0]
		}
		p.Name = name
	case spec.Python != "":
		p = spec.resolvePath(name, root)
	default:
		p = spec.resolveBuiltin(name)
	}
	p.Base = spec.Base
	return p
}

func (s Spec) resolveBuiltin(name string) Python {
	for _, program := range builtinNames {
		if path, err := s.lookPath(program); err == nil {
			return Python{Name: name, Kind: kindOf(path), From: FromPath, Path: path}
		}
	}
	return Python{Name: name, Kind: KindSystem, From: FromPath, Missing: missing("", builtinNames[0])}
}

func (s Spec) resolvePath(name, root string) Python {
	p, python := Python{Name: name, Kind: KindConfigured, From: FromConfig, Missing: missing("", s.Python)}, s.Python
	if strings.ContainsRune(python, '/') && !filepath.IsAbs(python) {
		root, err := filepath.Abs(root)
		if err != nil {
			return p
		}
		python = filepath.Join(root, python)
	}
	path, err := s.lookPath(python)
	if err != nil {
		return p
	}
	p.Path, p.BinDir, p.Missing = path, filepath.Dir(path), nil
	if first, err := s.lookPath(filepath.Base(path)); s.Base != nil && err == nil && first == path {
		p.BinDir = "" // in front of PATH, /usr/bin would hide what modules provide
	}
	return p
}

// lookPath finds a program in the PATH of Base.
func (s Spec) lookPath(program string) (string, error) {
	if s.Base == nil || strings.ContainsRune(program, '/') {
		return exec.LookPath(program)
	}
	return LookPath(program, s.Base)
}

// LookPath finds a program in the PATH of the variables in env.
func LookPath(program string, env []string) (string, error) {
	for _, dir := range filepath.SplitList(Variable(env, "PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			return path, nil
		}
	}
	return "", &exec.Error{Name: program, Err: exec.ErrNotFound}
}

// Variable returns the value of a variable in env, of several the last one.
func Variable(env []string, name string) (value string) {
	for _, kv := range env {
		if v, is := strings.CutPrefix(kv, name+"="); is {
			value = v
		}
	}
	return value
}

// Environ returns the complete variables of the environment.
func (p Python) Environ() []string {
	env := p.Base
	if env == nil {
		env = os.Environ()
	}
	env = slices.Clone(env)
	if p.BinDir != "" {
		env = append(env, "PATH="+p.BinDir+string(os.PathListSeparator)+Variable(env, "PATH"))
	}
	return append(env, p.Env...)
}
