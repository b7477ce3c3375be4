//go:build unix

package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/gpudocs/gpudocs/internal/filelock"
)

// scratchPrefix begins the name of every scratch folder, before digits. It is unlikely
// for other folders, because leftovers are removed.
const scratchPrefix = "gpudocs-session-"

// A Scratch is a folder for one session. A lock on the folder shows that its owner
// lives: the kernel releases it when the owner ends, for whatever reason, and a snippet
// that empties the folder does not affect it.
type Scratch struct {
	Dir  string
	lock *os.File
}

// NewScratch creates a scratch folder with a folder tmp. Start adds work and ctl.
func NewScratch() (*Scratch, error) {
	// On macOS the path has a symbolic link; programs print the real path.
	tmp, err := filepath.EvalSymlinks(os.TempDir())
	for err == nil {
		var s *Scratch
		if s, err = newScratch(tmp); s != nil {
			return s, nil
		}
	}
	return nil, noScratch(err)
}

// newScratch returns nil and no error if a sweep removed the folder before it was
// locked: the caller tries again.
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
	// If the file system has no locks, sweeps get none either.
	if errors.Is(filelock.TryLock(lock), filelock.ErrLocked) || !filelock.InPlace(lock) {
		return nil, lock.Close()
	}
	s := &Scratch{Dir: dir, lock: lock}
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// noScratch removes the path from an error: it is private.
func noScratch(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("make a scratch folder in TMPDIR: %w", err)
}

// Remove removes the folder, even if a snippet has removed its own permission.
func (s *Scratch) Remove() error {
	err := RemoveAll(s.Dir)
	return errors.Join(err, s.lock.Close())
}

// SweepLeftovers removes the scratch folders of killed runs of this user and kills the
// processes that they left behind. Folders of others with similar names stay: nobody
// locks them, whether in use or not.
func SweepLeftovers() error {
	// Processes are tagged by the real path. Only TMPDIR itself is resolved, and not
	// the scratch folders: anybody may put a link to a folder of this user in /tmp.
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
		filelock.TryLock(lock) != nil || !filelock.InPlace(lock) {
		return lock.Close() // not ours, or its owner lives
	}
	sweepProcesses(dir)
	sweepContainer(dir)
	return s.Remove()
}
