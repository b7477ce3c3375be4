//go:build !linux

package system

// SharedBytes is 0: there is no /dev/shm.
func SharedBytes() uint64 { return 0 }
