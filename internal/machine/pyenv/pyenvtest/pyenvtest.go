// Package pyenvtest makes Python environments for tests.
package pyenvtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// Python returns the path of the interpreter itself, because python3 may be a shim that needs its
// own home. Start-up files are not run.
func Python(t testing.TB) string {
	t.Helper()
	programtest.Need(t, "python3")
	out, err := exec.Command("python3", "-I", "-S", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Unwrap puts the folder of Python itself first in PATH if python3 is a script, as pyenv's is,
// which takes several times as long to start as Python does, and removes pyenv's folder. It is for a TestMain.
func Unwrap() {
	path, err := exec.LookPath("python3")
	if err != nil {
		return
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "#!") {
		return
	}
	out, err := exec.Command(path, "-I", "-S", "-c", "import os, sys; print(os.path.dirname(sys.executable))").Output()
	if err == nil {
		folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool { return filepath.Base(dir) == "shims" })
		_ = os.Setenv("PATH", strings.Join(append([]string{strings.TrimSpace(string(out))}, folders...), string(filepath.ListSeparator)))
	}
}

// Bare returns the interpreter of a new environment without packages. The machine's own Python may
// have any.
func Bare(t testing.TB) string {
	t.Helper()
	python := Python(t)
	const where = "import os, sys; print(os.path.dirname(getattr(sys, '_base_executable', sys.executable)))"
	out, err := exec.Command(python, "-I", "-S", "-c", where).Output()
	if err != nil {
		t.Fatal(err)
	}
	prefix := Prefix(t, python, t.TempDir())
	Write(t, filepath.Join(prefix, "pyvenv.cfg"), "home = "+strings.TrimSpace(string(out))+"\ninclude-system-site-packages = false\n")
	return filepath.Join(prefix, "bin", "python")
}

// Nothing hides the environments of this machine for a test, and returns an empty home.
func Nothing(t *testing.T) (home string) {
	for _, key := range []string{"CONDA_EXE", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_ROOT", "CONDA_ENVS_DIRS", "CONDA_ENVS_PATH",
		"CONDARC", "MAMBARC", "MAMBA_ROOT_PREFIX", "PIXI_HOME", "VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION"} {
		t.Setenv(key, "")
	}
	home = t.TempDir()
	t.Setenv("HOME", home)
	return home
}

// Prefix creates an environment: a link to an existing Python.
func Prefix(t testing.TB, python string, parts ...string) (prefix string) {
	t.Helper()
	prefix = filepath.Join(parts...)
	bin := filepath.Join(prefix, "bin")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.Symlink(python, filepath.Join(bin, "python"))); err != nil {
		t.Fatal(err)
	}
	return prefix
}

// Write writes a file and creates its folder.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}
