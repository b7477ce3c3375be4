//go:build unix

package session

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// A process is the interpreter, which leads a process group, or its bubblewrap.
type process struct {
	pid       int
	exited    chan struct{}      // closed once it is reaped
	ended     syscall.WaitStatus // valid once exited is closed
	group     int                // process group of the interpreter
	sandboxed bool               // in a sandbox
	swept     bool
}

// startDirectly starts cmd as a child of this process.
func startDirectly(cmd *exec.Cmd) (*process, error) {
	closeInherited()
	cmd.SysProcAttr = subprocess.GroupLeader()
	ended, err := subprocess.Start(cmd)
	if err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid, group: cmd.Process.Pid, exited: make(chan struct{})}
	go func() {
		<-ended // the state has more details than the error
		p.ended = cmd.ProcessState.Sys().(syscall.WaitStatus)
		close(p.exited)
	}()
	return p, nil
}

// closeInherited keeps children from inheriting the descriptors that gpudocs has
// inherited: with the descriptor of a folder, a snippet would reach files outside of
// its sandbox.
func closeInherited() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// signal signals the whole process group. Its ID is not reused while any process is in
// it, so soon after the end of the interpreter it cannot hit another group.
func (p *process) signal(sig syscall.Signal) error {
	return syscall.Kill(-p.group, sig)
}

// status returns how the process ended, once it is gone. Bubblewrap turns a signal that
// ended the interpreter into an exit status, as shells do; the two cannot be
// distinguished.
func (p *process) status() (exit int, signal string) {
	switch ws := p.ended; {
	case ws.Signaled():
		return 128 + int(ws.Signal()), report.SignalName(ws.Signal().String())
	case p.sandboxed && ws.ExitStatus() > 128 && ws.ExitStatus() <= 128+64:
		return ws.ExitStatus(), report.SignalName(syscall.Signal(ws.ExitStatus() - 128).String())
	default:
		return ws.ExitStatus(), ""
	}
}

func (p *process) waitFor(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// sweep ends the interpreter and all that it left behind, and reports whether the
// interpreter is gone: one that hangs in a device driver cannot be killed. The group
// gets SIGTERM and the grace time, which ends early if no process of the group is left.
func (p *process) sweep(session *sessionProcesses, grace time.Duration) bool {
	if p.swept { // the ID of the group may have been reused
		return p.waitFor(grace)
	}
	p.swept = true
	deadline := time.Now().Add(grace)
	if session.container != nil {
		return p.sweepContainer(session, deadline)
	}
	p.signal(syscall.SIGTERM)
	for p.signal(0) == nil && time.Now().Before(deadline) && (!p.waitFor(2*time.Millisecond) || session.hasProcessIn(p.group)) {
		time.Sleep(2 * time.Millisecond)
	}
	p.signal(syscall.SIGKILL)
	if p.sandboxed && !p.waitFor(0) {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	session.kill()
	return p.waitFor(5 * time.Second)
}
