package child

import "syscall"

// leader makes a process lead a group, and takes it along if we are killed.
func leader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
