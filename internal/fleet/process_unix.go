//go:build unix

package fleet

import (
	"os"
	"syscall"
)

// apart gives ssh a session of its own: Ctrl-C is for us, and whom a jump host's
// ssh would ask for a password, there is no terminal.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killAll ends ssh and what it started.
func killAll(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
