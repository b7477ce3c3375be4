//go:build unix

package serve

import "golang.org/x/sys/unix"

// openFiles returns the number of files that this program may open. The Go runtime has raised it to the maximum.
func openFiles() int {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil || l.Cur > 2*mostConnections {
		return 2 * mostConnections
	}
	return int(l.Cur)
}
