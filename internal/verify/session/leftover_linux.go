package session

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killMarked kills every process with mark, "K=V", in its environment: those
// that left the group with setsid. One may fork while we look, so it looks
// again until none is found, up to a limit for one that never stops.
func killMarked(mark string) {
	for range 50 {
		if !killMarkedOnce([]byte(mark)) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func killMarkedOnce(mark []byte) (found bool) {
	proc, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, entry := range proc {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		// Opened before the look: where the kernel has pidfds this process
		// stays the same one even if its number is used again.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		env, err := os.ReadFile("/proc/" + entry.Name() + "/environ")
		if err == nil && bytes.Contains(env, mark) {
			found = true
			p.Kill()
		}
		p.Release()
	}
	return found
}
