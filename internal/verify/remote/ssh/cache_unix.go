//go:build unix

package ssh

import (
	"io/fs"
	"os"
	"syscall"
)

// privateFolder reports whether only the user can have written a file or folder.
func privateFolder(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
