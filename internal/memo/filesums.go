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
type FileSums struct {
	mu    sync.Mutex
	known map[string]*fileSum
}

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
	s.mu.Lock()
	if s.known == nil {
		s.known = map[string]*fileSum{}
	}
	f := s.known[name]
	if f == nil {
		f = &fileSum{}
		s.known[name] = f
	}
	s.mu.Unlock()
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
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(until{ctx, file}, info.Size()+1))
	if err == nil && n != info.Size() {
		err = errors.New("its size changes")
	}
	if err != nil {
		return "", 0, err
	}
	f.size, f.changed, f.sum = n, info.ModTime(), hex.EncodeToString(h.Sum(nil))
	if time.Since(f.changed) < settled {
		f.changed = time.Time{}
	}
	return f.sum, n, nil
}

// until is a reader that ends with its context.
type until struct {
	ctx context.Context
	io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
