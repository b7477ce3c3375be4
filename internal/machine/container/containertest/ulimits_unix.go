//go:build unix

package containertest

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// ulimits returns the line of containers.conf that keeps the limits of this process: Podman raises them
// otherwise, which fails where root may not.
func ulimits(t testing.TB) string {
	t.Helper()
	limit := func(name string, resource int) string {
		var l unix.Rlimit
		must(t, unix.Getrlimit(resource, &l))
		return fmt.Sprintf("%q", fmt.Sprintf("%s=%d:%[2]d", name, min(l.Max, 20000)))
	}
	return "default_ulimits = [" + limit("nofile", unix.RLIMIT_NOFILE) + ", " + limit("nproc", unix.RLIMIT_NPROC) + "]\n"
}
