//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// apart gives a server a process group of its own; killAll ends that group.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killAll(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
