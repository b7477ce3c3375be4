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
	"sync"

	"golang.org/x/sync/errgroup"
)

// writeAll writes the files into an empty folder that is this build's alone, so that there is no
// link in it that could lead out: names are looked at instead, and each file costs the system one
// look-up of its path. A file that is in the old folder, the same byte for byte and for the same readers, is not written
// again: it gets a second name here, by link. That is half of the work, and it keeps the time of its
// change, by which rsync and servers tell what is new.
func writeAll(ctx context.Context, old, tmp string, files Files, link func(old, new string) error) error {
	paths := files.Paths()
	for _, p := range paths {
		if name := filepath.FromSlash(p); !filepath.IsLocal(name) {
			return fmt.Errorf("%q: a file's name escapes the site's folder", p)
		}
	}
	out, err := newTree(old, tmp, paths, link)
	if err != nil {
		return err
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
			return out.write(p, data)
		})
	}
	return g.Wait()
}

// A tree is an output in the making, and the one that it replaces.
type tree struct {
	old, new string
	folders  map[string]*folder // all that the files lie in, by path
	// mode is that of a file that is written now: one that was written under another umask is
	// not what its readers need.
	mode fs.FileMode
	link func(old, new string) error
}

// A folder is made when its first file is: most pages have one of their own, and while ten
// thousand were made ahead, one after the other, the other CPUs had nothing to do.
type folder struct {
	once sync.Once
	err  error
	// was tells that the old output has it too. What a link leads to is somebody's,
	// who may change it at any time.
	was bool
}

func newTree(old, tmp string, paths []string, link func(old, new string) error) (*tree, error) {
	mode, err := modeIn(tmp)
	if err != nil {
		return nil, err
	}
	top := &folder{was: true}
	top.once.Do(func() {}) // it is there
	t := &tree{old, tmp, map[string]*folder{".": top}, mode, link}
	for _, p := range paths {
		for dir := path.Dir(p); t.folders[dir] == nil; dir = path.Dir(dir) {
			t.folders[dir] = &folder{}
		}
	}
	return t, nil
}

// modeIn tries which mode a file gets in an empty folder.
func modeIn(dir string) (fs.FileMode, error) {
	name := filepath.Join(dir, "mode")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		return 0, err
	}
	info, err := os.Lstat(name)
	if err != nil {
		return 0, err
	}
	return info.Mode(), os.Remove(name)
}

// folder makes a folder, and those that it lies in, if nobody has.
func (t *tree) folder(dir string) (*folder, error) {
	f := t.folders[dir]
	f.once.Do(func() { f.err = t.makeFolder(f, dir) })
	return f, f.err
}

func (t *tree) makeFolder(f *folder, dir string) error {
	above, err := t.folder(path.Dir(dir))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(t.new, filepath.FromSlash(dir)), 0o755); err != nil {
		return err
	}
	was, err := os.Lstat(filepath.Join(t.old, filepath.FromSlash(dir)))
	f.was = above.was && err == nil && was.IsDir()
	return nil
}

// write makes a file, of another name of an old one if that is the same.
func (t *tree) write(file string, data []byte) error {
	in, err := t.folder(path.Dir(file))
	if err != nil {
		return err
	}
	name := filepath.Join(t.new, filepath.FromSlash(file))
	old := filepath.Join(t.old, filepath.FromSlash(file))
	if in.was && looksLike(old, data, t.mode) && t.link(old, name) == nil { // not every file system can
		// Another build may have put its site in the place of the old one meanwhile, so
		// only what has its name here is sure to be what is read.
		if holds(name, data, t.mode) {
			return nil
		}
		if err := os.Remove(name); err != nil { // and not written over: it is that site's too
			return err
		}
	}
	return os.WriteFile(name, data, 0o644)
}

// looksLike reports whether a file has this mode and as many bytes.
func looksLike(name string, data []byte, mode fs.FileMode) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode() == mode && info.Size() == int64(len(data))
}

// holds reports whether a file has just these bytes and this mode.
func holds(name string, data []byte, mode fs.FileMode) bool {
	if !looksLike(name, data, mode) {
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
