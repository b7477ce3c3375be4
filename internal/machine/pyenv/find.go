package pyenv

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// findLimit limits the search of all places, because a disconnected network disk could
// block it for ever.
const findLimit = 5 * time.Second

// Find returns the environments of this machine: its own Python, those of gpudocs.toml,
// and then each other one once, even if it has several names and links. The total is at
// most [report.MaxEnvironments]. Places that do not answer in time are omitted. root is the
// site's folder. Nothing is executed.
func Find(root string, configured map[string]Spec) []Python {
	return find(findLimit, root, configured)
}

// find is Find with a time limit.
func find(limit time.Duration, root string, configured map[string]Spec) []Python {
	named := func() []Python {
		found := []Python{Resolve("", Spec{}, root)}
		for _, name := range slices.Sorted(maps.Keys(configured)) {
			found = append(found, Resolve(name, configured[name], root))
		}
		return found
	}
	places := gather(limit, named, inPath, active,
		func() []Python { return inSite(root) }, func() []Python { return ofConda(root) }, ofPyenv)
	found, seen := places[0], map[string]bool{}
	for _, p := range found {
		seen[identity(p.Path)] = p.Missing == nil
	}
	for _, p := range slices.Concat(places[1:]...) {
		if id := identity(p.Path); p.Missing == nil && !seen[id] {
			seen[id] = true
			found = append(found, p)
		}
	}
	return found[:min(len(found), report.MaxEnvironments)]
}

// gather searches all places in parallel. Places that exceed the limit have no results.
func gather(limit time.Duration, places ...func() []Python) [][]Python {
	type answer struct {
		at    int
		found []Python
	}
	answers := make(chan answer, len(places))
	for at, place := range places {
		go func() { answers <- answer{at, place()} }()
	}
	found, late := make([][]Python, len(places)), time.After(limit)
	for range places {
		select {
		case a := <-answers:
			found[a.at] = a.found
		case <-late:
			return found
		}
	}
	return found
}

// inPath returns the Pythons in PATH, including those after the first.
func inPath() (found []Python) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		for _, program := range builtinNames {
			if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
				kind := kindOf(path)
				found = append(found, Python{Name: program, Kind: kind, From: FromPath, Path: path, BinDir: dir})
			}
		}
	}
	return found
}

// active returns the activated virtual environment.
func active() []Python { return venv(os.Getenv("VIRTUAL_ENV"), FromActive) }

// inSite returns environments of a project that contains the site, as created by venv and
// uv.
func inSite(root string) (found []Python) {
	dir, err := filepath.Abs(root)
	if err != nil {
		return nil
	}
	return append(venv(filepath.Join(dir, ".venv"), FromSite), venv(filepath.Join(dir, "venv"), FromSite)...)
}

// ofConda returns conda environments with a Python.
func ofConda(root string) (found []Python) {
	for _, e := range condaEnvs(root) {
		p := resolveConda(e.name, e.prefix, root)
		p.From = FromConda
		found = append(found, p)
	}
	return found
}

// ofPyenv returns the versions and environments of pyenv.
func ofPyenv() (found []Python) {
	versions := filepath.Join(pyenvRoot(), "versions")
	for _, version := range folder(versions) {
		prefix := filepath.Join(versions, version)
		if path := pythonIn(prefix); path != "" {
			found = append(found, Python{Name: version, Kind: kindOf(path), From: FromPyenv, Path: path, BinDir: filepath.Dir(path)})
		}
	}
	return found
}

func pyenvRoot() string {
	home, _ := os.UserHomeDir()
	return cmp.Or(os.Getenv("PYENV_ROOT"), filepath.Join(home, ".pyenv"))
}

// venv returns the environment in a folder, if there is one.
func venv(dir, from string) []Python {
	path := pythonIn(dir)
	if !filepath.IsAbs(dir) || path == "" || !isVenv(dir) {
		return nil
	}
	return []Python{{Name: filepath.Base(dir), Kind: KindVenv, From: from, Path: path, BinDir: filepath.Dir(path),
		Env: []string{"VIRTUAL_ENV=" + dir}}}
}

// isVenv reports whether a prefix is a virtual environment, as Python itself decides
// it.
func isVenv(prefix string) bool {
	info, err := os.Stat(filepath.Join(prefix, "pyvenv.cfg"))
	return err == nil && info.Mode().IsRegular()
}

// pythonIn returns the interpreter of a prefix, or "".
func pythonIn(prefix string) string {
	for _, program := range []string{"bin/python3", "bin/python", "Scripts/python.exe"} {
		if path, err := exec.LookPath(filepath.Join(prefix, filepath.FromSlash(program))); err == nil {
			return path
		}
	}
	return ""
}

// kindOf returns the kind of environment of an interpreter.
func kindOf(path string) string {
	path = behindShim(path)
	if isVenv(prefixOf(path)) {
		return KindVenv
	}
	real := realPath(path)
	switch versions := filepath.Join(pyenvRoot(), "versions") + string(filepath.Separator); {
	case isConda(prefixOf(path)), isConda(prefixOf(real)):
		return KindConda
	case strings.HasPrefix(real, versions), strings.HasPrefix(path, versions):
		return KindPyenv
	}
	return KindSystem
}

// identity returns the same path for all paths of one environment. The interpreter of a virtual
// environment is a link to another one's, so its folder is the identity, and for others
// it is the executable.
func identity(path string) string {
	path = behindShim(path)
	if prefix := prefixOf(path); isVenv(prefix) || isConda(prefix) {
		return realPath(prefix)
	}
	real := realPath(path)
	if prefix := prefixOf(real); isConda(prefix) {
		return prefix
	}
	return real
}

// realPath resolves links, or returns the path itself if it cannot.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// prefixOf returns the folder of an environment, from its interpreter in bin or Scripts.
func prefixOf(python string) string { return filepath.Dir(filepath.Dir(python)) }

func isConda(prefix string) bool {
	info, err := os.Stat(filepath.Join(prefix, "conda-meta"))
	return err == nil && info.IsDir()
}

// behindShim returns the interpreter that a shim of pyenv starts unless a
// .python-version file says otherwise. For other programs, or if it is not known, it
// returns the path itself.
func behindShim(path string) string {
	root := pyenvRoot()
	if filepath.Dir(path) != filepath.Join(root, "shims") {
		return path
	}
	chosen := os.Getenv("PYENV_VERSION")
	if chosen == "" {
		chosen = string(readText(filepath.Join(root, "version")))
	}
	for _, version := range strings.FieldsFunc(chosen, func(r rune) bool { return r == ':' || r == '\n' }) {
		if python := pythonIn(filepath.Join(root, "versions", strings.TrimSpace(version))); python != "" {
			return python
		}
	}
	return path
}

// maxEntries limits the entries that are read of a folder, maxFile the bytes of a
// configuration file.
const maxEntries, maxFile = 1000, 1 << 20

// folder returns the names in a folder without hidden ones. A missing folder has none.
func folder(dir string) (names []string) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil // to open a named pipe would be to wait
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ = f.Readdirnames(maxEntries)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
}

// readText reads a configuration file. It returns nil if it cannot.
func readText(name string) []byte {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(data)
}
