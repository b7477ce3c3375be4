//go:build unix && !linux

package child

import "syscall"

// leader makes a process lead a group.
func leader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
