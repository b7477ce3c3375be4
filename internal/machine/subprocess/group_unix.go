//go:build unix

package subprocess

import (
	"errors"
	"os"
	"syscall"
)

// KillGroup kills the process group that a process leads.
func KillGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
