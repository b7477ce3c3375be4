package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

	mu sync.Mutex
	// traces say what the files were made of.
	traces memo.Traces
	// states are those of the files when they were compared or written.
	states map[string]fileState
	// same are the files that are in the old output already.
	same []string
	// made counts the files, written those that are not in the old output.
	made, written int
}

// makeAll makes the files, and writes those that are not in the old output, the same byte for byte
// and for the same readers. One that the record knows to be the same is not even made.
func (t *output) makeAll(ctx context.Context, paths []string) error {
	for _, p := range paths {
		if name := filepath.FromSlash(p); !filepath.IsLocal(name) {
			return fmt.Errorf("%q: a file's name escapes the site's folder", p)
		}
	}
	if err := t.prepare(paths); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range paths {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := t.make(p)
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.made++; t.progress != nil {
				t.progress(t.made, len(paths))
			}
			return err
		})
	}
	return g.Wait()
}

// make makes a file, and writes it if the old output has another.
func (t *output) make(name string) error {
	was := t.was.traces[name]
	now, err := stateOf(t.path(t.old, name))
	if err != nil || now.Mode != t.mode || now != t.was.states[name] {
		was = memo.Trace{}
	}
	data, trace, ok, made := t.files.Make(name, was)
	if made != nil || !ok {
		return made
	}
	same := err == nil && now.Mode == t.mode
	if was.Key == (memo.Key{}) || trace.Key != was.Key {
		same = same && t.holds(name, now, data)
	}
	t.mu.Lock()
	if trace.Key != (memo.Key{}) {
		t.traces[name] = trace
	}
	if same {
		t.same, t.states[name] = append(t.same, name), now
	} else {
		t.written++
	}
	t.mu.Unlock()
	if same {
		return nil
	}
	return t.write(name, data)
}

// holds reports whether a file of the old output, which looks like this, has these bytes.
func (t *output) holds(name string, now fileState, data []byte) bool {
	file := t.path(t.old, name)
	if now.Size != int64(len(data)) || !hasBytes(file, data) {
		return false
	}
	after, err := stateOf(file)
	return err == nil && after == now
}

// known reports whether the record knows what all files were made of, and how they look.
func (t *output) known() bool {
	for name, trace := range t.traces {
		if was := t.was.traces[name]; was.Key != trace.Key || t.was.states[name] != t.states[name] {
			return false
		}
	}
	return len(t.traces) == len(t.was.traces)
}

// unchanged reports whether the old output has all files, and nothing else.
func (t *output) unchanged() bool {
	if t.written > 0 {
		return false
	}
	same := map[string]bool{}
	for _, name := range t.same {
		same[name] = true
	}
	left := len(same)
	err := filepath.WalkDir(t.old, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.old, name)
		rel = filepath.ToSlash(rel)
		if same[rel] {
			left--
		} else if err == nil && (!d.IsDir() || t.folders[rel] == nil) {
			return errForeignFile
		}
		return err
	})
	return err == nil && left == 0
}

var errForeignFile = errors.New("not a file of the site")

// linkAll gives the files that are the same a second name in the new output. That is half of the work of writing them, and
// it keeps the time of their change, by which rsync and servers tell what is new.
func (t *output) linkAll(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	compared := maps.Clone(t.states) // what is written below adds to t.states
	for _, name := range t.same {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if took, err := t.take(name, compared[name]); took || err != nil {
				return err
			}
			data, trace, ok, err := t.files.Make(name, memo.Trace{})
			if err != nil || !ok {
				return err
			}
			t.mu.Lock()
			if trace.Key != (memo.Key{}) {
				t.traces[name] = trace
			}
			t.mu.Unlock()
			return t.write(name, data)
		})
	}
	return g.Wait()
}

// take gives a file of the old output, which looked like this, a second name.
func (t *output) take(name string, was fileState) (took bool, err error) {
	in, err := t.folder(path.Dir(name))
	if err != nil {
		return false, err
	}
	to := t.path(t.new, name)
	if !in.was || t.link(t.path(t.old, name), to) != nil { // not every file system can
		return false, nil
	}
	// Another build may have put its site in the place of the old one meanwhile, so only what has its
	// name here is sure to be what was compared.
	if now, err := stateOf(to); err == nil && now.withoutChangeTime() == was.withoutChangeTime() {
		return true, nil
	}
	return false, os.Remove(to) // and not written over: it is that site's too
}

// write makes a file.
func (t *output) write(name string, data []byte) error {
	if _, err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	if err := os.WriteFile(t.path(t.new, name), data, 0o644); err != nil {
		return err
	}
	now, err := stateOf(t.path(t.new, name))
	t.mu.Lock()
	t.states[name] = now
	t.mu.Unlock()
	return err
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
	t.traces, t.states = memo.Traces{}, map[string]fileState{}
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

// hasBytes reports whether a file has just these bytes.
func hasBytes(name string, data []byte) bool {
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
