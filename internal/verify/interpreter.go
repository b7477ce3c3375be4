package verify

import (
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
		return i.conda(e.Conda, o.Root)
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
