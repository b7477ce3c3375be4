package system

import "golang.org/x/sys/unix"

// SharedBytes is the size of /dev/shm.
func SharedBytes() uint64 {
	var fs unix.Statfs_t
	if unix.Statfs("/dev/shm", &fs) != nil {
		return 0
	}
	return fs.Blocks * uint64(fs.Bsize)
}
