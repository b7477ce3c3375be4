//go:build unix && !linux

package session

import "syscall"

func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// killMarked does nothing: another process's environment is not to be had here
// without cgo, so a child that left the group survives.
func killMarked(string) {}
