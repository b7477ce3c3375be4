//go:build unix

package pyenv

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestAskNothingWaits: what would make a reader wait for ever is not opened.
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
	if time.Since(began) > askLimit/2 {
		t.Error("it waited")
	}
}
