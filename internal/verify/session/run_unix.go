//go:build unix

package session

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Run runs one step. The error is about the engine, or ctx's own when it was
// cancelled, which ends the session; what the code did is in the Result.
func (s *Session) Run(ctx context.Context, step Step) (Result, error) {
	if s.ended {
		return Result{}, ErrEnded
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := step.check(); err != nil {
		return Result{}, err
	}
	if err := writeSource(filepath.Join(s.ctl, "src", step.File), step); err != nil {
		return Result{}, err
	}
	stdout, err := s.openStream("stdout")
	if err != nil {
		return Result{}, err
	}
	stderr, err := s.openStream("stderr")
	if err != nil {
		return Result{}, errors.Join(err, stdout.finish())
	}

	start := time.Now()
	nonce := rand.Text()
	// If this fails the interpreter is gone, which await finds out.
	io.WriteString(s.commands, command(nonce, step))
	reply, end, limit := s.await(ctx, nonce, step.Timeout)
	took := time.Since(start)
	if end != answered {
		s.ended = true
		s.proc.sweep(s.pen, s.o.Grace)
	}
	if err := errors.Join(stdout.finish(), stderr.finish()); err != nil {
		return Result{}, err
	}
	if end == cancelled {
		return Result{}, ctx.Err()
	}
	r := s.judge(reply, end, limit)
	if end == answered {
		r.Figures = readFigures(filepath.Join(s.ctl, "figures"), reply.Figures)
	}
	r.Stdout, r.Stderr, r.Duration, r.Ended = s.output(stdout), s.output(stderr), took, s.ended
	if s.o.Interpreter == Bash && r.Exit > 0 && r.FailLine == 0 {
		r.FailLine = lineInMessage(r.Stderr.Text, step.File)
	}
	return r, nil
}

// judge holds what the driver said against how the waiting ended: a shell that
// announced its exit is believed only if no signal came first.
func (s *Session) judge(reply message, end ending, limit string) Result {
	r := Result{Exit: reply.Exit, Exception: reply.Exception, FailLine: reply.Line, Limit: limit}
	switch end {
	case overLimit:
		r.Status, r.Exit = Limited, -1
	case timedOut:
		r.Status, r.Exit = TimedOut, -1
	case gone:
		r.Exit, r.Signal = s.proc.status()
		if reply.Kind != "exit" || r.Signal != "" {
			r.Status = Crashed
		}
	}
	return r
}

// The ways in which waiting for a step ends.
type ending int

const (
	answered ending = iota
	gone
	timedOut
	overLimit
	cancelled
)

// await waits for the report with our nonce, and for the end of a session that
// does not keep its limits. A shell that says that it is about to exit is waited
// for, as its EXIT trap may still write.
func (s *Session) await(ctx context.Context, nonce string, most time.Duration) (reply message, end ending, limit string) {
	var expired <-chan time.Time
	if most > 0 {
		expired = time.After(most)
	}
	for {
		select {
		case m, alive := <-s.results.messages:
			switch {
			case !alive:
				return s.held(reply, gone)
			case m.Nonce != nonce: // late, or forged
			case m.Kind == "exit":
				reply = m
			default:
				return s.held(m, answered)
			}
		case limit := <-s.pen.over:
			return reply, overLimit, limit
		case <-expired:
			return reply, timedOut, ""
		case <-ctx.Done():
			return reply, cancelled, ""
		}
	}
}

// held asks, at the end of a step, whether the session was held to a limit: that
// is why the step ended so.
func (s *Session) held(reply message, end ending) (message, ending, string) {
	if limit := s.pen.enforced(); limit != "" {
		return reply, overLimit, limit
	}
	return reply, end, ""
}

func (s *Session) openStream(name string) (*stream, error) {
	// Only those that some process still holds open are worth remembering.
	s.streams = slices.DeleteFunc(s.streams, (*stream).isDrained)
	st, err := openStream(filepath.Join(s.ctl, name), s.o.Head, s.o.Tail)
	if err == nil {
		s.streams = append(s.streams, st)
	}
	return st, err
}

func (s *Session) output(st *stream) Output {
	return st.kept.output(filepath.Join(s.ctl, "src") + string(filepath.Separator))
}

// lineInMessage finds the line that bash names when it gives up on a block by
// itself (a syntax error, an unset variable): its message is then the last one,
// "content/pt/gpu.md: line 72: ...", the word for line in the user's language.
func lineInMessage(stderr []byte, file string) int {
	stderr = bytes.TrimRight(stderr, "\n")
	last := stderr[bytes.LastIndexByte(stderr, '\n')+1:]
	rest, ok := bytes.CutPrefix(last, []byte(file+": "))
	if !ok {
		return 0
	}
	place, _, _ := bytes.Cut(rest, []byte(": "))
	number := place[bytes.LastIndexByte(place, ' ')+1:]
	line, _ := strconv.Atoi(string(number))
	return line
}
