//go:build !unix

package slurm

import "syscall"

func apart() *syscall.SysProcAttr { return nil }
