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

// A State is the files of a folder, as a build finds them: their modes and the hashes of their
// contents.
type State struct {
	Files map[string]FileState
	// Links are symbolic links with what they lead to.
	Links map[string]string
}

// A FileState is a file of a State.
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
// others than files, folders and links.
func StateOf(dir string) (State, error) {
	s := State{map[string]FileState{}, map[string]string{}}
	err := s.walk(dir, func(name string, mode fs.FileMode, data []byte) {
		s.Files[name] = FileState{mode, sha256.Sum256(data)}
	})
	return s, err
}

// Changed returns the files of the folder that are new or have changed since. It fails if something
// else has changed, which cannot be stored: a file is gone, or a link is new.
func (s State) Changed(dir string) (changed []File, err error) {
	now := State{map[string]FileState{}, map[string]string{}}
	err = now.walk(dir, func(name string, mode fs.FileMode, data []byte) {
		state := FileState{mode, sha256.Sum256(data)}
		if now.Files[name] = state; s.Files[name] != state {
			changed = append(changed, File{name, mode, data})
		}
	})
	if err != nil {
		return nil, err
	}
	for name := range s.Files {
		if _, is := now.Files[name]; !is {
			return nil, fs.ErrNotExist
		}
	}
	for name, to := range now.Links {
		if s.Links[name] != to {
			return nil, fs.ErrInvalid
		}
	}
	if len(now.Links) != len(s.Links) {
		return nil, fs.ErrNotExist
	}
	return changed, nil
}

// walk calls use for each file of a folder. The folder is that of a snippet, which may still write to it: no link is
// followed, and nothing is opened that could block.
func (s State) walk(dir string, use func(name string, mode fs.FileMode, data []byte)) error {
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
		if d.Type()&fs.ModeSymlink != 0 {
			s.Links[name], err = root.Readlink(filepath.FromSlash(name))
			return err
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
		if err != nil {
			return err
		}
		use(name, info.Mode().Perm(), data)
		return nil
	})
}
