package ssh

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
)

const (
	// maxCached limits the number of cached programs: this one, and those for other
	// systems.
	maxCached = 4
	// maxTemporary is the age from which on a temporary file is abandoned.
	maxTemporary = time.Hour
)

// errCached means that a cached program is damaged, or may not be the user's.
var errCached = errors.New("the cached program is damaged or not private")

// A programCache is a folder of the user that holds packed programs between runs,
// because compressing one takes a second. "" caches nothing. A file is named after the
// checksum of the program, and begins with the checksum of the rest, so a damaged file
// is packed again. As a checksum does not show who wrote a file, files that others can
// write are not used. Several processes may use the cache at once.
type programCache string

func (s programCache) file(sum []byte) string {
	return filepath.Join(string(s), hex.EncodeToString(sum))
}

// get returns the packed form of the program with this checksum.
func (s programCache) get(sum []byte) ([]byte, error) {
	if info, err := os.Stat(string(s)); err != nil || !privateFolder(info) {
		return nil, errors.Join(err, errCached)
	}
	f, err := os.Open(s.file(sum))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !privateFolder(info) {
		return nil, errors.Join(err, errCached)
	}
	data, err := io.ReadAll(f)
	if err != nil || len(data) < sha256.Size {
		return nil, errors.Join(err, errCached)
	}
	want, data := data[:sha256.Size], data[sha256.Size:]
	if got := sha256.Sum256(data); !bytes.Equal(got[:], want) {
		return nil, errCached
	}
	now := time.Now()
	_ = os.Chtimes(f.Name(), now, now) // now it is the newest
	return data, nil
}

// put stores the packed form of a program. If it fails, the next run packs it again.
func (s programCache) put(sum, data []byte) {
	if s != "" && s.write(s.file(sum), data) == nil {
		s.evict()
	}
}

// write writes a file atomically.
func (s programCache) write(file string, data []byte) error {
	sum := sha256.Sum256(data)
	return atomicfile.Write(file, slices.Concat(sum[:], data), 0o600)
}

// evict removes all but the newest programs, and the leftovers of killed processes.
func (s programCache) evict() {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return
	}
	type entry struct {
		file string
		used time.Time
	}
	var all []entry
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // another process has removed it
		}
		k := entry{filepath.Join(string(s), e.Name()), info.ModTime()}
		_, pending := atomicfile.Target(e.Name())
		switch {
		case !pending:
			all = append(all, k)
		case time.Since(k.used) > maxTemporary:
			_ = os.Remove(k.file)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.file, b.file)) })
	for _, k := range all[min(maxCached, len(all)):] {
		_ = os.Remove(k.file)
	}
}
