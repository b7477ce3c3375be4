package subprocess

import "syscall"

// groupLeader makes a process lead a group, and takes it along if we are killed.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
