// Package filelock locks open files and folders for as long as a process lives.
//
// A lock is one of the kernel, by flock(2): it ends when the file is closed or when the process
// ends, however that ends, and it stays with the open file whatever happens to its name. It is advisory.
//
// There are no locks on Windows, and on some network file systems none for folders or none at
// all. Then [TryLock] returns [errors.ErrUnsupported], and the caller decides what to do
// without one.
//
// github.com/gofrs/flock does not fit, because callers lock files that they have opened
// themselves, without following links, and write the holder of the lock into them, which
// others could not read under the locks of Windows. lockedfile of
// github.com/rogpeppe/go-internal does not fit because it can only wait for a lock.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked is the error of [TryLock] if someone else holds the lock.
var ErrLocked = errors.New("somebody else holds the lock")

// TryLock takes the exclusive lock on an open file or folder, until f is closed. It does not
// wait. It returns [ErrLocked] if the file has been opened elsewhere, in this process or
// another, and is locked there, and [errors.ErrUnsupported] if there are no such locks.
func TryLock(f *os.File) error { return tryLock(f) }

// InPlace reports whether the name by which f was opened still leads to f, and not through a
// symbolic link. A process that sweeps folders left behind may have removed f before the
// caller had the lock.
func InPlace(f *os.File) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Lstat(f.Name())
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}
