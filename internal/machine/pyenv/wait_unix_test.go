//go:build unix

package pyenv

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// TestAskNothingWaits: files that would block a reader for ever are not opened.
func TestAskNothingWaits(t *testing.T) {
	dir := site(t, map[string]string{"torch/__init__.py": "", "x-1.dist-info/RECORD": "", "jax/__init__.py": "", "mxnet/__init__.py": "1/0\n"})
	for _, name := range []string{"torch/version.py", "x-1.dist-info/METADATA", "jaxlib-2.dist-info", "torch-1.egg-info"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"jax/version.py": "version.py", "y-1.dist-info": "y-1.dist-info", "mxnet/libinfo.py": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	a := askFor(t, "x", "y")
	if want := []report.Framework{{Name: "torch"}, {Name: "jax"}, {Name: "mxnet"}}; !slices.Equal(a.Frameworks, want) {
		t.Errorf("%+v", a)
	}
	if time.Since(began) > askLimit {
		t.Error("the query waits")
	}
}

// TestFindNothingWaits: the same for the search of environments.
func TestFindNothingWaits(t *testing.T) {
	home, root := pyenvtest.Nothing(t), t.TempDir()
	t.Setenv("PATH", t.TempDir())
	pyenvtest.Write(t, filepath.Join(home, ".pyenv/shims/python3"), "")
	t.Setenv("PATH", filepath.Join(home, ".pyenv/shims"))
	for _, name := range []string{".condarc", ".conda/environments.txt", "miniforge3/envs", ".pyenv/version", ".pyenv/versions", "site/.venv", "site/venv/pyvenv.cfg", "site/venv/bin/python"} {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(home, ".pyenv/shims/python3"), 0o755); err != nil {
		t.Fatal(err)
	}
	const patience = time.Minute // a busy machine takes seconds
	began := time.Now()
	find(patience, filepath.Join(home, "site"), map[string]Spec{"e": {Conda: "e"}, "f": {Python: root}})
	if time.Since(began) > patience {
		t.Error("the search waits")
	}
}
