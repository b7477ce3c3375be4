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
	"time"
)

// A Session is one interpreter that runs steps, one at a time. Its methods must not be
// called concurrently.
type Session struct {
	o         Command
	ctl       *os.File // FIFOs, driver, sources. A sandbox may only read it.
	sources   *os.Root // ctl/src
	work      *os.Root // where the code starts
	lines     map[string]int
	processes *sessionProcesses // all its processes
	proc      *process
	channel   *channel
	idle      *stream   // output of the interpreter between steps
	streams   []*stream // of earlier steps, still open in some process
	ended     bool      // the interpreter is gone
	closed    bool
}

// startTime limits the start of an interpreter, which takes a minute on some file
// systems of clusters.
const startTime = 3 * time.Minute

// Start starts the interpreter and waits until it has run an empty step. ctx applies to
// the start only.
func Start(ctx context.Context, o Command) (*Session, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		s, err := startOnce(ctx, o)
		if err == nil {
			return s, nil
		}
		again := n < maxStarts && ctx.Err() == nil && o.Sandbox != nil && s.idle != nil &&
			isBubblewrapError(s.idle.buffer.Output().Text)
		s.Close()
		if !again {
			return nil, err
		}
		for _, name := range []string{"work", "ctl"} {
			if err := RemoveAll(filepath.Join(o.Scratch, name)); err != nil {
				return nil, err
			}
		}
	}
}

// startOnce returns a session that must be closed, also with an error.
func startOnce(ctx context.Context, o Command) (*Session, error) {
	s := &Session{o: o, lines: map[string]int{}, processes: newSessionProcesses(o.Scratch, o.Bounds)}
	if err := s.launch(); err != nil {
		return s, fmt.Errorf("start %s: %w", o.Interpreter, err)
	}
	r, err := s.Run(ctx, Step{File: "start", Timeout: startTime})
	if err == nil && (r.Status != Finished || r.Exit != 0) {
		err = fmt.Errorf("start %s: %s did not come up: %s, exit status %d%s",
			o.Interpreter, o.Path, r.Status, r.Exit, s.startupOutput(r))
	}
	return s, err
}

func (s *Session) launch() (err error) {
	work, ctl := filepath.Join(s.o.Scratch, "work"), filepath.Join(s.o.Scratch, "ctl")
	sources := filepath.Join(ctl, "src")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Mkdir(ctl, 0o700), os.Mkdir(sources, 0o700)); err != nil {
		return err
	}
	if s.ctl, err = os.Open(ctl); err != nil {
		return err
	}
	if s.sources, err = os.OpenRoot(sources); err != nil {
		return err
	}
	if s.work, err = os.OpenRoot(work); err != nil {
		return err
	}
	lang := interpreters[s.o.Interpreter]
	for _, name := range lang.files {
		data, err := drivers.ReadFile("driver/" + name)
		if err := errors.Join(err, os.WriteFile(filepath.Join(ctl, name), data, 0o600)); err != nil {
			return err
		}
	}
	if s.channel, err = openChannel(s.ctl); err != nil {
		return err
	}
	if s.idle, err = openStream(s.ctl, "idle", 4<<10, 4<<10); err != nil {
		return err
	}
	cmd := &exec.Cmd{
		Path: s.o.Path, Args: slices.Concat([]string{s.o.Path}, lang.args, []string{ctl}),
		Dir: work, Env: append(slices.Clone(s.o.Env), "PWD="+work, s.processes.variable),
		Stdout: s.idle.w, Stderr: s.idle.w,
		ExtraFiles: []*os.File{s.channel.driver},
	}
	if s.o.Kernel != "" {
		cmd.Args = append(cmd.Args, s.o.Kernel, fmt.Sprint(s.o.Grace.Seconds()))
	}
	defer s.channel.driver.Close()
	switch {
	case s.o.Container != nil:
		return s.launchContainer(cmd)
	case s.o.Sandbox != nil:
		return s.launchInside(cmd)
	}
	if s.proc, err = s.processes.start(cmd); err == nil {
		s.processes.adopt(s.proc.pid)
	}
	return err
}

// startupOutput returns the output of an interpreter that did not start.
func (s *Session) startupOutput(r Result) string {
	s.idle.finish()
	text := strings.TrimSpace(string(s.idle.buffer.Output().Text) + string(r.Stderr.Text))
	if text == "" {
		return ""
	}
	return ":\n" + text
}

// Close ends the interpreter and everything that it left behind. Its atexit handlers or
// EXIT trap get the grace time.
func (s *Session) Close() error {
	if s.closed {
		return nil
	}
	s.closed, s.ended = true, true
	if s.channel != nil {
		s.channel.commands.Close()
	}
	gone := true
	if s.proc != nil {
		s.proc.waitFor(s.o.Grace)
		gone = s.proc.sweep(s.processes, s.o.Grace)
	}
	s.processes.close()
	if s.channel != nil {
		s.channel.close()
	}
	if s.idle != nil {
		s.idle.finish()
		s.streams = append(s.streams, s.idle)
	}
	for _, st := range s.streams { // does not wait for remaining writers
		st.close()
	}
	for _, root := range []*os.Root{s.sources, s.work} {
		if root != nil {
			root.Close()
		}
	}
	s.ctl.Close()
	if !gone {
		return fmt.Errorf("close %s session: process %d survives SIGKILL", s.o.Interpreter, s.proc.pid)
	}
	return nil
}
