//go:build unix

package subprocess

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// setProcessGroup runs the command in its own process group, so that the processes that
// it starts are killed with it (NVML runs nvidia-modprobe, for example).
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = groupLeader()
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
