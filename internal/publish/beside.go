package publish

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/filelock"
)

// oldSuffix ends the name of an old output that is to be removed.
const oldSuffix = ".old"

// maxBase limits the part of an output's name in the names of the folders beside it, in bytes: a file system that allows
// its name must allow theirs.
const maxBase = 200

// prefix returns the beginning of the names of the folders beside an output; digits follow.
func prefix(base string) string {
	if len(base) > maxBase {
		base = fmt.Sprintf("%x", sha256.Sum256([]byte(base)))
	}
	return "." + base + ".new-"
}

// errTaken is the error of hold if another process has the folder, or has removed it.
var errTaken = errors.New("another build has the folder")

// hold takes the lock on a folder, until release is called or the process ends. It returns
// errTaken if another process has the folder or has removed it, and [errors.ErrUnsupported] if
// folders cannot be locked.
func hold(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	} else if err != nil {
		return nil, err
	}
	switch err := filelock.TryLock(f); {
	case errors.Is(err, filelock.ErrLocked):
		f.Close()
		return nil, errTaken
	case err != nil:
		f.Close()
		return nil, errors.ErrUnsupported
	case !filelock.InPlace(f):
		f.Close()
		return nil, errTaken
	}
	return func() { f.Close() }, nil
}

// newFolder creates the folder to write into, and holds it.
func newFolder(parent, base string) (dir string, release func(), err error) {
	for range 100 {
		if dir, err = os.MkdirTemp(parent, prefix(base)); err != nil {
			return "", nil, err
		}
		// A build that sweeps may have found it before it was held.
		if release, err = hold(dir); errors.Is(err, errTaken) {
			continue
		}
		if errors.Is(err, errors.ErrUnsupported) {
			release, err = func() {}, nil
		}
		if err == nil {
			err = os.Chmod(dir, 0o755)
		}
		return dir, release, err
	}
	return "", nil, err
}

// sweep puts back an output that a killed build has renamed, and removes what killed builds have left. It is only
// housekeeping, so its errors do not matter.
func sweep(dir string) {
	parent, base := filepath.Split(dir)
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), prefix(base))
		number, old := strings.CutSuffix(number, oldSuffix)
		if !ours || !e.IsDir() || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		left := filepath.Join(parent, e.Name())
		release, err := hold(left)
		switch {
		case err == nil:
			if _, err := os.Lstat(dir); !old || !errors.Is(err, fs.ErrNotExist) || os.Rename(left, dir) != nil {
				_ = os.RemoveAll(left)
			}
			release()
		case errors.Is(err, errors.ErrUnsupported) && abandoned(e):
			_ = os.RemoveAll(left)
		}
	}
}

// abandoned reports whether a folder is so old that no running build can own it. It is for folders that cannot be locked.
func abandoned(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
