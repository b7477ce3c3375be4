package publish

import (
	"io/fs"
	"syscall"
)

// A systemLook tells apart files of the same size and time: by where they are on the disk, and by
// when anything of them was last changed, which no program can set.
type systemLook struct {
	Device, Inode uint64
	Changed       int64
}

func systemLookOf(info fs.FileInfo) systemLook {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return systemLook{}
	}
	return systemLook{uint64(s.Dev), s.Ino, s.Ctim.Nano()} //nolint:unconvert // not the same type everywhere
}
