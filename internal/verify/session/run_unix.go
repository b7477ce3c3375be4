//go:build unix

package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Run runs one step. The error is internal, or that of ctx, whose end ends the session.
// The Result holds what the code did.
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
	if a.end != stepDone {
		s.ended = true
		s.proc.sweep(s.processes, s.o.Grace)
	}
	stdout.finish()
	stderr.finish()
	if a.end == cancelled {
		return Result{}, ctx.Err()
	}
	if a.err != nil {
		return Result{}, a.err
	}
	r := s.result(a)
	r.Stdout, r.Stderr, r.Ended = s.output(stdout), s.output(stderr), s.ended
	if s.o.Interpreter == Bash && r.Exit > 0 && r.FailLine == 0 {
		r.FailLine = lineInMessage(r.Stderr.Text, step.File)
	}
	return r, nil
}

// writeSource writes the code where the driver finds it, after blank lines, so that
// line numbers of the interpreter are those of the file. It creates a new file each
// time, so that nothing is written through what a snippet has put in its place.
func (s *Session) writeSource(step Step) error {
	code := strings.Repeat("\n", max(0, step.Line-1)) + strings.ReplaceAll(step.Code, "\r\n", "\n")
	s.lines[step.File] = max(s.lines[step.File], strings.Count(code, "\n")+1)
	return CreateFile(s.sources, step.File, []byte(code), 0o600)
}

// Folder is the folder in which the code of the session started. It is valid until the session is closed.
func (s *Session) Folder() *os.Root { return s.work }

// result makes a result from the driver's record and from how waiting ended. A shell
// that announced its exit is believed only if no signal came first.
func (s *Session) result(a answer) Result {
	r := Result{End: End{Exit: a.Exit, Exception: a.Exception, FailLine: a.Line, Limit: a.limit, Duration: a.took}}
	switch a.end {
	case overLimit:
		r.Status, r.Exit = Limited, -1
	case timedOut:
		r.Status, r.Exit = TimedOut, -1
	case interpreterGone:
		r.Exit, r.Signal = s.proc.status()
		if a.Kind != kindExit || r.Signal != "" {
			r.Status = Crashed
		}
	case stepDone:
		r.Figures = a.figures
	}
	return r
}

// The ways in which waiting for a step ends.
type ending int

const (
	stepDone ending = iota
	interpreterGone
	timedOut
	overLimit
	cancelled
)

// An answer holds the driver's record of a step, if there is one, and how waiting for
// it ended.
type answer struct {
	record
	figures []report.Figure
	took    time.Duration
	end     ending
	limit   string // for overLimit
	err     error  // an invalid record
}

// await sends a step to the driver and waits until it has ended and the driver is ready
// for the next one, until the interpreter is gone, or until the session exceeds its
// limits. A record alone does not end the wait, because the code of the step may have
// written it. A shell that is about to exit is waited for, as its EXIT trap may still
// write.
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
				return s.withLimit(a, interpreterGone)
			case r.Nonce == synced && r.Kind == kindReady && synced != "":
				return s.withLimit(a, stepDone)
			case r.Nonce != nonce: // late, or forged
				continue
			}
			if err := s.addRecord(&a, r, step); err != nil {
				a.err = err
			} else if r.Kind == kindDone {
				a.took = time.Since(start)
				synced = s.channel.send(modeSync, "")
			}
		case <-exited:
			exited = nil
			s.channel.finish()
		case a.limit = <-s.processes.exceeded:
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

// addRecord adds a record of the step to its answer.
func (s *Session) addRecord(a *answer, r record, step Step) error {
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
		a.figures = append(a.figures, r.Figure)
	}
	return nil
}

// withLimit completes an answer: if the session was killed for a limit, that is why the
// step ended.
func (s *Session) withLimit(a answer, end ending) answer {
	if a.end, a.limit = end, s.processes.exceededLimit(); a.limit != "" {
		a.end = overLimit
	}
	return a
}

func (s *Session) openStream(name string) (*stream, error) {
	// Only keep those that a process still has open.
	s.streams = slices.DeleteFunc(s.streams, (*stream).isDrained)
	st, err := openStream(s.ctl, name, s.o.Head, s.o.Tail)
	if err == nil {
		s.streams = append(s.streams, st)
	}
	return st, err
}

// output returns the output of a stream without the folder of the sources, which bash
// writes before the name of the file.
func (s *Session) output(st *stream) subprocess.Output {
	return withoutPrefix(st.buffer.Output(), filepath.Join(s.ctl.Name(), "src")+string(filepath.Separator))
}

func withoutPrefix(out subprocess.Output, prefix string) subprocess.Output {
	strip := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(prefix), nil) }
	head := strip(out.Text[:out.Head])
	out.Text = append(head, strip(out.Text[out.Head:])...)
	out.Head = len(head)
	return out
}

// lineInMessage returns the line that bash names when it aborts a block (syntax error,
// unset variable). Its message is then the last one: "content/pt/gpu.md: line 72: ...",
// with the word for line in the user's language.
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
