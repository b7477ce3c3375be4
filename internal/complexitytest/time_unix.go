//go:build unix

package complexitytest

import (
	"syscall"
	"time"
)

// spent is the time that CPUs have spent on this process: one that waits while
// others run spends none.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // which has no cause but a wrong argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
