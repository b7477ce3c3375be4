//go:build unix

package session

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// A process is the interpreter, leader of its own group.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it is gone and reaped
	swept  bool
}

// launch starts cmd and calls gone when it is reaped. One goroutine keeps its
// thread from start to end: on Linux the parent death signal comes when the
// thread that forked dies, not the process.
func launch(cmd *exec.Cmd, gone func()) (*process, error) {
	cmd.SysProcAttr = groupLeader()
	p := &process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		cmd.Wait() // the state in cmd says more than the error
		close(p.exited)
		gone()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// signal reaches the whole group. Its number stays taken while anyone is in it,
// so soon after the interpreter's end it can hit nobody else.
func (p *process) signal(sig syscall.Signal) error {
	return syscall.Kill(-p.cmd.Process.Pid, sig)
}

// status returns how the process ended; it must be gone.
func (p *process) status() (exit int, signal string) {
	ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return 128 + int(ws.Signal()), ws.Signal().String()
	}
	return ws.ExitStatus(), ""
}

func (p *process) waitFor(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// sweep ends the interpreter and all it left behind, and reports whether the
// interpreter is gone: one that hangs in a device driver cannot be killed.
func (p *process) sweep(mark string, grace time.Duration) bool {
	if p.swept { // by now the group's number may be another's
		return p.waitFor(grace)
	}
	p.swept = true
	deadline := time.Now().Add(grace)
	p.signal(syscall.SIGTERM)
	for p.signal(0) == nil && time.Now().Before(deadline) {
		time.Sleep(2 * time.Millisecond)
	}
	p.signal(syscall.SIGKILL)
	killMarked(mark)
	return p.waitFor(5 * time.Second)
}
