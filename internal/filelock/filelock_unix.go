//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func tryLock(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = c.Control(func(fd uintptr) {
		for {
			if locked = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB); locked != unix.EINTR {
				return
			}
		}
	})
	switch {
	case err != nil: // f is closed
		return err
	case locked == nil:
		return nil
	case errors.Is(locked, unix.EWOULDBLOCK):
		return ErrLocked
	// NFS locks only files that are open for writing, and EBADF says that this one is not.
	case errors.Is(locked, errors.ErrUnsupported), errors.Is(locked, unix.ENOLCK), errors.Is(locked, unix.EBADF):
		return errors.ErrUnsupported
	}
	return &os.PathError{Op: "lock", Path: f.Name(), Err: locked}
}
