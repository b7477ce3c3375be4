//go:build unix

package publish

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hold takes the lock on a folder, which ends with this process however that ends.
// errTaken: another has it, or has removed the folder; ErrUnsupported: there are no locks.
func hold(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	} else if err != nil {
		return nil, err
	}
	switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		f.Close()
		return nil, errTaken
	case err != nil: // NFS has none for folders
		f.Close()
		return nil, errors.ErrUnsupported
	}
	mine, err := f.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(dir); err == nil && os.SameFile(mine, there) {
			return func() { f.Close() }, nil
		}
	}
	f.Close()
	return nil, errTaken
}
