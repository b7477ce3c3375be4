//go:build unix

package ssh

import (
	"syscall"
)

// setSession runs ssh in its own session without a terminal: Ctrl-C does not reach it,
// and the ssh of a jump host cannot ask for a password.
func setSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
