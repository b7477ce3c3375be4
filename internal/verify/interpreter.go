package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/slurm"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An interpreter is what a session runs in.
type interpreter struct {
	family, path string
	// binDir comes first in PATH, env is added to the environment.
	binDir string
	env    []string
	// missing says what was looked for and not found; then nothing else is set.
	missing string
}

// find looks up the interpreter of a session: that of its environment, else
// what PATH has.
func find(s *content.Session, o Options) interpreter {
	if s.Interpreter == report.KindSbatch {
		if !slurm.Installed() {
			return interpreter{missing: slurm.Program}
		}
		return interpreter{}
	}
	i := interpreter{family: session.Bash}
	if s.Interpreter == "python" {
		i.family = session.Python
	}
	python := []string{"python3", "python"}
	if s.Env != "" {
		if missing := i.environment(s.Env, o); missing != "" {
			return interpreter{missing: missing}
		}
		python = []string{i.path}
	}
	wanted := python
	if i.family == session.Bash {
		wanted = []string{"bash"}
	}
	for _, name := range wanted {
		if path, err := exec.LookPath(name); err == nil {
			i.path = path
			return i
		}
	}
	return interpreter{missing: strings.Join(wanted, " or ")}
}

// environment finds the Python of an environment of gpudocs.toml.
func (i *interpreter) environment(name string, o Options) (missing string) {
	e := o.Env[name]
	if e.Conda != "" {
		prefix, ok := condaPrefix(e.Conda)
		if !ok {
			return fmt.Sprintf("conda environment %q", e.Conda)
		}
		i.path, i.binDir = filepath.Join(prefix, "bin", "python"), filepath.Join(prefix, "bin")
		i.env = []string{"CONDA_PREFIX=" + prefix, "CONDA_DEFAULT_ENV=" + filepath.Base(prefix)}
		return ""
	}
	python := e.Python
	if strings.ContainsRune(python, '/') && !filepath.IsAbs(python) {
		root, err := filepath.Abs(o.Root)
		if err != nil {
			return e.Python
		}
		python = filepath.Join(root, python)
	}
	path, err := exec.LookPath(python)
	if err != nil {
		return e.Python
	}
	i.path, i.binDir = path, filepath.Dir(path)
	return ""
}

// condaPrefix finds an environment by its name or prefix without starting
// conda, which takes seconds: conda itself lists the prefixes that it made in
// ~/.conda/environments.txt, and keeps named ones in envs/ of its own folder.
func condaPrefix(name string) (string, bool) {
	if filepath.IsAbs(name) {
		return name, hasPython(name)
	}
	home, _ := os.UserHomeDir()
	if list, err := os.ReadFile(filepath.Join(home, ".conda", "environments.txt")); err == nil {
		for prefix := range strings.Lines(string(list)) {
			prefix = strings.TrimSpace(prefix)
			if filepath.Base(prefix) == name && hasPython(prefix) {
				return prefix, true
			}
		}
	}
	for _, base := range condaBases(home) {
		prefix := filepath.Join(base, "envs", name)
		if name == "base" {
			prefix = base
		}
		if hasPython(prefix) {
			return prefix, true
		}
	}
	return "", false
}

func condaBases(home string) []string {
	var bases []string
	if exe := os.Getenv("CONDA_EXE"); exe != "" {
		bases = append(bases, filepath.Dir(filepath.Dir(exe)))
	}
	for _, root := range []string{os.Getenv("MAMBA_ROOT_PREFIX"), os.Getenv("CONDA_ROOT")} {
		if root != "" {
			bases = append(bases, root)
		}
	}
	for _, dir := range []string{"miniforge3", "mambaforge", "miniconda3", "anaconda3", ".conda", "micromamba"} {
		bases = append(bases, filepath.Join(home, dir))
	}
	return append(bases, "/opt/conda", "/opt/miniforge3", "/opt/miniconda3", "/opt/anaconda3")
}

func hasPython(prefix string) bool {
	info, err := os.Stat(filepath.Join(prefix, "bin", "python"))
	return err == nil && info.Mode()&0o111 != 0
}
