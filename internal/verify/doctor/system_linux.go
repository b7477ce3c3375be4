package doctor

import "golang.org/x/sys/unix"

// sharedBytes is the size of /dev/shm.
func sharedBytes() uint64 {
	var fs unix.Statfs_t
	if unix.Statfs("/dev/shm", &fs) != nil {
		return 0
	}
	return fs.Blocks * uint64(fs.Bsize)
}
