//go:build unix

package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Session is one interpreter that runs steps, one at a time: its methods are
// not for several goroutines at once.
type Session struct {
	o        Options
	ctl      string // our folder: FIFOs, driver, sources
	pen      *pen   // all its processes
	proc     *process
	commands *os.File // to the driver; its end is the driver's end
	results  *results
	idle     *stream   // what the interpreter says outside of steps
	streams  []*stream // of earlier steps, still held open by some process
	ended    bool      // the interpreter is gone
	closed   bool
}

// Start starts the interpreter and waits until it has run an empty step. ctx
// is for that only.
func Start(ctx context.Context, o Options) (*Session, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	s := &Session{o: o, ctl: filepath.Join(o.Scratch, "ctl"), pen: newPen(o.Scratch, o.Bounds)}
	if err := s.launch(); err != nil {
		s.Close()
		return nil, fmt.Errorf("start %s: %w", o.Interpreter, err)
	}
	r, err := s.Run(ctx, Step{File: "start"})
	if err == nil && (r.Status != Finished || r.Exit != 0) {
		err = fmt.Errorf("start %s: %s did not come up: %s, exit status %d%s",
			o.Interpreter, o.Path, r.Status, r.Exit, s.lastWords(r))
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) launch() (err error) {
	work := filepath.Join(s.o.Scratch, "work")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(s.ctl, 0o700)); err != nil {
		return err
	}
	lang := interpreters[s.o.Interpreter]
	if err := os.WriteFile(filepath.Join(s.ctl, lang.file), lang.driver, 0o600); err != nil {
		return err
	}
	for name, data := range lang.more {
		if err := os.WriteFile(filepath.Join(s.ctl, name), data, 0o600); err != nil {
			return err
		}
	}
	if s.results, err = openResults(filepath.Join(s.ctl, "results")); err != nil {
		return err
	}
	if s.idle, err = openStream(filepath.Join(s.ctl, "idle"), 4<<10, 4<<10); err != nil {
		return err
	}
	idle, err := os.OpenFile(s.idle.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer idle.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	s.commands = write

	cmd := exec.Command(s.o.Path, append(slices.Clone(lang.args), s.ctl)...)
	cmd.Dir = work
	cmd.Env = append(slices.Clone(s.o.Env), "PWD="+work, s.pen.variable)
	cmd.Stdout, cmd.Stderr = idle, idle
	cmd.ExtraFiles = []*os.File{read}
	if s.o.Sandbox != nil {
		return s.launchInside(cmd)
	}
	if s.proc, err = launch(cmd, s.results.end); err == nil {
		s.pen.adopt(s.proc.cmd.Process.Pid)
	}
	return err
}

// lastWords is what an interpreter that would not start had to say.
func (s *Session) lastWords(r Result) string {
	if s.idle.finish() != nil {
		return ""
	}
	text := strings.TrimSpace(string(s.idle.kept.output("").Text) + string(r.Stderr.Text))
	if text == "" {
		return ""
	}
	return ":\n" + text
}

// Close ends the interpreter and all it left behind. Its atexit handlers or
// EXIT trap get the grace time.
func (s *Session) Close() error {
	if s.closed {
		return nil
	}
	s.closed, s.ended = true, true
	if s.commands != nil {
		s.commands.Close()
	}
	gone := true
	if s.proc != nil {
		s.proc.waitFor(s.o.Grace)
		gone = s.proc.sweep(s.pen, s.o.Grace)
	} else if s.results != nil {
		s.results.end()
	}
	s.pen.close()
	if s.results != nil {
		if gone {
			for range s.results.messages { // until the reader has seen the end
			}
		}
		s.results.f.Close()
	}
	if s.idle != nil {
		s.idle.finish()
		s.streams = append(s.streams, s.idle)
	}
	for _, st := range s.streams {
		st.close()
	}
	if !gone {
		return fmt.Errorf("close %s session: process %d survives SIGKILL", s.o.Interpreter, s.proc.cmd.Process.Pid)
	}
	return nil
}
