package tools

import (
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An Interpreter is the program that runs a session.
type Interpreter struct {
	// Kind is one of the interpreters of package session.
	Kind, Path string
	// Missing names the program that was not found.
	Missing string
	// python is the Python of the session's environment. Bash sessions have one too, as
	// their blocks call it and the tools installed in it.
	python pyenv.Python
}

// find looks up an interpreter in its environment, or in PATH if it has none.
func find(k Key, s Site) Interpreter {
	if k.Interpreter == report.KindSbatch {
		if !slurm.Installed() {
			return Interpreter{Missing: slurm.Program}
		}
		return Interpreter{}
	}
	e := s.Env[k.Env]
	python := pyenv.Resolve(k.Env, pyenv.Spec{Python: e.Python, Conda: e.Conda}, s.Root)
	switch {
	case k.Interpreter == session.Python:
		return Interpreter{Kind: session.Python, Path: python.Path, python: python, Missing: python.Missing}
	case k.Env != "" && python.BinDir == "":
		return Interpreter{Missing: python.Missing}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return Interpreter{Missing: "bash"}
	}
	return Interpreter{Kind: session.Bash, Path: bash, python: python}
}

// Environ returns the environment variables of snippets. scratch is the folder of their
// temporary files.
func (i Interpreter) Environ(scratch string) []string {
	set := map[string]string{
		"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TMPDIR": scratch,
		"MPLBACKEND": "Agg", // Matplotlib draws without a display
	}
	for _, kv := range i.python.Env {
		k, v, _ := strings.Cut(kv, "=")
		set[k] = v
	}
	if i.python.BinDir != "" {
		set["PATH"] = i.python.BinDir + string(os.PathListSeparator) + os.Getenv("PATH")
	}
	var env []string
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		if _, ours := set[k]; !ours && !strings.HasPrefix(k, "GPUDOCS_") {
			env = append(env, kv)
		}
	}
	for k, v := range set {
		env = append(env, k+"="+v)
	}
	slices.Sort(env)
	return env
}
