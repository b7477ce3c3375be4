package publish

import "golang.org/x/sys/unix"

// exchange swaps two folders in one step.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// isMount reports whether something is mounted on the folder, or it is bound there. Linux
// before 5.8 does not say, and has the exchange fail.
func isMount(dir string) bool {
	var s unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, 0, 0, &s)
	return err == nil && s.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
