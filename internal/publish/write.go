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

	"github.com/gpudocs/gpudocs/internal/memo"
)

// An output is in the making, beside the one that it replaces. It is this build's alone, so that
// there is no link in it that could lead out: names are looked at instead, and each file costs the
// system one look-up of its path.
type output struct {
	old, new string
	files    Files
	was      record
	folders  map[string]*folder // all that the files lie in, by path
	// mode is that of a file that is written now: one that was written under another umask is
	// not what its readers need.
	mode     fs.FileMode
	link     func(old, new string) error
	progress func(done, all int)
}

// writeAll writes the files, and returns what they were made of. A file that is in the old folder,
// the same byte for byte and for the same readers, is not written again: it gets a second name here,
// by link. That is half of the work, and it keeps the time of its change, by which rsync and servers
// tell what is new. One that the record knows to be the same is not even made.
func (t *output) writeAll(ctx context.Context, paths []string) (memo.Traces, error) {
	for _, p := range paths {
		if name := filepath.FromSlash(p); !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q: a file's name escapes the site's folder", p)
		}
	}
	if err := t.prepare(paths); err != nil {
		return nil, err
	}
	traces := memo.Traces{}
	var mu sync.Mutex
	done := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range paths {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			trace, err := t.file(p)
			mu.Lock()
			defer mu.Unlock()
			if trace.Key != (memo.Key{}) {
				traces[p] = trace
			}
			if done++; t.progress != nil {
				t.progress(done, len(paths))
			}
			return err
		})
	}
	return traces, g.Wait()
}

// file makes and writes a file, or takes that of the old output.
func (t *output) file(name string) (memo.Trace, error) {
	was := t.was.traces[name]
	if was.Key != (memo.Key{}) {
		if now, err := lookOf(t.path(t.old, name)); err != nil || now != t.was.looks[name] || now.Mode != t.mode {
			was = memo.Trace{}
		}
	}
	data, now, ok, err := t.files.Make(name, was)
	if err != nil || !ok {
		return memo.Trace{}, err
	}
	if now.Key != (memo.Key{}) && now.Key == was.Key {
		if took, err := t.take(name); took || err != nil {
			return now, err
		}
		if data, now, ok, err = t.files.Make(name, memo.Trace{}); err != nil || !ok {
			return memo.Trace{}, err
		}
	}
	return now, t.write(name, data)
}

// take gives the recorded file of the old output a second name.
func (t *output) take(name string) (took bool, err error) {
	in, err := t.folder(path.Dir(name))
	if err != nil {
		return false, err
	}
	to := t.path(t.new, name)
	if !in.was || t.link(t.path(t.old, name), to) != nil {
		return false, nil
	}
	// Another build may have put its site in the place of the old one meanwhile.
	if now, err := lookOf(to); err == nil && now.linked() == t.was.looks[name].linked() {
		return true, nil
	}
	return false, os.Remove(to)
}

func (t *output) path(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// A folder is made when its first file is: most pages have one of their own, and while ten
// thousand were made ahead, one after the other, the other CPUs had nothing to do.
type folder struct {
	once sync.Once
	err  error
	// was tells that the old output has it too. What a link leads to is somebody's,
	// who may change it at any time.
	was bool
}

// prepare readies the folders of the files.
func (t *output) prepare(paths []string) (err error) {
	if t.mode, err = modeIn(t.new); err != nil {
		return err
	}
	top := &folder{was: true}
	top.once.Do(func() {}) // it is there
	t.folders = map[string]*folder{".": top}
	for _, p := range paths {
		for dir := path.Dir(p); t.folders[dir] == nil; dir = path.Dir(dir) {
			t.folders[dir] = &folder{}
		}
	}
	return nil
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
func (t *output) folder(dir string) (*folder, error) {
	f := t.folders[dir]
	f.once.Do(func() { f.err = t.makeFolder(f, dir) })
	return f, f.err
}

func (t *output) makeFolder(f *folder, dir string) error {
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
func (t *output) write(file string, data []byte) error {
	in, err := t.folder(path.Dir(file))
	if err != nil {
		return err
	}
	name, old := t.path(t.new, file), t.path(t.old, file)
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
