// Package sandboxtest reports whether tests may use bubblewrap.
package sandboxtest

import (
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Usable returns nil if bubblewrap works on this machine, else why not: it may be installed
// and yet be refused namespaces, as in containers and by the AppArmor of Ubuntu 24.04. It
// asks bubblewrap itself, so that a fault of gpudocs is not taken for one of the machine.
var Usable = sync.OnceValue(func() error {
	out, err := exec.Command("bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-net",
		"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "true").CombinedOutput()
	if message := strings.TrimSpace(string(out)); err != nil && message != "" {
		return errors.New(message)
	}
	return err
})

// Need skips a test if bubblewrap does not work on this machine. Otherwise it gives the test
// a TMPDIR that a sandbox can hide, which the home folder, for example, is not.
func Need(t testing.TB) {
	t.Helper()
	if err := Usable(); err != nil {
		t.Skipf("bubblewrap cannot be used on this machine: %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir())
}
