//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the maximum resident set of a process that has ended, in bytes.
func peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	n := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" { // which count bytes
		n *= 1024
	}
	return n
}
