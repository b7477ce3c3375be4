//go:build !unix

package subprocess

import "os/exec"

// setProcessGroup does nothing: without process groups only the process itself is
// killed.
func setProcessGroup(*exec.Cmd) {}
