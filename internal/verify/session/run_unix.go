//go:build unix

package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	if err := s.writeSource(step); err != nil {
		return Result{}, err
	}
	stdout, err := s.openStream("stdout")
	if err != nil {
		return Result{}, err
	}
	stderr, err := s.openStream("stderr")
	if err != nil {
		stdout.finish()
		return Result{}, err
	}
	a := s.await(ctx, step)
	if a.end != answered {
		s.ended = true
		s.proc.sweep(s.pen, s.o.Grace)
	}
	stdout.finish()
	stderr.finish()
	if a.end == cancelled {
		return Result{}, ctx.Err()
	}
	if a.err != nil {
		return Result{}, a.err
	}
	r := s.judge(a)
	r.Stdout, r.Stderr, r.Ended = s.output(stdout), s.output(stderr), s.ended
	if s.o.Interpreter == Bash && r.Exit > 0 && r.FailLine == 0 {
		r.FailLine = lineInMessage(r.Stderr.Text, step.File)
	}
	return r, nil
}

// writeSource puts the code where the driver finds it, with blank lines before it: then
// every line number that the interpreter names is one of the file. The file is a new one
// each time, so that nothing is written through what a snippet has put in its place.
func (s *Session) writeSource(step Step) error {
	if err := s.sources.MkdirAll(filepath.Dir(step.File), 0o700); err != nil {
		return err
	}
	if err := s.sources.Remove(step.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := s.sources.OpenFile(step.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	code := strings.Repeat("\n", max(0, step.Line-1)) + strings.ReplaceAll(step.Code, "\r\n", "\n")
	s.lines[step.File] = max(s.lines[step.File], strings.Count(code, "\n")+1)
	_, err = io.WriteString(f, code)
	return errors.Join(err, f.Close())
}

// judge makes a result of the driver's record and of how the waiting ended: a shell that
// announced its exit is believed only if no signal came first.
func (s *Session) judge(a answer) Result {
	r := Result{Exit: a.Exit, Exception: a.Exception, FailLine: a.Line, Limit: a.limit, Duration: a.took}
	switch a.end {
	case overLimit:
		r.Status, r.Exit = Limited, -1
	case timedOut:
		r.Status, r.Exit = TimedOut, -1
	case gone:
		r.Exit, r.Signal = s.proc.status()
		if a.Kind != kindExit || r.Signal != "" {
			r.Status = Crashed
		}
	case answered:
		r.Figures = a.figures
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

// An answer is what came of a step: the driver's record, if there is one, and how the
// waiting for it ended.
type answer struct {
	record
	figures [][]byte
	took    time.Duration
	end     ending
	limit   string // for overLimit
	err     error  // a record that does not hold
}

// await sends a step to the driver and waits until it has ended and the driver is ready
// for the next one, until the interpreter is gone, or until the session is over its
// limits. Nothing else ends the waiting: a record alone does not, because the step's own
// code may have written it. A shell that is about to exit is waited for, as its EXIT
// trap may still write.
func (s *Session) await(ctx context.Context, step Step) (a answer) {
	start := time.Now()
	nonce, synced := s.channel.send(step.Mode.String(), step.File), ""
	defer func() {
		if synced == "" {
			a.took = time.Since(start)
		}
	}()
	var expired <-chan time.Time
	if step.Timeout > 0 {
		expired = time.After(step.Timeout)
	}
	exited := s.proc.exited
	for {
		select {
		case r, alive := <-s.channel.records:
			switch {
			case !alive:
				return s.held(a, gone)
			case r.Nonce == synced && r.Kind == kindReady && synced != "":
				return s.held(a, answered)
			case r.Nonce != nonce: // late, or forged
				continue
			}
			if err := s.take(&a, r, step); err != nil {
				a.err = err
			} else if r.Kind == kindDone {
				a.took = time.Since(start)
				synced = s.channel.send(modeSync, "")
			}
		case <-exited:
			exited = nil
			s.channel.finish()
		case a.limit = <-s.pen.over:
			a.end = overLimit
			return a
		case <-expired:
			a.end = timedOut
			return a
		case <-ctx.Done():
			a.end = cancelled
			return a
		}
	}
}

// take adds a record of the step to its answer.
func (s *Session) take(a *answer, r record, step Step) error {
	// One line more: a syntax error may be at the end of the file.
	if err := r.check(s.o.Interpreter, s.lines[step.File]+1); err != nil {
		return err
	}
	switch {
	case a.Kind == kindDone:
		return &RecordError{"more follows the end of the block"}
	case r.Kind != kindFigure:
		a.record = r
	case len(a.figures) == MaxFigures:
		return &RecordError{"too many figures"}
	default:
		a.figures = append(a.figures, r.PNG)
	}
	return nil
}

// held ends an answer, and asks whether the session was held to a limit: then that is
// why the step ended so.
func (s *Session) held(a answer, end ending) answer {
	if a.end, a.limit = end, s.pen.enforced(); a.limit != "" {
		a.end = overLimit
	}
	return a
}

func (s *Session) openStream(name string) (*stream, error) {
	// Only those that some process still holds open are worth remembering.
	s.streams = slices.DeleteFunc(s.streams, (*stream).isDrained)
	st, err := openStream(s.ctl, name, s.o.Head, s.o.Tail)
	if err == nil {
		s.streams = append(s.streams, st)
	}
	return st, err
}

func (s *Session) output(st *stream) Output {
	return st.kept.output(filepath.Join(s.ctl.Name(), "src") + string(filepath.Separator))
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
