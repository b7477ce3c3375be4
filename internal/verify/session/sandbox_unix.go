//go:build unix

package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// launchInside starts the interpreter in bubblewrap. The options are sent through a
// pipe, so that it starts no process before it is tagged. It reports the leader of the
// group inside: a signal to bubblewrap itself would kill all of them at once.
func (s *Session) launchInside(cmd *exec.Cmd) error {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return err
	}
	if err := s.o.Sandbox.check(); err != nil {
		return err
	}
	filter, err := systemCallFilter()
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = bwrap, append([]string{"bwrap", "--args", "4", "--info-fd", "5", "--seccomp", "6", "--"}, cmd.Args...)
	ctl := s.ctl.Name()
	options := append(s.o.Sandbox.args(s.o.Scratch), "--ro-bind", ctl, ctl, "--chdir", cmd.Dir)

	optionsRead, optionsWrite, err1 := os.Pipe()
	infoRead, infoWrite, err2 := os.Pipe()
	filterRead, filterWrite, err3 := os.Pipe()
	defer closeAll(optionsRead, optionsWrite, infoRead, infoWrite, filterRead, filterWrite)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	if _, err := filterWrite.Write(filter); err != nil { // fits in the pipe
		return err
	}
	filterWrite.Close()
	// Bubblewrap may hang, for example on a file system that does not respond.
	deadline := time.Now().Add(startTime)
	if err := errors.Join(optionsWrite.SetDeadline(deadline), infoRead.SetDeadline(deadline)); err != nil {
		return err
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, optionsRead, infoWrite, filterRead)
	if s.proc, err = s.processes.start(cmd); err != nil {
		return err
	}
	s.proc.sandboxed = true
	closeAll(optionsRead, infoWrite) // inherited by bubblewrap
	s.processes.adopt(s.proc.pid)
	fmt.Fprint(optionsWrite, strings.Join(options, "\x00"), "\x00")
	optionsWrite.Close()
	var info struct {
		Child int `json:"child-pid"`
	}
	// If bubblewrap fails there is no answer, and only its own group.
	if json.NewDecoder(infoRead).Decode(&info) == nil && info.Child > 0 {
		s.proc.group = info.Child
	}
	return nil
}
