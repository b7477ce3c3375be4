package buildcache

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A State is the files of a folder, as a build finds them, by their slash-separated paths.
type State map[string]FileState

// A FileState is the mode of a file and the hash of its content.
type FileState struct {
	Mode fs.FileMode
	Sum  [sha256.Size]byte
}

// Limits of a folder. A build in one with more is not cached.
const (
	maxState = MaxEntry
	maxFiles = 5000
)

var errLimit = errors.New("too much to hash")

// StateOf hashes the files of a folder. It fails if they are too many or too large, or if there are
// others than files and folders: the content behind a link is not known.
func StateOf(dir string) (State, error) {
	s := State{}
	err := walk(dir, func(f File) { s[f.Name] = f.state() })
	return s, err
}

// Changed returns the files of the folder that are new or have changed since. It fails if something
// else has changed, which cannot be stored: a file is gone, or a link is new.
func (s State) Changed(dir string) (changed []File, err error) {
	same := 0
	err = walk(dir, func(f File) {
		before, was := s[f.Name]
		if was {
			same++
		}
		if before != f.state() {
			changed = append(changed, f)
		}
	})
	if err == nil && same < len(s) {
		err = fs.ErrNotExist
	}
	return changed, err
}

func (f File) state() FileState { return FileState{f.Mode, sha256.Sum256(f.Data)} }

// walk calls use for each file of a folder. The folder is that of a snippet, which may still write to it: no link is
// followed, and nothing is opened that could block.
func walk(dir string, use func(File)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left, count := int64(maxState), 0
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if count++; err != nil || d.IsDir() {
			return err
		}
		if count > maxFiles {
			return errLimit
		}
		if !d.Type().IsRegular() {
			return fs.ErrInvalid
		}
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fs.ErrInvalid)
		}
		data, err := io.ReadAll(io.LimitReader(f, left+1))
		if left -= int64(len(data)); err == nil && left < 0 {
			err = errLimit
		}
		if err == nil {
			use(File{name, info.Mode().Perm(), data})
		}
		return err
	})
}
