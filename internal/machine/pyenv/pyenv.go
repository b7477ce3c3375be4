// Package pyenv knows the Python environments of a machine and the GPU frameworks
// that are installed in them, without importing anything.
//
// # Which there are
//
// [Resolve] finds one environment as gpudocs.toml names it, [Find] all that this
// machine has, each once: the Pythons of PATH, the environment that is active,
// .venv and venv of the site's folder, those of conda, mamba, micromamba and pixi
// (conda.go says where), and the versions of pyenv. Nothing is executed for that.
//
// # What they hold
//
// [Ask] starts the interpreter of one, once, with a program that imports nothing
// but Python's own modules (ask.py): to import torch takes seconds, and a package
// that is broken may end the process. That program asks import's own finders where
// a framework lies, so what is first in sys.path counts, editable installs
// included, and reads
//
//   - the metadata of packages: *.dist-info, *.egg-info and eggs,
//   - the Python files that the frameworks' builds write, such as torch/version.py,
//     of which it takes the plain values that are assigned, and
//   - the names of the packages that conda has installed.
//
// From these package pyenv tells, for each framework that is there, its version and
// how it was built (frameworks.go): for a CUDA toolkit, for AMD's GPUs, or for
// neither. The toolkit is the one that the build names; where it names only a major
// version, as jax-cuda12-plugin and cupy-cuda12x do, or none, as Numba, it is the
// one that pip or conda have installed beside it (toolkit.go). A toolkit installed
// for the whole machine is not looked for here.
//
// An interpreter has 20 seconds. It takes some 10 ms more than Python's own start.
// Python 3.6 and newer tell everything, 2.7 its version and those of packages.
//
// # What may be told of it
//
// A [Python] and an error hold paths, which are nobody's business. The rest of an
// [Answer] does not: it is fit for a report.
package pyenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// A Spec is an environment in gpudocs.toml. One of the fields is set, or none for the
// machine's own Python.
type Spec struct {
	// Python is the path of an interpreter, or a name to look up in PATH. A relative
	// path with a slash is relative to the site's folder.
	Python string
	// Conda is the name or the prefix of a conda environment.
	Conda string
}

// A Python is an interpreter, and the environment that it is of.
type Python struct {
	// Name is the name in gpudocs.toml or of the environment. It is empty for the
	// machine's own Python.
	Name string
	// Kind is one of the Kind constants, From one of the From constants.
	Kind, From string
	// Path is the interpreter. BinDir comes first in PATH for what runs in the
	// environment, and Env, as "K=V", is added to what it sees.
	Path, BinDir string
	Env          []string
	// Missing is what was not found, without a path of this machine except for one that
	// gpudocs.toml names; then Path is empty. BinDir and Env are set even so if there
	// is the environment, and only its Python is missing.
	Missing string
}

// builtinNames are the names of the machine's own Python.
var builtinNames = []string{"python3", "python"}

// Resolve finds one environment. root is the site's folder.
func Resolve(name string, spec Spec, root string) Python {
	switch {
	case spec.Conda != "":
		return resolveConda(name, spec.Conda, root)
	case spec.Python != "":
		return resolvePath(name, spec.Python, root)
	}
	for _, program := range builtinNames {
		if path, err := exec.LookPath(program); err == nil {
			return Python{Name: name, Kind: kindOf(path), From: FromPath, Path: path}
		}
	}
	return Python{Name: name, Kind: KindSystem, From: FromPath, Missing: strings.Join(builtinNames, " or ")}
}

func resolvePath(name, python, root string) Python {
	p := Python{Name: name, Kind: KindConfigured, From: FromConfig, Missing: python}
	if strings.ContainsRune(python, '/') && !filepath.IsAbs(python) {
		root, err := filepath.Abs(root)
		if err != nil {
			return p
		}
		python = filepath.Join(root, python)
	}
	if path, err := exec.LookPath(python); err == nil {
		p.Path, p.BinDir, p.Missing = path, filepath.Dir(path), ""
	}
	return p
}

// environ returns the environment of the interpreter: that of gpudocs and what its
// environment adds.
func (p Python) environ() []string {
	env := append(os.Environ(), "LC_ALL=C.UTF-8")
	if p.BinDir != "" {
		env = append(env, "PATH="+p.BinDir+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return append(env, p.Env...)
}
