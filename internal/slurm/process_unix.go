//go:build unix

package slurm

import "syscall"

// apart gives a command a process group of its own: Ctrl-C on the terminal is for
// us, and not for an sbatch that is about to submit.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
