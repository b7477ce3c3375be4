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
	"cmp"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Limits of an entry and of all entries, in bytes.
const (
	MaxEntry = 256 << 20
	MaxTotal = 4 << 30
)

// A Cache is a folder of entries. The zero Cache keeps nothing.
type Cache struct {
	Dir string
	// MaxTotal replaces the limit of all entries unless it is 0.
	MaxTotal int64
}

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

// format is part of the checksum: entries of another version count as damaged.
const format = "gpudocs build 1\n"

func (c Cache) path(key memo.Key) string { return filepath.Join(c.Dir, hex.EncodeToString(key[:])) }

// Get returns the entry of a key, if there is one that is whole.
func (c Cache) Get(key memo.Key) (e Entry, ok bool) {
	if c.Dir == "" {
		return e, false
	}
	file := c.path(key)
	data, err := report.ReadRegular(os.DirFS(c.Dir), filepath.Base(file), 2*MaxEntry)
	if err != nil {
		return e, false
	}
	if len(data) < sha256.Size || checksum(key, data[sha256.Size:]) != [sha256.Size]byte(data) ||
		gob.NewDecoder(bytes.NewReader(data[sha256.Size:])).Decode(&e) != nil {
		_ = os.Remove(file)
		return Entry{}, false
	}
	for _, f := range e.Files {
		if !fs.ValidPath(f.Name) {
			return Entry{}, false
		}
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // for the order of removal
	return e, true
}

// Put stores an entry, unless it is too large. An error only costs the next run time, so it is not
// reported.
func (c Cache) Put(key memo.Key, e Entry) {
	size := 0
	for _, f := range e.Files {
		size += len(f.Data)
	}
	if c.Dir == "" || size > MaxEntry {
		return
	}
	var b bytes.Buffer
	b.Write(make([]byte, sha256.Size))
	if gob.NewEncoder(&b).Encode(e) != nil || os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	sum := checksum(key, b.Bytes()[sha256.Size:])
	copy(b.Bytes(), sum[:])
	_ = atomicfile.Write(c.path(key), b.Bytes(), 0o600)
	c.evict()
}

// checksum includes the key: the file of another entry is no valid one.
func checksum(key memo.Key, data []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write([]byte(format))
	h.Write(key[:])
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

// abandoned is the age of a temporary file whose process must be gone.
const abandoned = time.Hour

// evict removes the entries that were not used for the longest time until the others are within the
// limit, and temporary files of killed processes.
func (c Cache) evict() {
	names, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var entries []fs.FileInfo
	total := int64(0)
	for _, name := range names {
		info, err := name.Info()
		if err != nil || !info.Mode().IsRegular() { // removed by another process
			continue
		}
		if _, temporary := atomicfile.Target(info.Name()); temporary {
			if time.Since(info.ModTime()) > abandoned {
				_ = os.Remove(filepath.Join(c.Dir, info.Name()))
			}
			continue
		}
		entries = append(entries, info)
		total += info.Size()
	}
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range entries {
		if total <= cmp.Or(c.MaxTotal, MaxTotal) {
			return
		}
		_ = os.Remove(filepath.Join(c.Dir, info.Name()))
		total -= info.Size()
	}
}
