//go:build unix

package fleet

import (
	"io/fs"
	"os"
	"syscall"
)

// private tells whether nobody but the user can have written a file or folder.
func private(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
