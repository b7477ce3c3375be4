//go:build unix

package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// scratchPrefix begins the name of every scratch folder; digits follow. A name
// that nobody gives to a folder by chance: those that are left behind are removed.
const scratchPrefix = "gpudocs-session-"

// A Scratch is a folder for one session. A lock on the folder itself says that
// its owner lives; the kernel takes it away with the owner, however that ends,
// and a snippet that empties the folder does not touch it.
type Scratch struct {
	Dir  string
	lock *os.File
}

// NewScratch makes a scratch folder, with folders tmp and, once a session is
// started in it, work and ctl.
func NewScratch() (*Scratch, error) {
	// On macOS there is a symbolic link in it; programs print the real path.
	tmp, err := filepath.EvalSymlinks(os.TempDir())
	for err == nil {
		var s *Scratch
		if s, err = newScratch(tmp); s != nil {
			return s, nil
		}
	}
	return nil, noScratch(err)
}

// newScratch returns neither folder nor error if a sweep came between the making
// and the lock: then there is another to be had.
func newScratch(tmp string) (*Scratch, error) {
	dir, err := os.MkdirTemp(tmp, scratchPrefix)
	if err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	// Where the file system has no locks nobody else gets one either.
	_ = flock(lock, unix.LOCK_EX)
	if !isStill(lock, dir) {
		return nil, lock.Close()
	}
	s := &Scratch{Dir: dir, lock: lock}
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// noScratch leaves the path out: it is nobody's business in a report.
func noScratch(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("make a scratch folder in TMPDIR: %w", err)
}

// Remove removes the folder, also where a snippet took away its own permission to.
func (s *Scratch) Remove() error {
	err := RemoveAll(s.Dir)
	return errors.Join(err, s.lock.Close())
}

// SweepLeftovers removes the scratch folders of runs of this user that were
// killed, and ends the processes that they left behind. Folders that others have
// named much alike are left alone: those are locked by nobody, in use or not.
func SweepLeftovers() error {
	// The real path, which marks the processes. Only that of TMPDIR itself: a link in place of
	// a scratch folder is not followed, for anybody may put one into /tmp that leads to a
	// folder of this user's.
	tmp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(tmp)
	for _, e := range entries {
		if isScratchName(e.Name()) {
			err = errors.Join(err, sweepLeftover(filepath.Join(tmp, e.Name())))
		}
	}
	return err
}

func isScratchName(name string) bool {
	number, ok := strings.CutPrefix(name, scratchPrefix)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

func sweepLeftover(dir string) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // gone, a link, not a folder, or another user's
	}
	lock := os.NewFile(uintptr(fd), dir)
	s := &Scratch{Dir: dir, lock: lock}
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || int(stat.Uid) != os.Geteuid() || stat.Mode&0o777 != 0o700 ||
		flock(lock, unix.LOCK_EX|unix.LOCK_NB) != nil || !isStill(lock, dir) {
		return lock.Close() // not ours, or its owner lives
	}
	sweepProcesses(dir)
	return s.Remove()
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// isStill tells whether an open folder still has this name.
func isStill(f *os.File, name string) bool {
	a, err1 := f.Stat()
	b, err2 := os.Lstat(name)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
