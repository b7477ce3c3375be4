//go:build unix

package session

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// A process is the interpreter, leader of its own group, or the bubblewrap that
// it runs in.
type process struct {
	pid    int
	exited chan struct{}      // closed when it is gone and reaped
	ended  syscall.WaitStatus // how, once it is
	group  int                // of the interpreter
	inside bool               // a sandbox
	swept  bool
}

// startChild starts cmd as our own child. One goroutine keeps its thread from start to
// end: on Linux the parent death signal comes when the thread that forked dies, not the
// process.
func startChild(cmd *exec.Cmd) (*process, error) {
	closeInherited()
	cmd.SysProcAttr = leader()
	p := &process{exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		_ = cmd.Wait() // the state says more than the error
		p.ended = cmd.ProcessState.Sys().(syscall.WaitStatus)
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	p.pid, p.group = cmd.Process.Pid, cmd.Process.Pid
	return p, nil
}

// closeInherited keeps our children from inheriting what we have inherited ourselves: with
// the descriptor of a folder, a snippet would reach files outside of its sandbox.
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

// signal reaches the whole group. Its number stays taken while anyone is in it,
// so soon after the interpreter's end it can hit nobody else.
func (p *process) signal(sig syscall.Signal) error {
	return syscall.Kill(-p.group, sig)
}

// status returns how the process ended; it must be gone. Bubblewrap turns a
// signal that ended the interpreter into an exit status as a shell does, and
// there is no telling the one from the other.
func (p *process) status() (exit int, signal string) {
	switch ws := p.ended; {
	case ws.Signaled():
		return 128 + int(ws.Signal()), ws.Signal().String()
	case p.inside && ws.ExitStatus() > 128 && ws.ExitStatus() <= 128+64:
		return ws.ExitStatus(), syscall.Signal(ws.ExitStatus() - 128).String()
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

// sweep ends the interpreter and all it left behind, and reports whether the
// interpreter is gone: one that hangs in a device driver cannot be killed. The
// group gets SIGTERM and the grace time; it is spared as soon as nobody in it
// lives, reaped or not.
func (p *process) sweep(pen *pen, grace time.Duration) bool {
	if p.swept { // by now the group's number may be another's
		return p.waitFor(grace)
	}
	p.swept = true
	deadline := time.Now().Add(grace)
	p.signal(syscall.SIGTERM)
	for p.signal(0) == nil && time.Now().Before(deadline) && (!p.waitFor(2*time.Millisecond) || pen.inGroup(p.group)) {
		time.Sleep(2 * time.Millisecond)
	}
	p.signal(syscall.SIGKILL)
	if p.inside && !p.waitFor(0) {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	pen.kill()
	return p.waitFor(5 * time.Second)
}
