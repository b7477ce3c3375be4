package pyenv

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Environments of conda, mamba, micromamba and pixi are found without starting these
// programs, which takes seconds, and without activating a shell: an environment is a
// prefix, and its programs find their own files. The places are those that the programs
// search, in their order:
//
//  1. the active environment,
//  2. the folders of CONDA_ENVS_DIRS or CONDA_ENVS_PATH, then the envs_dirs of
//     .condarc and .mambarc,
//  3. .pixi/envs of the site's folder or the nearest one above it,
//  4. envs/ of each installation: CONDA_EXE, MAMBA_ROOT_PREFIX, CONDA_ROOT, the
//     conda or mamba in PATH, and the usual folders,
//  5. those listed in ~/.conda/environments.txt,
//  6. ~/.pixi/envs, of pixi global.

// A condaEnv is an existing environment.
type condaEnv struct{ name, prefix string }

// resolveConda finds an environment by its name or its prefix.
func resolveConda(name, conda, root string) Python {
	p := Python{Name: name, Kind: KindConda, From: FromConfig}
	e := condaEnv{filepath.Base(conda), conda}
	if !filepath.IsAbs(conda) {
		all := condaEnvs(root)
		at := slices.IndexFunc(all, func(e condaEnv) bool { return e.name == conda })
		if at < 0 {
			p.Missing = missing(report.LacksConda, conda)
			p.Missing.Said = listed(all)
			return p
		}
		e = all[at]
	} else if !isPrefix(conda) {
		p.Missing = missing(report.LacksConda, conda)
		return p
	}
	p.BinDir = filepath.Join(e.prefix, "bin")
	p.Env = []string{"CONDA_PREFIX=" + e.prefix, "CONDA_DEFAULT_ENV=" + e.name}
	path, err := exec.LookPath(filepath.Join(p.BinDir, "python"))
	if err != nil {
		p.Missing = missing(report.LacksCondaPython, conda)
		return p
	}
	p.Path = path
	return p
}

// maxListed limits the environments that a reason names.
const maxListed = 20

// listed returns the names of environments, without their paths, as a report is published.
func listed(all []condaEnv) string {
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if n := len(names) - maxListed; n > 0 {
		names = append(names[:maxListed], "...")
	}
	return strings.Join(names, ", ")
}

// condaEnvs returns the environments of this machine. Of those with the same name the first
// counts. root is the site's folder.
func condaEnvs(root string) []condaEnv {
	home, _ := os.UserHomeDir()
	bases := condaBases(home)
	f := finder{}
	if prefix := os.Getenv("CONDA_PREFIX"); prefix != "" {
		f.add(cmp.Or(os.Getenv("CONDA_DEFAULT_ENV"), filepath.Base(prefix)), prefix)
	}
	for _, dir := range envsDirs(home, bases) {
		f.folder(dir)
	}
	f.folder(pixiEnvs(root))
	for _, base := range bases {
		f.add("base", base)
		f.folder(filepath.Join(base, "envs"))
	}
	f.folder(filepath.Join(home, ".conda", "envs"))
	for prefix := range strings.Lines(string(readText(filepath.Join(home, ".conda", "environments.txt")))) {
		prefix = strings.TrimSpace(prefix)
		if !slices.Contains(bases, prefix) {
			f.add(filepath.Base(prefix), prefix)
		}
	}
	f.folder(filepath.Join(cmp.Or(os.Getenv("PIXI_HOME"), filepath.Join(home, ".pixi")), "envs"))
	return f.found
}

// A finder collects environments.
type finder struct{ found []condaEnv }

func (f *finder) add(name, prefix string) {
	// CONDA_DEFAULT_ENV of an environment without a name is its path.
	if name = filepath.Base(name); filepath.IsAbs(prefix) && isPrefix(prefix) {
		f.found = append(f.found, condaEnv{name, prefix})
	}
}

// folder adds the environments in a folder.
func (f *finder) folder(dir string) {
	for _, name := range folder(dir) {
		f.add(name, filepath.Join(dir, name))
	}
}

// isPrefix recognizes an environment, which may have no Python, by conda's metadata.
// One that was unpacked or linked by hand has at least a Python.
func isPrefix(dir string) bool {
	if isConda(dir) {
		return true
	}
	info, err := os.Stat(filepath.Join(dir, "bin", "python"))
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// condaBases returns the folders where conda, mamba or micromamba are, or may be,
// installed.
func condaBases(home string) []string {
	var bases []string
	if exe := os.Getenv("CONDA_EXE"); exe != "" {
		bases = append(bases, filepath.Dir(filepath.Dir(exe)))
	}
	for _, key := range []string{"MAMBA_ROOT_PREFIX", "CONDA_ROOT"} {
		if dir := os.Getenv(key); dir != "" {
			bases = append(bases, dir)
		}
	}
	for _, name := range []string{"conda", "mamba"} { // in bin or condabin of its installation
		if path, err := exec.LookPath(name); err == nil {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				bases = append(bases, filepath.Dir(filepath.Dir(real)))
			}
		}
	}
	for _, dir := range []string{"miniforge3", "mambaforge", "miniconda3", "anaconda3", "micromamba", ".local/share/mamba"} {
		bases = append(bases, filepath.Join(home, dir))
	}
	for _, dir := range []string{"conda", "miniforge3", "mambaforge", "miniconda3", "anaconda3"} {
		bases = append(bases, filepath.Join("/opt", dir))
	}
	return bases
}

// envsDirs returns the folders of environments that are configured.
func envsDirs(home string, bases []string) []string {
	dirs := filepath.SplitList(os.Getenv("CONDA_ENVS_DIRS"))
	dirs = append(dirs, filepath.SplitList(os.Getenv("CONDA_ENVS_PATH"))...)
	files := []string{os.Getenv("CONDARC"), os.Getenv("MAMBARC")}
	for _, dir := range []string{home, filepath.Join(home, ".conda"), filepath.Join(home, ".config", "conda")} {
		files = append(files, filepath.Join(dir, ".condarc"), filepath.Join(dir, "condarc"), filepath.Join(dir, ".mambarc"))
	}
	for _, base := range append(bases, "/etc/conda", "/var/lib/conda") {
		files = append(files, filepath.Join(base, ".condarc"), filepath.Join(base, "condarc"))
	}
	for _, file := range files {
		dirs = append(dirs, condarc(file, home)...)
	}
	return dirs
}

// condarc reads the envs_dirs of a configuration file, and expands ~ and variables as a
// shell does.
func condarc(file, home string) []string {
	var rc struct {
		EnvsDirs []string `yaml:"envs_dirs"`
		EnvsPath []string `yaml:"envs_path"`
	}
	if yaml.Unmarshal(readText(file), &rc) != nil { // conda itself reports it; here it names no folder
		return nil
	}
	dirs := append(rc.EnvsDirs, rc.EnvsPath...)
	for i, dir := range dirs {
		dir = os.ExpandEnv(dir)
		if rest, ok := strings.CutPrefix(dir, "~"); ok {
			dir = home + rest
		}
		dirs[i] = dir
	}
	return dirs
}

// pixiEnvs returns the folder of environments of the site's pixi project, or "".
func pixiEnvs(root string) string {
	dir, err := filepath.Abs(root)
	for ; err == nil; dir = filepath.Dir(dir) {
		envs := filepath.Join(dir, ".pixi", "envs")
		if info, err := os.Stat(envs); err == nil && info.IsDir() {
			return envs
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}
