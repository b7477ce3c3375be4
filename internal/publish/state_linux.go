package publish

import (
	"io/fs"
	"syscall"
)

// A systemState distinguishes files of the same size and modification time: by device and inode, and by
// the time of their last change, which no program can set.
type systemState struct {
	Device, Inode uint64
	Changed       int64
}

func systemStateOf(info fs.FileInfo) systemState {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return systemState{}
	}
	return systemState{uint64(s.Dev), s.Ino, s.Ctim.Nano()} //nolint:unconvert // not the same type everywhere
}
