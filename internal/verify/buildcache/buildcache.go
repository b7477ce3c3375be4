// Package buildcache keeps what compilers made, so that the same input is not compiled again.
//
// An entry is one file, named by a hash of all that a build depends on: the files that new and
// changed files ([State.Changed]) were made of, and what the caller adds. It is written
// atomically and carries a checksum, so that several processes can share the folder, and a
// damaged entry counts as missing. If the entries take more than the limit together, those
// that were not used for the longest time are removed.
package buildcache

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/report"
)

// MaxFolder limits the files of a folder in which something is built, in bytes, and maxFiles their number. A
// build in one with more is not cached.
const MaxFolder, maxFiles = 256 << 20, 5000

// maxTotal limits all entries, in bytes.
var maxTotal int64 = 4 << 30

// A Cache is a folder of entries.
type Cache string

// An Entry is a build that succeeded.
type Entry struct {
	// Duration is the time that the compiler took.
	Duration time.Duration
	// Stdout and Stderr are what it wrote.
	Stdout, Stderr *report.Stream
	// Files are those that it made.
	Files []File
}

// A File is a file that a build made, with a slash-separated path.
type File struct {
	Name string
	Mode fs.FileMode
	Data []byte
}

func (c Cache) path(key memo.Key) string { return filepath.Join(string(c), hex.EncodeToString(key[:])) }

// checksum includes the key: the file of another entry is no valid one.
func checksum(key memo.Key, data []byte) memo.Key { return memo.KeyOf("gpudocs build 2", key, data) }

// Get returns the entry of a key, if there is one that is whole.
func (c Cache) Get(key memo.Key) (e Entry, ok bool) {
	file := c.path(key)
	data, err := report.ReadRegular(os.DirFS(string(c)), filepath.Base(file), 2*MaxFolder)
	if err != nil || len(data) < len(key) || checksum(key, data[len(key):]) != memo.Key(data) ||
		gob.NewDecoder(bytes.NewReader(data[len(key):])).Decode(&e) != nil {
		return Entry{}, false
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // for the order of removal
	return e, true
}

// Put stores an entry. An error only costs the next run time, so it is not reported.
func (c Cache) Put(key memo.Key, e Entry) {
	var b bytes.Buffer
	b.Write(key[:])
	if gob.NewEncoder(&b).Encode(e) != nil || os.MkdirAll(string(c), 0o700) != nil {
		return
	}
	sum := checksum(key, b.Bytes()[len(key):])
	copy(b.Bytes(), sum[:])
	_ = atomicfile.Write(c.path(key), b.Bytes(), 0o600)
	c.evict()
}

// evict removes the files that were not used for the longest time until the others are within the limit: entries,
// and temporary files of killed processes.
func (c Cache) evict() {
	names, _ := os.ReadDir(string(c))
	var files []fs.FileInfo
	total := int64(0)
	for _, name := range names {
		if info, err := name.Info(); err == nil && info.Mode().IsRegular() { // or another process has removed it
			files, total = append(files, info), total+info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if total <= maxTotal {
			return
		}
		_ = os.Remove(filepath.Join(string(c), info.Name()))
		total -= info.Size()
	}
}

// A State is the files of a folder, as a build finds them: hashes of their modes and contents, by their
// slash-separated paths.
type State map[string]memo.Key

// StateOf hashes the files of a folder. It fails if they are too many or too large, or if there are
// others than files and folders: the content behind a link is not known.
func StateOf(dir string) (State, error) {
	s := State{}
	err := walk(dir, func(f File) { s[f.Name] = f.key() })
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
		if before != f.key() {
			changed = append(changed, f)
		}
	})
	if err == nil && same < len(s) {
		err = fs.ErrNotExist
	}
	return changed, err
}

func (f File) key() memo.Key { return memo.KeyOf("file", f.Mode, f.Data) }

// walk calls use for each file of a folder. The folder is that of a snippet, which may still write to it: no link is
// followed, and nothing is opened that could block.
func walk(dir string, use func(File)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left, count := MaxFolder, 0
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if count++; err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fs.ErrInvalid)
		}
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, int64(left)+1))
		if left -= len(data); left < 0 || count > maxFiles {
			return errors.New("too much to hash")
		}
		use(File{name, info.Mode().Perm(), data})
		return err
	})
}
