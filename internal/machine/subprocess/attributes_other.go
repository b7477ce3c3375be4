//go:build unix && !linux

package subprocess

import "syscall"

// groupLeader makes a process lead a group.
func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
