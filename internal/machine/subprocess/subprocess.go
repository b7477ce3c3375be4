// Package subprocess runs a program that may crash, hang or write without end, such as
// one that loads the driver's libraries, without failing, hanging or crashing with it.
//
// The program has a time limit and its own process group, which is killed as a whole.
// As much of its output is kept as a correct program writes. A process that hangs
// inside the kernel, where no signal reaches it, is left behind. On Linux the program
// also ends if gpudocs is killed, as nothing else would end one that hangs.
package subprocess

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// maxStdout limits standard output. nvidia-smi writes some 30 KB per GPU.
	maxStdout = 8 << 20
	// maxStderr limits the stored end of standard error. A crash in Go writes some 10 KB.
	maxStderr = 64 << 10
	// grace is how long a killed process may take to end, and its output to close.
	grace = time.Second
)

// ErrTooLong is the error of a program that wrote more than the limit.
var ErrTooLong = errors.New("the answer is too long")

// A Command is a program to run.
type Command struct {
	Program string
	Args    []string
	// Env is its environment. If nil, it is empty.
	Env []string
	// Dir is its working folder. If empty, it is that of gpudocs.
	Dir string
	// Stdin is its standard input.
	Stdin []byte
	// Limit limits its run time, and Silence the time from one line of standard output
	// to the next. 0 means no limit.
	Limit, Silence time.Duration
	// Alone kills the processes of its group that have its output open when it has ended.
	Alone bool
	// Line, if not nil, is called with each line of standard output as it arrives,
	// without its end. Calls are made one at a time, and none after Run has returned.
	Line func([]byte)
}

// A Result is the output of a program. Err is nil if it exited with 0 in time.
type Result struct {
	// Stdout is standard output, even if the program failed.
	Stdout []byte
	// Stderr is the end of standard error.
	Stderr string
	Err    error
}

// Run runs a program until it ends or its time is over. Then it and the processes that
// it started are killed, and Err is that of a context.
func Run(ctx context.Context, c Command) Result {
	if c.Limit > 0 {
		limited, cancel := context.WithTimeout(ctx, c.Limit)
		defer cancel()
		ctx = limited
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stdout, stderr := &head{line: c.Line}, &Tail{Limit: maxStderr}
	if c.Silence > 0 {
		stuck := time.AfterFunc(c.Silence, func() { cancel(context.DeadlineExceeded) })
		defer stuck.Stop()
		stdout.line = func(line []byte) {
			stuck.Reset(c.Silence)
			if c.Line != nil {
				c.Line(line)
			}
		}
	}
	defer stdout.close()
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Dir, c.Env, stdout, stderr, grace
	if c.Env == nil {
		cmd.Env = []string{}
	}
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	// The processes that it starts are killed with it: NVML runs nvidia-modprobe, for
	// example.
	cmd.SysProcAttr = GroupLeader()
	cmd.Cancel = func() error { return KillGroup(cmd.Process) }
	ended, err := Start(cmd)
	if err != nil {
		return Result{Err: err}
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(2 * grace):
			// It hangs inside the kernel, where no signal reaches it.
			return Result{stdout.close(), stderr.String(), context.Cause(ctx)}
		}
	}
	switch {
	case stdout.tooLong():
		err = ErrTooLong
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // it succeeded, and a process that it left behind keeps its output open
		if c.Alone {
			_ = KillGroup(cmd.Process) // which exists as long as one of its processes does
		}
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return Result{stdout.close(), stderr.String(), err}
}

// Start starts cmd and returns a channel that receives the result of Wait. One
// goroutine keeps its thread from start to end: on Linux the parent death signal is
// sent when the thread that forked dies, not the process.
func Start(cmd *exec.Cmd) (<-chan error, error) {
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return ended, <-started
}

// A head stores what is written up to a limit. Then writing fails, so that the program gets a broken
// pipe instead of running on.
type head struct {
	line func([]byte)

	mu       sync.Mutex // a process that hangs may still write
	data     []byte
	linesEnd int // the end of the last complete line in data
	cut      bool
	closed   bool
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return 0, io.ErrClosedPipe
	}
	if len(h.data)+len(p) > maxStdout {
		h.cut = true
		return 0, ErrTooLong
	}
	h.data = append(h.data, p...)
	for h.line != nil {
		line, _, whole := bytes.Cut(h.data[h.linesEnd:], []byte("\n"))
		if !whole {
			break
		}
		h.linesEnd += len(line) + 1
		h.line(line)
	}
	return len(p), nil
}

// close returns what was written. Later writes fail.
func (h *head) close() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	return h.data
}

// tooLong reports whether the limit was exceeded.
func (h *head) tooLong() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cut
}

// TimedOut reports whether an error is that of a context: the program was killed.
func TimedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// ForDriver returns an environment for a program that loads the driver's libraries: env without
// LD_BIND_NOW, which would resolve every function of NVML at the start, before the library is
// loaded, and so end the process.
func ForDriver(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		return strings.HasPrefix(e, "LD_BIND_NOW=")
	})
}

// Failure returns why a program failed that ended by itself: its exit code or signal,
// and the line of standard error that explains it, without the program's folder.
func (r Result) Failure(program string) string {
	failure := r.Err.Error()
	if line := FailureLine(r.Stderr); line != "" {
		failure += ": " + line
	}
	if dir := filepath.Dir(program); dir != "." {
		failure = strings.ReplaceAll(failure, dir+string(filepath.Separator), "")
	}
	return failure
}

// FailureLine returns the line of standard error that explains why a process died: the
// last one, which is what the dynamic linker writes, or the one in which the Go runtime
// names a signal, before it writes stacks and registers.
func FailureLine(stderr string) (failure string) {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "SIG"):
			return line
		case line != "":
			failure = line
		}
	}
	return failure
}
