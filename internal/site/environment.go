package site

import (
	"maps"
	"path"
	"slices"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// An Environment is what blocks with env= run in. At most one of Python, Conda, UV and
// Pixi is set. Modules, Setup and Vars go with any of them, or stand alone: then the Python
// is the one that is in PATH after them.
//
//	[env.torch]
//	uv      = "requirements.txt"
//	modules = ["gcc/12", "cuda/12.4"]
//	setup   = "source /opt/intel/setvars.sh"
//	vars    = {OMP_NUM_THREADS = "4"}
type Environment struct {
	// Python is the path of an interpreter, or a name to look up in PATH. A relative path with a
	// slash is relative to the site's folder.
	Python string `toml:"python" doc:"Path of an interpreter, or a name to look up in PATH."`
	// Conda is the name or the prefix of a conda environment, or a file from which gpudocs env
	// --sync makes one: "environment.yml".
	Conda string `toml:"conda" doc:"Name or prefix of a conda environment, or a file that one is made from."`
	// UV and Pixi are files from which gpudocs env --sync makes an environment: requirements.txt, or
	// pyproject.toml or pixi.toml with a lock beside it. Like every such file they are below the
	// site's folder.
	UV   string `toml:"uv" doc:"requirements.txt or pyproject.toml, from which gpudocs env --sync makes an environment."`
	Pixi string `toml:"pixi" doc:"pixi.toml, from which gpudocs env --sync makes an environment."`
	// Modules are loaded by Lmod or Environment Modules, Setup is run by bash after them. Vars are
	// set before both and after both.
	Modules []string          `toml:"modules" doc:"Modules that are loaded: cuda/12.4."`
	Setup   string            `toml:"setup" doc:"Bash code that is run after the modules and before the blocks."`
	Vars    map[string]string `toml:"vars" doc:"Environment variables."`
	// Container is an image in which all programs run: "docker://python:3.12", "image.sif", a name,
	// or a folder. Python is a path or a name in it. Modules and Setup are for its runtime.
	Container string `toml:"container" doc:"Image in which all programs run."`
	// Packages are the packages whose versions are part of the results: a check that passed runs
	// again when one of them changes.
	Packages []string `toml:"packages" doc:"Packages whose versions are part of the results."`
}

// Traits returns what the ID of a check says of its environment beside its name, because another
// place is another environment. Keys that are newer than the ID are left out if they are not set.
func (e Environment) Traits() []string {
	traits := []string{"python " + e.Python, "conda " + e.Conda}
	for _, key := range [][2]string{{"uv ", e.UV}, {"pixi ", e.Pixi}, {"container ", e.Container}} {
		if key[1] != "" {
			traits = append(traits, key[0]+key[1])
		}
	}
	for _, m := range e.Modules {
		traits = append(traits, "module "+m)
	}
	if e.Setup != "" {
		traits = append(traits, "setup "+e.Setup)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Vars)) {
		traits = append(traits, "variable "+name+"="+e.Vars[name])
	}
	return traits
}

// Locked returns the tool that makes the environment, the file from which it does, and the lock,
// which may be the same file. lock is empty if the file is none of those that the tool reads. All
// are empty if the environment is not made.
func (e Environment) Locked() (tool, file, lock string) {
	beside := func(file, name string, manifests ...string) string {
		if slices.Contains(manifests, path.Base(file)) {
			return path.Join(path.Dir(file), name)
		}
		return ""
	}
	switch {
	case path.Ext(e.UV) == ".txt":
		return "uv", e.UV, e.UV
	case e.UV != "":
		return "uv", e.UV, beside(e.UV, "uv.lock", "pyproject.toml")
	case e.Pixi != "":
		return "pixi", e.Pixi, beside(e.Pixi, "pixi.lock", "pixi.toml", "pyproject.toml")
	case path.Ext(e.Conda) == ".yml", path.Ext(e.Conda) == ".yaml":
		return "conda", e.Conda, e.Conda
	}
	return "", "", ""
}

// LockedFiles returns the files from which the environment is made.
func (e Environment) LockedFiles() []string {
	_, file, lock := e.Locked()
	return slices.Compact(slices.DeleteFunc([]string{file, lock}, func(name string) bool { return name == "" }))
}

// Limits of an environment. MaxSetup is that of its setup and variables together, in bytes.
const MaxModules, MaxSetup = 64, 64 << 10

// Names of variables and modules.
var (
	VariableName = Pattern{Regexp: lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`), Max: 100}
	ImageName    = Pattern{Regexp: lazyregexp.New(`^[A-Za-z0-9_./~][A-Za-z0-9_./~+ :@-]*$`), Max: 500}
	ModuleName   = Pattern{Regexp: lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.+/@=:~-]*$`), Max: 200}
)

// ReservedVariables are those that every session sets itself, with the one that environments extend.
var ReservedVariables = []string{"PATH", "PWD", "OLDPWD", "SHLVL", "NO_COLOR", "TERM", "COLUMNS", "LC_ALL", "TMPDIR", "MPLBACKEND"}
