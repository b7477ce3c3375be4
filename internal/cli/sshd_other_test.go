//go:build !unix

package cli

import "os/exec"

func apart(*exec.Cmd) {}

func killAll(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
