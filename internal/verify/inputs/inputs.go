// Package inputs puts files into the folders of sessions: the files of the site that blocks name, and
// those that blocks with save= write.
//
// Files up to [site.MaxCopied] are copied, and must have the content that the site was loaded with. A
// larger one is a link to the file of the site. It is hashed when its hash is needed, and must not
// change while a block runs that can write to it.
package inputs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Source reads the files of a site. It is safe for concurrent use.
type Source struct {
	root  string
	mu    sync.Mutex
	large map[string]*largeFile
}

// A largeFile is the hash of a large file, with the size and time by which a later change is noticed.
type largeFile struct {
	mu      sync.Mutex
	size    int64
	changed time.Time
	sum     string
}

// NewSource returns the source of the files of the site in a folder.
func NewSource(root string) *Source { return &Source{root: root, large: map[string]*largeFile{}} }

// Put puts what a block needs, and is not there yet, into the folder of its session. It replaces no file
// that an earlier block has made, unless the block is saved in its place.
func (s *Source) Put(folder *os.Root, b *site.Block) error {
	for _, f := range b.Saves {
		if err := folder.RemoveAll(f.Name); err != nil {
			return fmt.Errorf("%s: %w", f.Name, cause(err))
		}
		if err := create(folder, f.Name, []byte(f.Block.Code), 0o644); err != nil {
			return err
		}
	}
	if len(b.Files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range b.Files {
		if err := s.put(root, folder, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) put(root, folder *os.Root, f site.DataFile) error {
	if f.Large() {
		target, err := filepath.Abs(filepath.Join(s.root, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		if err := makeFolder(folder, f.Name); err != nil {
			return err
		}
		return explain(f.Name, folder.Symlink(target, f.Name))
	}
	data, err := read(root, f.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, cause(err))
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
		return fmt.Errorf("%s has changed since the site was read", f.Path)
	}
	mode := fs.FileMode(0o444)
	if f.Executable {
		mode = 0o555
	}
	return create(folder, f.Name, data, mode)
}

// read reads a file that should be small.
func read(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, site.MaxCopied+1))
}

// create creates a file with exactly this mode, whatever the umask is.
func create(folder *os.Root, name string, data []byte, mode fs.FileMode) error {
	if err := makeFolder(folder, name); err != nil {
		return err
	}
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return explain(name, err)
	}
	_, err = f.Write(data)
	return explain(name, errors.Join(err, f.Chmod(mode), f.Close()))
}

// makeFolder creates the folder of a file.
func makeFolder(folder *os.Root, name string) error {
	if dir := path.Dir(name); dir != "." {
		return explain(dir, folder.MkdirAll(dir, 0o700))
	}
	return nil
}

// explain says whose name it is if an earlier block has taken it.
func explain(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("an earlier block of the session has made %s", name)
	}
	return fmt.Errorf("%s: %w", name, cause(err))
}

// cause returns an error without the path of this machine.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Large returns the large files in the folder of a block's session, with their hashes.
func (s *Source) Large(ctx context.Context, b *site.Block) (files []report.DataFile, err error) {
	for _, f := range b.DataFiles() {
		if !f.Large() {
			continue
		}
		h := s.of(f.Path)
		h.mu.Lock()
		if !s.same(h, f.Path) {
			err = s.hash(ctx, h, f.Path)
		}
		files = append(files, report.DataFile{Path: f.Name, Bytes: h.size, SHA256: h.sum})
		h.mu.Unlock()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, cause(err))
		}
	}
	return files, nil
}

// Changed returns the path of a large file of the block's session that has changed since it was hashed,
// or "".
func (s *Source) Changed(b *site.Block) string {
	for _, f := range b.DataFiles() {
		if !f.Large() {
			continue
		}
		h := s.of(f.Path)
		h.mu.Lock()
		same := s.same(h, f.Path)
		h.mu.Unlock()
		if !same {
			return f.Path
		}
	}
	return ""
}

func (s *Source) of(name string) *largeFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.large[name] == nil {
		s.large[name] = &largeFile{}
	}
	return s.large[name]
}

// same reports whether a file is as it was when it was hashed.
func (s *Source) same(h *largeFile, name string) bool {
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
	return err == nil && h.sum != "" && info.Size() == h.size && info.ModTime().Equal(h.changed)
}

func (s *Source) hash(ctx context.Context, h *largeFile, name string) error {
	h.sum = ""
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, until{ctx, f}); err != nil {
		return err
	}
	h.size, h.changed, h.sum = info.Size(), info.ModTime(), hex.EncodeToString(sum.Sum(nil))
	return nil
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
