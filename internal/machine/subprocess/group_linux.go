package subprocess

import "syscall"

// GroupLeader makes a process lead a process group, and kills it if gpudocs dies. It
// gets no terminal session of its own: Linux schedules such sessions against each
// other, and on a busy machine each exchange with the process would take milliseconds.
func GroupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
