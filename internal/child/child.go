// Package child runs a program that may crash, hang or never stop talking, such
// as one that loads the driver's libraries, and never fails, hangs or crashes
// with it.
//
// The program has a time limit and a process group of its own, which is killed
// whole; of its output and of its last words as much is kept as an honest one
// writes. What stays behind stuck inside the kernel, where no signal reaches it,
// is left there. On Linux it also ends when gpudocs is killed: nobody else would
// end one that hangs.
package child

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// maxOut bounds what is read of standard output; nvidia-smi writes some 30 KB per GPU.
	maxOut = 8 << 20
	// maxWords bounds what is kept of standard error; a crash in Go writes some 10 KB.
	maxWords = 64 << 10
	// grace is how long a killed process may take to go, and its output to close.
	grace = time.Second
)

// ErrTooLong says that a program wrote more than any answer is long.
var ErrTooLong = errors.New("the answer is too long")

// A Command is a program to run.
type Command struct {
	Program string
	Args    []string
	// Env is its environment, and nil an empty one.
	Env []string
	// Dir is where it starts, the folder of gpudocs itself if empty.
	Dir string
	// Stdin is what it reads.
	Stdin []byte
	// Limit is the time that it has from its start to its end, and Silence the
	// time from one line of standard output to the next; 0 is no limit.
	Limit, Silence time.Duration
	// Line, if not nil, is given each line of standard output as it comes, without
	// its end. Calls come one by one, and none after Run has returned.
	Line func([]byte)
}

// An Answer is what a program wrote; Err is nil if it exited with 0 in time.
type Answer struct {
	// Out is standard output, also of a program that came to a bad end.
	Out []byte
	// Words is the end of standard error.
	Words string
	Err   error
}

// Run runs a program to its end, or to the end of its time: then it and what
// it started are killed, and Err is that of a context.
func Run(ctx context.Context, c Command) Answer {
	if c.Limit > 0 {
		limited, cancel := context.WithTimeout(ctx, c.Limit)
		defer cancel()
		ctx = limited
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out, words := &head{line: c.Line}, &Tail{Limit: maxWords}
	if c.Silence > 0 {
		stuck := time.AfterFunc(c.Silence, func() { cancel(context.DeadlineExceeded) })
		defer stuck.Stop()
		out.line = func(line []byte) {
			stuck.Reset(c.Silence)
			if c.Line != nil {
				c.Line(line)
			}
		}
	}
	defer out.close()
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Dir, c.Env, out, words, grace
	if c.Env == nil {
		cmd.Env = []string{}
	}
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	ownGroup(cmd)
	ended, err := start(cmd)
	if err != nil {
		return Answer{Err: err}
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(2 * grace):
			// It is stuck inside the kernel, where no signal reaches it.
			return Answer{out.close(), words.String(), context.Cause(ctx)}
		}
	}
	switch {
	case out.tooLong():
		err = ErrTooLong
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // it ended well, and left a child that holds its output open
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return Answer{out.close(), words.String(), err}
}

// start starts cmd and returns where its end will be told. One goroutine keeps its
// thread from start to end: on Linux the parent death signal comes when the
// thread that forked dies, not the process.
func start(cmd *exec.Cmd) (<-chan error, error) {
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

// head keeps what is written until it is too much, and then fails, so that the
// writer gets a broken pipe instead of running on.
type head struct {
	line func([]byte)

	mu     sync.Mutex // a process that is stuck may write yet
	data   []byte
	told   int // of data, in lines
	cut    bool
	closed bool
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return 0, io.ErrClosedPipe
	}
	if len(h.data)+len(p) > maxOut {
		h.cut = true
		return 0, ErrTooLong
	}
	h.data = append(h.data, p...)
	for h.line != nil {
		line, _, whole := bytes.Cut(h.data[h.told:], []byte("\n"))
		if !whole {
			break
		}
		h.told += len(line) + 1
		h.line(line)
	}
	return len(p), nil
}

// close returns what was written; nothing can be written any more.
func (h *head) close() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	return h.data
}

func (h *head) tooLong() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cut
}

// TimedOut tells whether an error is that of a context: the program was killed.
func TimedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// ForDriver is env for a program that loads the driver's libraries. LD_BIND_NOW
// must go: it has every function of NVML resolved at start, before the library
// is loaded, and that ends the process.
func ForDriver(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		return strings.HasPrefix(e, "LD_BIND_NOW=")
	})
}

// LastWords returns the line of standard error that says why a process died:
// the last, which is what the dynamic linker writes, or the one by which the Go
// runtime names a signal, before it writes pages of stacks and registers.
func LastWords(stderr string) (last string) {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "SIG"):
			return line
		case line != "":
			last = line
		}
	}
	return last
}
