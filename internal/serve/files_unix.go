//go:build unix

package serve

import "golang.org/x/sys/unix"

// openFiles is how many files this program may have open. The Go runtime has raised it
// as far as it may.
func openFiles() int {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil || l.Cur > 2*mostConnections {
		return 2 * mostConnections
	}
	return int(l.Cur)
}
