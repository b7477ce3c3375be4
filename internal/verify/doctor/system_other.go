//go:build !linux

package doctor

// sharedBytes is 0: there is no /dev/shm.
func sharedBytes() uint64 { return 0 }
