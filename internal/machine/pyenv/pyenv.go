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
	// Missing is what was not found, without paths of this machine except for one in
	// gpudocs.toml. Then Path is empty. If only the Python of an environment is missing,
	// BinDir and Env are set nevertheless.
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
