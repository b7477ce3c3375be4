package publish

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// An output is a folder that is being written, beside the one that it replaces. Only this build writes into it, so no
// link in it can lead out of it: the names of files are checked instead, and each file costs the system one look-up of
// its path.
type output struct {
	old, new string
	files    Files
	before   record             // of the old output
	folders  map[string]*folder // all folders of the files, by path
	// mode is that of a file that is written now: one that was written under another umask is
	// not what its readers need.
	mode     fs.FileMode
	link     func(old, new string) error
	leaveOut func(name string, err error) bool
	progress func(done, all int)

	mu sync.Mutex
	// now has the traces of the files, and their states when they were compared or written.
	now record
	// same are the files that the old output has already.
	same map[string]fileState
	// done counts the files, written those that the old output lacks.
	done, written int
}

// parallel calls f for each of some files, on all CPUs.
func parallel(ctx context.Context, names iter.Seq[string], f func(name string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for name := range names {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(name)
		})
	}
	return g.Wait()
}

// makeAll makes the files, and writes those that are not in the old output, the same byte for byte
// and for the same readers. A file that is the same by the record is not even made.
func (t *output) makeAll(ctx context.Context, paths []string) error {
	if err := t.prepare(paths); err != nil {
		return err
	}
	return parallel(ctx, slices.Values(paths), func(name string) error {
		err := t.make(name)
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.done++; t.progress != nil {
			t.progress(t.done, len(paths))
		}
		return err
	})
}

// make makes a file, and writes it if the old output has another.
func (t *output) make(name string) error {
	recorded := t.before.traces[name]
	state, err := stateOf(t.path(t.old, name))
	exists := err == nil && state.Mode == t.mode
	if !exists || state != t.before.states[name] {
		recorded = memo.Trace{}
	}
	data, trace, ok, err := t.makeFile(name, recorded)
	if err != nil || !ok {
		return err
	}
	taken := recorded.Key != (memo.Key{}) && trace.Key == recorded.Key
	same := exists && (taken || t.holds(name, state, data))
	t.mu.Lock()
	t.setTrace(name, trace)
	if same {
		t.same[name], t.now.states[name] = state, state
	} else {
		t.written++
	}
	t.mu.Unlock()
	if same {
		return nil
	}
	return t.write(name, data)
}

// makeFile makes a file. ok is false if the site has none of that name, or is published without it.
func (t *output) makeFile(name string, earlier memo.Trace) (data []byte, trace memo.Trace, ok bool, err error) {
	if data, trace, ok, err = t.files.Make(name, earlier); err != nil && t.leaveOut != nil && t.leaveOut(name, err) {
		return nil, memo.Trace{}, false, nil
	}
	return data, trace, ok, err
}

// setTrace records a trace, if it is known. The lock is held.
func (t *output) setTrace(name string, trace memo.Trace) {
	if trace.Key != (memo.Key{}) {
		t.now.traces[name] = trace
	}
}

// holds reports whether a file of the old output, which has a state, has these bytes.
func (t *output) holds(name string, state fileState, data []byte) bool {
	if state.Size != int64(len(data)) {
		return false
	}
	file := t.path(t.old, name)
	found, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(found, data) {
		return false
	}
	after, err := stateOf(file)
	return err == nil && after == state
}

// known reports whether the record knows what all files were made of, and their states.
func (t *output) known() bool {
	for name, trace := range t.now.traces {
		if t.before.traces[name].Key != trace.Key || t.before.states[name] != t.now.states[name] {
			return false
		}
	}
	return len(t.now.traces) == len(t.before.traces)
}

// unchanged reports whether the old output has all files, and nothing else.
func (t *output) unchanged() bool {
	if t.written > 0 {
		return false
	}
	left := len(t.same)
	err := filepath.WalkDir(t.old, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.old, name)
		rel = filepath.ToSlash(rel)
		if _, same := t.same[rel]; same {
			left--
		} else if err == nil && (!d.IsDir() || t.folders[rel] == nil) {
			return errForeignFile
		}
		return err
	})
	return err == nil && left == 0
}

var errForeignFile = errors.New("not a file of the site")

// linkAll gives the files that are the same a second name in the new output. That is half of the work of writing them,
// and it keeps their modification time, by which rsync and servers recognise new files.
func (t *output) linkAll(ctx context.Context) error {
	return parallel(ctx, maps.Keys(t.same), func(name string) error {
		if linked, err := t.linkOne(name); linked || err != nil {
			return err
		}
		data, trace, ok, err := t.makeFile(name, memo.Trace{})
		if err != nil || !ok {
			return err
		}
		t.mu.Lock()
		t.setTrace(name, trace)
		t.mu.Unlock()
		return t.write(name, data)
	})
}

// linkOne gives a file of the old output a second name, unless it is not the same any more.
func (t *output) linkOne(name string) (linked bool, err error) {
	in, err := t.folder(path.Dir(name))
	if err != nil {
		return false, err
	}
	to := t.path(t.new, name)
	if !in.existed || t.link(t.path(t.old, name), to) != nil { // not every file system can
		return false, nil
	}
	// Another build may have put its site in the place of the old one meanwhile, so only what has its
	// name here is sure to be what was compared.
	if state, err := stateOf(to); err == nil && state.withoutChangeTime() == t.same[name].withoutChangeTime() {
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
	state, err := stateOf(t.path(t.new, name))
	t.mu.Lock()
	t.now.states[name] = state
	t.mu.Unlock()
	return err
}

func (t *output) path(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// A folder is created with its first file: most pages have one of their own, and creating ten thousand ahead, one
// after the other, would leave the other CPUs idle.
type folder struct {
	once sync.Once
	err  error
	// existed is set if the old output has the folder too. A symbolic link does not count: somebody may change at any
	// time what it leads to.
	existed bool
}

// prepare readies the folders of the files.
func (t *output) prepare(paths []string) (err error) {
	if t.mode, err = modeIn(t.new); err != nil {
		return err
	}
	top := &folder{existed: true}
	top.once.Do(func() {}) // it is there
	t.folders = map[string]*folder{".": top}
	t.now, t.same = newRecord(), map[string]fileState{}
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

// folder creates a folder and its parents if they do not exist.
func (t *output) folder(dir string) (*folder, error) {
	f := t.folders[dir]
	f.once.Do(func() { f.err = t.createFolder(f, dir) })
	return f, f.err
}

func (t *output) createFolder(f *folder, dir string) error {
	above, err := t.folder(path.Dir(dir))
	if err != nil {
		return err
	}
	if err := os.Mkdir(t.path(t.new, dir), 0o755); err != nil {
		return err
	}
	info, err := os.Lstat(t.path(t.old, dir))
	f.existed = above.existed && err == nil && info.IsDir()
	return nil
}
