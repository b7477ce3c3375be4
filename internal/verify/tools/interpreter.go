package tools

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/container"
	"github.com/gpudocs/gpudocs/internal/machine/environment"
	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An Interpreter is the program that runs a session.
type Interpreter struct {
	// Kind is one of the interpreters of package session.
	Kind, Path string
	// Kernel is the name of a Jupyter kernel, or empty. Path is a Python then.
	Kernel string
	// Missing is why the session cannot run: its environment is not available, or a program was not found. It is nil if
	// nothing is missing.
	Missing *report.Reason
	// Env is the environment of the session, with its Python. Bash sessions have one too, as
	// their blocks call it and the tools installed in it.
	Env environment.Environment
}

// find looks up an interpreter in its environment, or in PATH if it has none.
func find(k Key, s Finder, e environment.Environment) Interpreter {
	switch {
	case e.Unavailable != nil:
		return Interpreter{Missing: e.Unavailable, Env: e}
	case k.Interpreter == report.KindSbatch && !slurm.Installed():
		return Interpreter{Missing: missing("", slurm.Program), Env: e}
	case k.Interpreter == report.KindSbatch:
		return Interpreter{Env: e}
	case k.Interpreter == session.Python:
		return Interpreter{Kind: session.Python, Path: e.Python.Path, Env: e, Missing: e.Python.Missing}
	case k.Interpreter == session.Jupyter:
		return Interpreter{Kind: session.Jupyter, Path: e.Python.Path, Kernel: k.Kernel, Env: e, Missing: e.Python.Missing}
	case SpecOf(k.Env, s.Env[k.Env]).NamesPython() && e.Python.Missing != nil && e.Python.BinDir == "":
		return Interpreter{Missing: e.Python.Missing, Env: e}
	}
	if e.Image != nil {
		if path := e.LookPath("bash"); path != "" {
			return Interpreter{Kind: session.Bash, Path: path, Env: e}
		}
		return Interpreter{Missing: missing(report.LacksInImage, "bash"), Env: e}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return Interpreter{Missing: missing("", "bash"), Env: e}
	}
	return Interpreter{Kind: session.Bash, Path: bash, Env: e}
}

// missing returns the reason for a program that was not found.
func missing(why, program string) *report.Reason {
	return &report.Reason{Code: report.ReasonNoInterpreter, Why: why, Program: program}
}

// PythonVariable is the beginning of the name of an environment variable: GPUDOCS_PYTHON_HPC=/opt/torch/bin/python3
// is the Python of [env.hpc] on this machine, whatever gpudocs.toml says.
const PythonVariable = "GPUDOCS_PYTHON_"

// OnThisMachine returns an environment of a site with the Python that this machine has for it, if
// [PythonVariable] names one.
func OnThisMachine(name string, e site.Environment) site.Environment {
	if python := os.Getenv(PythonVariable + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))); python != "" &&
		name != "" {
		e.Python, e.Conda, e.UV, e.Pixi, e.Container = python, "", "", "", ""
	}
	return e
}

// SpecOf returns an environment of a site as package environment describes it.
func SpecOf(name string, e site.Environment) environment.Spec {
	e = OnThisMachine(name, e)
	s := environment.Spec{Python: e.Python, Conda: e.Conda, Modules: e.Modules, Setup: e.Setup, Vars: e.Vars, Container: e.Container}
	if s.Tool, s.File, s.Lock = e.Locked(); s.Tool != "" {
		s.Conda = "" // the file
	}
	return s
}

// Container returns the container of a session, or nil if it runs on the machine itself. show are
// folders that it may read.
func (i Interpreter) Container(show ...string) *session.Container {
	if i.Env.Image == nil {
		return nil
	}
	return &session.Container{Image: i.Env.Image, Show: show, GPU: container.HasGPU()}
}

// Environ returns the environment variables of snippets. scratch is the folder of their
// temporary files.
func (i Interpreter) Environ(scratch string) []string {
	set := map[string]string{
		"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TMPDIR": scratch,
		"MPLBACKEND": "Agg", // Matplotlib draws without a display
	}
	all := map[string]string{} // of several values the last one counts
	for _, kv := range i.Env.Environ() {
		if k, v, _ := strings.Cut(kv, "="); !strings.HasPrefix(k, "GPUDOCS_") {
			all[k] = v
		}
	}
	maps.Copy(all, set)
	var env []string
	for k, v := range all {
		env = append(env, k+"="+v)
	}
	slices.Sort(env)
	return env
}
