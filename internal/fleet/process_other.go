//go:build !unix

package fleet

import (
	"os"
	"syscall"
)

func apart() *syscall.SysProcAttr { return nil }

func killAll(p *os.Process) { _ = p.Kill() }
