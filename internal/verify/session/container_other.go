//go:build unix && !linux

package session

import (
	"errors"
	"os/exec"
	"time"
)

// A runningContainer does not exist: package container finds images on Linux only.
type runningContainer struct{}

func (*Session) launchContainer(*exec.Cmd) error                  { return errors.ErrUnsupported }
func (*process) sweepContainer(*sessionProcesses, time.Time) bool { return false }
func sweepContainer(string)                                       {}
