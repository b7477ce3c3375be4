//go:build !unix

package ssh

import (
	"syscall"
)

func setSession() *syscall.SysProcAttr { return nil }
