//go:build !unix

package subprocess

import (
	"os"
	"syscall"
)

// GroupLeader returns nil: there are no process groups.
func GroupLeader() *syscall.SysProcAttr { return nil }

// KillGroup kills the process only.
func KillGroup(p *os.Process) error { return p.Kill() }
