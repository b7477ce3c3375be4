package gpu

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"
)

const (
	// maxAnswer bounds what is read of an answer; nvidia-smi writes some 30 KB per GPU.
	maxAnswer = 8 << 20
	// maxWords bounds what is kept of standard error; a crash in Go writes some 10 KB.
	maxWords = 64 << 10
	// grace is how long a killed process may take to go, and its output to close.
	grace = time.Second
)

var errTooLong = errors.New("the answer is too long")

// An answer is what a program wrote; err is nil if it exited with 0 in time.
type answer struct {
	out []byte
	// words is the end of standard error.
	words string
	err   error
}

// run runs a program to its end, or to the end of its time: then it and what
// it started are killed, and err is that of a context.
func run(ctx context.Context, limit time.Duration, env []string, program string, args ...string) answer {
	return start(ctx, limit, func(*time.Timer) func() { return func() {} }, env, program, args...)
}

// runOn is run for a program that answers in lines: its time begins anew with each.
func runOn(ctx context.Context, limit time.Duration, env []string, program string, args ...string) answer {
	return start(ctx, limit, func(t *time.Timer) func() { return func() { t.Reset(limit) } }, env, program, args...)
}

func start(ctx context.Context, limit time.Duration, each func(*time.Timer) func(), env []string, program string, args ...string) answer {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	defer timer.Stop()
	out, words := &head{line: each(timer)}, &tail{}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = env, out, words, grace
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return answer{err: err}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(2 * grace):
			// It is stuck inside the kernel, where no signal reaches it.
			return answer{out.written(), "", context.Cause(ctx)}
		}
	}
	switch {
	case out.cut:
		err = errTooLong
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // it ended well, and left a child that holds its output open
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return answer{out.written(), string(words.data), err}
}

// head keeps what is written until it is too much, and then fails, so that the
// writer gets a broken pipe instead of running on. It calls line where a line ends.
type head struct {
	mu   sync.Mutex // for a program that is left behind may still write
	data []byte
	cut  bool
	line func()
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.data)+len(p) > maxAnswer {
		h.cut = true
		return 0, errTooLong
	}
	h.data = append(h.data, p...)
	if bytes.IndexByte(p, '\n') >= 0 {
		h.line()
	}
	return len(p), nil
}

func (h *head) written() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Clone(h.data)
}

// tail keeps the end of what is written.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if excess := len(t.data) - maxWords; excess > 0 {
		t.data = append(t.data[:0], t.data[excess:]...)
	}
	return len(p), nil
}
