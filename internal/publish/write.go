package publish

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// An output is a folder that is being written, beside the one that it replaces. Only this build writes into it, so no
// link in it can lead out of it: the names of files are checked instead, and each file costs the system one look-up of
// its path.
type output struct {
	old, new string
	files    Files
	folders  map[string]*folder // all folders of the files, by path
	// mode is that of a file that is written now: one that was written under another umask is
	// not what its readers need.
	mode     fs.FileMode
	link     func(old, new string) error
	leaveOut func(name string, err error) bool
	progress func(done, all int)

	mu sync.Mutex
	// kept are the files that the old output has already.
	kept map[string]bool
	// done counts the files, written those that the old output lacks.
	done, written int
}

// makeAll makes the files, on all CPUs. It links those that are in the old output, the same byte for byte and for the same
// readers, and writes the others.
func (t *output) makeAll(ctx context.Context, paths []string) error {
	if err := t.prepare(paths); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, name := range paths {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := t.make(name)
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.done++; t.progress != nil {
				t.progress(t.done, len(paths))
			}
			return err
		})
	}
	return g.Wait()
}

// make makes a file, unless the site has none of that name, or is published without it.
func (t *output) make(name string) error {
	data, ok, err := t.files.File(name)
	if err != nil && t.leaveOut != nil && t.leaveOut(name, err) || err == nil && !ok {
		return nil
	} else if err != nil {
		return err
	}
	in, err := t.folder(path.Dir(name))
	if err != nil {
		return err
	}
	kept := false
	if in.existed {
		if kept, err = t.keep(name, data); err != nil {
			return err
		}
	}
	if !kept {
		err = os.WriteFile(filepath.Join(t.new, filepath.FromSlash(name)), data, 0o644)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if kept {
		t.kept[name] = true
	} else {
		t.written++
	}
	return err
}

// keep gives a file of the old output a second name in the new one, if it has these bytes. That is half of the work of
// writing it, and it keeps its modification time, by which rsync and servers recognise new files.
func (t *output) keep(name string, data []byte) (kept bool, err error) {
	from, to := filepath.Join(t.old, filepath.FromSlash(name)), filepath.Join(t.new, filepath.FromSlash(name))
	if !t.mayBe(from, data) || t.link(from, to) != nil { // not every file system can link
		return false, nil
	}
	// Another build may have put its site in the place of the old one meanwhile, so what counts is what has its name here.
	if found, err := os.ReadFile(to); err == nil && t.mayBe(to, data) && bytes.Equal(found, data) {
		return true, nil
	}
	return false, os.Remove(to) // and not written over: it is that site's too
}

// mayBe reports whether a file is one of the mode and size that data would be written with.
func (t *output) mayBe(file string, data []byte) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode() == t.mode && info.Size() == int64(len(data))
}

// unchanged reports whether the old output has all files, and nothing else.
func (t *output) unchanged() bool {
	if t.written > 0 {
		return false
	}
	left := len(t.kept)
	err := filepath.WalkDir(t.old, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.old, name)
		rel = filepath.ToSlash(rel)
		if t.kept[rel] {
			left--
		} else if err == nil && (!d.IsDir() || t.folders[rel] == nil) {
			return errForeignFile
		}
		return err
	})
	return err == nil && left == 0
}

var errForeignFile = errors.New("not a file of the site")

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
	t.folders, t.kept = map[string]*folder{".": top}, map[string]bool{}
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
	if err := os.Mkdir(filepath.Join(t.new, filepath.FromSlash(dir)), 0o755); err != nil {
		return err
	}
	info, err := os.Lstat(filepath.Join(t.old, filepath.FromSlash(dir)))
	f.existed = above.existed && err == nil && info.IsDir()
	return nil
}
