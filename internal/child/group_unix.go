//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives the command its own process group, so that what it starts can
// be killed with it (NVML runs nvidia-modprobe, for one).
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = leader()
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
