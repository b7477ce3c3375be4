//go:build linux || darwin || freebsd || netbsd || openbsd

package slurm

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, unless it is locked already or its file
// system cannot.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
