package memo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"
)

// FileSums hashes files, and remembers the hashes as long as the files look the same. The zero value is ready for
// use, also by several goroutines.
type FileSums struct{ known sync.Map }

// A fileSum is the hash of a file, with the size and time by which a later change is noticed.
type fileSum struct {
	mu      sync.Mutex
	size    int64
	changed time.Time
	sum     string
}

// settled is how long before it is hashed a file must have been changed: within it, a second change may leave the time
// as it is.
const settled = 2 * time.Second

// Get returns the SHA-256 of a regular file, in hexadecimal digits, and its size in bytes.
func (s *FileSums) Get(ctx context.Context, fsys fs.FS, name string) (sum string, size int64, err error) {
	known, _ := s.known.LoadOrStore(name, &fileSum{})
	f := known.(*fileSum)
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return "", 0, err
	case !info.Mode().IsRegular():
		return "", 0, errors.New("not a regular file")
	case f.sum != "" && info.Size() == f.size && info.ModTime().Equal(f.changed):
		return f.sum, f.size, nil
	}
	file, err := fsys.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.Close() })() // which ends reading
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(file, info.Size()+1))
	switch {
	case ctx.Err() != nil:
		return "", 0, ctx.Err()
	case err != nil:
		return "", 0, err
	case n != info.Size():
		return "", 0, errors.New("its size changes")
	}
	f.size, f.changed, f.sum = n, info.ModTime(), hex.EncodeToString(h.Sum(nil))
	if time.Since(f.changed) < settled {
		f.changed = time.Time{}
	}
	return f.sum, n, nil
}
