//go:build !unix

package child

import "os/exec"

// ownGroup does nothing where there are no process groups: the process itself
// is killed.
func ownGroup(*exec.Cmd) {}
