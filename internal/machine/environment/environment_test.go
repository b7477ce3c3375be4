package environment

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// lmod makes modules for Lmod, and returns their folder.
func lmod(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("/usr/share/lmod/lmod/init/bash"); err != nil {
		t.Skip("lmod is not installed")
	}
	for _, name := range []string{"MODULEPATH", "LOADEDMODULES", "_LMFILES_", "LMOD_CMD", "MODULESHOME", "BASH_ENV"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gcc/12.2.0.lua": `prepend_path("PATH", "/opt/gcc12/bin") setenv("CC", "gcc-12") io.stdout:write("echo printed by a module\n")`,
		"cuda/12.4.lua":  `depends_on("gcc/12.2.0") setenv("CUDA_HOME", "/opt/a b")`,
		"bare.lua":       `setenv("BARE", "1")`,
		"broken/1.lua":   `LmodError("the licence server is down")`,
	} {
		pyenvtest.Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestModules(t *testing.T) {
	dir := lmod(t)
	e := Resolve(t.Context(), "hpc", Spec{
		Modules: []string{"cuda/12.4", "gcc", "bare"}, Setup: "export SAW=$CC:$OMP LINES2=$'a\\nb='; cd /; echo noise; OMP=changed",
		Vars: map[string]string{"MODULEPATH": dir, "OMP": "a 'b'\n$HOME"},
	}, t.TempDir())
	if e.Unavailable != nil {
		t.Fatal(e.Unavailable)
	}
	if want := []string{"cuda/12.4", "gcc/12.2.0", "bare"}; !slices.Equal(e.Modules, want) {
		t.Errorf("modules %q, want %q", e.Modules, want)
	}
	if d := cmp.Diff([]report.Package{{Name: "cuda", Version: "12.4"}, {Name: "gcc", Version: "12.2.0"}, {Name: "bare", Version: "loaded"}}, e.Versions()); d != "" {
		t.Error(d)
	}
	env := e.Environ()
	if path := pyenv.Variable(env, "PATH"); !strings.HasPrefix(path, "/opt/gcc12/bin:") { // Lmod removes duplicates
		t.Errorf("PATH is %q", path)
	}
	for name, want := range map[string]string{
		"CC": "gcc-12", "CUDA_HOME": "/opt/a b", "LINES2": "a\nb=", "OMP": "a 'b'\n$HOME", "SAW": "gcc-12:a 'b'\n$HOME", "PWD": os.Getenv("PWD"),
	} {
		if got := pyenv.Variable(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestUnavailable checks that whatever modules and setup do, the environment has a result in
// bounded time, and one that says why it cannot be used.
func TestUnavailable(t *testing.T) {
	dir := lmod(t)
	for _, c := range []struct {
		name string
		spec Spec
		want string // of Unavailable, or empty
	}{
		{"a module that does not exist", Spec{Modules: []string{"gcc/12.2.0", "nope/1"}}, `no-environment: module-failed: nope/1: Lmod has detected the following error: The following module(s) are unknown:`},
		{"a module that fails", Spec{Modules: []string{"broken/1"}}, "no-environment: module-failed: broken/1: Lmod has detected the following error: the licence server is down"},
		{"a setup that fails", Spec{Setup: "echo no licence >&2; false"}, "no-environment: setup-failed: 1: no licence"},
		{"a missing file", Spec{Setup: "source ./no.sh"}, "no-environment: setup-failed: 1: bash: line 4: ./no.sh: No such file or directory"},
		{"set -e", Spec{Setup: "set -e\necho stop here\nfalse\ntrue"}, "no-environment: setup-ended: stop here"},
		{"exit", Spec{Setup: "exit 0"}, "no-environment: setup-ended"},
		{"exec", Spec{Setup: "exec true"}, "no-environment: setup-ended"},
		{"a syntax error", Spec{Setup: "if"}, "no-environment: setup-failed: 2: "},
		{"it hangs", Spec{Setup: "sleep 600"}, "no-environment: slow: time: 2"},
		{"it reads", Spec{Setup: "read x || true"}, ""},
		{"100 MB of output", Spec{Setup: "head -c 100000000 /dev/zero | tr '\\0' x"}, ""},
		{"100 MB into our channel", Spec{Setup: "head -c 100000000 /dev/zero >&62"}, "no-environment: too-much"},
		{"100 MB of variables", Spec{Setup: "set +e; for i in {1..300}; do export v$i=$(head -c 100000 /dev/zero | tr '\\0' x); done"}, "no-environment: setup-ended: "},
		{"a daemon", Spec{Setup: "sleep 5 & disown"}, ""},
		{"no PATH", Spec{Setup: "PATH="}, ""},
		{"functions with our names", Spec{Setup: "env() { exit 3; }; printf() { exit 3; }; exit_() { :; }; export -f env printf"}, ""},
		{"it closes everything", Spec{Setup: "exec 0<&- 1>&- 2>&-"}, ""},
		{"it closes our channel", Spec{Setup: "exec 62>&-"}, "no-environment: setup-ended: "},
		{"unset variables", Spec{Setup: "set -u; set -o noclobber; set -f; set --; IFS=x"}, ""},
		{"a trap", Spec{Setup: "trap 'echo bye >&62; exit 4' EXIT"}, "no-environment: setup-ended"},
		{"an invalid text", Spec{Setup: "printf '\\377\\033[31mred error\\n' >&2; false"}, "no-environment: setup-failed: 1: \x1b[31mred error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			loadLimit = 90 * time.Second
			if c.name == "it hangs" {
				loadLimit = 2 * time.Second
			}
			if c.spec.Vars = map[string]string{"MODULEPATH": dir}; c.spec.Modules == nil {
				c.spec.Vars = nil
			}
			e := Resolve(t.Context(), "x", c.spec, t.TempDir())
			if got := e.Unavailable.Error(); got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestLongReason checks that a reason is not cut within a path, of which the rest would not be redacted.
func TestLongReason(t *testing.T) {
	got := Resolve(t.Context(), "x", Spec{Setup: "printf '%0295d /home/someone\\n' 0; false"}, t.TempDir()).Unavailable.Error()
	if want := "no-environment: setup-failed: 1: " + strings.Repeat("0", 295) + " ..."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestBackground checks that what setup leaves in the background is ended.
func TestBackground(t *testing.T) {
	dir := t.TempDir()
	if e := Resolve(t.Context(), "x", Spec{Setup: "sleep 300 & echo $! >pid; disown"}, dir); e.Unavailable != nil {
		t.Fatal(e.Unavailable)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("it is still there")
}

// TestNoModuleSystem checks the reason if a machine has none.
func TestNoModuleSystem(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("LMOD_PKG", dir)
	got := Resolve(t.Context(), "x", Spec{Modules: []string{"gcc"}, Vars: map[string]string{"MODULEPATH": dir}}, dir).Unavailable.Error()
	if _, err := os.Stat("/usr/share/lmod"); err == nil {
		if !strings.HasPrefix(got, "no-environment: module-failed: gcc") {
			t.Errorf("got %q", got)
		}
	} else if got != "no-environment: no-module-system" {
		t.Errorf("got %q", got)
	}
}

// TestPythonAfterSetup checks which Python and PATH an environment has.
func TestPythonAfterSetup(t *testing.T) {
	python := pyenvtest.Bare(t)
	bin := filepath.Dir(python)
	e := Resolve(t.Context(), "x", Spec{Setup: "PATH=/opt/first:" + bin}, t.TempDir())
	if e.Python.Path != python || pyenv.Variable(e.Environ(), "PATH") != "/opt/first:"+bin {
		t.Errorf("%+v", e.Python)
	}
	// An interpreter that PATH leads to anyway does not hide what comes before it.
	if e := Resolve(t.Context(), "x", Spec{Python: python, Setup: "PATH=/opt/first:" + bin}, t.TempDir()); e.Python.Path != python || e.Python.BinDir != "" {
		t.Errorf("%+v", e.Python)
	}
	if e := Resolve(t.Context(), "x", Spec{Python: "python", Setup: "PATH=/opt/first:" + bin}, t.TempDir()); e.Python.Path != python {
		t.Errorf("%+v", e.Python)
	}
	if e := Resolve(t.Context(), "x", Spec{Python: python, Vars: map[string]string{"A": "1"}}, t.TempDir()); e.Python.BinDir != bin || pyenv.Variable(e.Environ(), "A") != "1" {
		t.Errorf("%+v", e.Python)
	}
	if a := pyenv.Ask(t.Context(), Resolve(t.Context(), "x", Spec{Setup: "export PATH PYTHONPATH=" + bin, Python: python}, t.TempDir()).Python, nil); a.Err != nil {
		t.Error(a.Err)
	}
	if e := Resolve(t.Context(), "x", Spec{Setup: "PATH=/nowhere"}, t.TempDir()); e.Unavailable != nil || e.Python.Missing.Error() != "no-interpreter: python3" {
		t.Errorf("%+v", e)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if e := Resolve(cancelled, "x", Spec{Setup: "true"}, t.TempDir()); e.Unavailable == nil {
		t.Error("a cancelled setup has left an environment")
	}
}

// FuzzVariables checks that no output of the shell gives variables that a process cannot have.
func FuzzVariables(f *testing.F) {
	f.Add([]byte("system\x00setup\x00A=1\x00B=a=b\x00M=end\x00"))
	f.Add([]byte("A=1\x00=x\x00\x00M=end"))
	f.Add([]byte("M=end"))
	f.Fuzz(func(t *testing.T, out []byte) {
		marks, variables := parseVariables(out, "M")
		for _, kv := range variables {
			if name, _, is := strings.Cut(kv, "="); !is || name == "" || strings.Contains(kv, "\x00") {
				t.Errorf("variable %q", kv)
			}
		}
		for _, m := range loaded(variables) {
			if strings.HasPrefix(m, "/") {
				t.Errorf("module %q", m)
			}
		}
		_ = marks
	})
}
