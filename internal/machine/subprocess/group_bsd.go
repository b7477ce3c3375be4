//go:build unix && !linux

package subprocess

import "syscall"

// GroupLeader makes a process lead a process group.
func GroupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
