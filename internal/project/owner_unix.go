//go:build unix

package project

import (
	"os"
	"syscall"
)

// ofOtherUser reports whether a file belongs to a user that is neither this one nor root.
func ofOtherUser(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Uid != 0 && int(s.Uid) != os.Geteuid()
}
