package publish

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// writeAll writes the files into an empty folder that is this build's alone, so that there is no
// link in it that could lead out: names are looked at instead, and each file costs the system one
// look-up of its path. A file that is in the old folder, the same byte for byte and for the same readers, is not written
// again: it gets a second name here. That is half of the work, and it keeps the time of its
// change, by which rsync and servers tell what is new.
func writeAll(ctx context.Context, old, tmp string, files Files) error {
	paths := files.Paths()
	for _, p := range paths {
		if name := filepath.FromSlash(p); !filepath.IsLocal(name) {
			return fmt.Errorf("%q: a file's name escapes the site's folder", p)
		}
	}
	from := previous{dir: old, folders: map[string]bool{".": true}}
	for _, dir := range folders(paths) {
		name := filepath.Join(tmp, filepath.FromSlash(dir))
		if err := os.Mkdir(name, 0o755); err != nil {
			return err
		}
		if err := from.take(dir, name); err != nil {
			return err
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range paths {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, ok, err := files.File(p)
			if err != nil || !ok {
				return err
			}
			return from.write(p, filepath.Join(tmp, filepath.FromSlash(p)), data)
		})
	}
	return g.Wait()
}

// folders lists the folders of the files, each once and behind the one that it lies in.
func folders(paths []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, p := range paths {
		for i := strings.LastIndexByte(p, '/'); i > 0 && !seen[p[:i]]; i = strings.LastIndexByte(p[:i], '/') {
			seen[p[:i]] = true
			out = append(out, p[:i])
		}
	}
	slices.Sort(out)
	return out
}

// previous is the output that is to be replaced.
type previous struct {
	dir string
	// folders are those of the new output that it has too. What a link leads to is somebody's,
	// who may change it at any time.
	folders map[string]bool
	// mode is that of a file that is written now: one that was written under another umask is
	// not what its readers need.
	mode fs.FileMode
}

// take notes a folder of the new output, which is made under some name, and behind the one that it lies in.
func (p *previous) take(dir, made string) error {
	was, err := os.Lstat(filepath.Join(p.dir, filepath.FromSlash(dir)))
	p.folders[dir] = p.folders[path.Dir(dir)] && err == nil && was.IsDir()
	if p.mode != 0 {
		return nil
	}
	now, err := os.Stat(made)
	if err == nil {
		p.mode = now.Mode().Perm() &^ 0o111
	}
	return err
}

// write makes a file, of another name of an old one if that is the same.
func (p *previous) write(file, name string, data []byte) error {
	old := filepath.Join(p.dir, filepath.FromSlash(file))
	if p.folders[path.Dir(file)] && holds(old, data, p.mode) && os.Link(old, name) == nil { // not every file system can
		return nil
	}
	return os.WriteFile(name, data, 0o644)
}

// holds tells whether a file has just these bytes and this mode.
func holds(name string, data []byte, mode fs.FileMode) bool {
	info, err := os.Lstat(name)
	if err != nil || info.Mode() != mode || info.Size() != int64(len(data)) {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	part := parts.Get().(*[]byte)
	defer parts.Put(part)
	for len(data) > 0 {
		n, err := f.Read(*part)
		if n > len(data) || !bytes.Equal((*part)[:n], data[:n]) || err != nil {
			return false
		}
		data = data[n:]
	}
	return true
}

// parts are what files are read into.
var parts = sync.Pool{New: func() any { return new(make([]byte, 64<<10)) }}
