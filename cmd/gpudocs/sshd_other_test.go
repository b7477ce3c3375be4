//go:build !unix

package main

import "os/exec"

func apart(*exec.Cmd) {}

func killAll(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
