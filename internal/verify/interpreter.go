package verify

import (
	"os/exec"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/pyenv"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/slurm"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An interpreter is what a session runs in.
type interpreter struct {
	family, path string
	// python is that of the session's environment. Bash blocks have one too: they
	// call it and what is installed in it.
	python pyenv.Python
	// missing says what was looked for and not found.
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
	e := o.Env[s.Env]
	python := pyenv.Resolve(s.Env, pyenv.Spec{Python: e.Python, Conda: e.Conda}, o.Root)
	switch {
	case s.Interpreter == "python":
		return interpreter{family: session.Python, path: python.Path, python: python, missing: python.Missing}
	case s.Env != "" && python.BinDir == "":
		return interpreter{missing: python.Missing}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return interpreter{missing: "bash"}
	}
	return interpreter{family: session.Bash, path: bash, python: python}
}
