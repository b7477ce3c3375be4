package verify

import (
	"os/exec"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An interpreter is the program that runs a session.
type interpreter struct {
	kind, path string
	// python is the Python of the session's environment. Bash sessions have one too, as
	// their blocks call it and the tools installed in it.
	python pyenv.Python
	// missing names the program that was not found.
	missing string
}

// find looks up the interpreter of a session in its environment, or in PATH if it has
// none.
func find(s *site.Session, o Options) interpreter {
	if s.Interpreter == report.KindSbatch {
		if !slurm.Installed() {
			return interpreter{missing: slurm.Program}
		}
		return interpreter{}
	}
	e := o.Env[s.Env]
	python := pyenv.Resolve(s.Env, pyenv.Spec{Python: e.Python, Conda: e.Conda}, o.Root)
	switch {
	case s.Interpreter == "python":
		return interpreter{kind: session.Python, path: python.Path, python: python, missing: python.Missing}
	case s.Env != "" && python.BinDir == "":
		return interpreter{missing: python.Missing}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return interpreter{missing: "bash"}
	}
	return interpreter{kind: session.Bash, path: bash, python: python}
}
