package project

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Reader reads a site for one build after the other. It alone decides which paths matter to a build, and what a
// build reads again because they have changed.
type Reader struct {
	*Project
	content *load.Loader
	missed  bool // the last changes were not read
	// kept are the reports that were read last, with their diagnostics and the file of signers that was used.
	kept struct {
		valid   bool
		reports []Report
		diags   diag.List
		signers string
	}

	mu sync.Mutex
	// signers is the path of the file of signers, included are the files that pages include, in any folder of the site,
	// and the bibliography. searched are the folders in which new files may be needed.
	signersFile        string
	included, searched []string
}

// NewReader opens a project to be read again and again, as authors see it.
func NewReader(dir string) (*Reader, error) {
	f := &folder{path: dir}
	if _, err := f.reopen(); err != nil {
		return nil, err
	}
	r := &Reader{Project: &Project{Dir: dir, FS: f}, content: load.NewLoader(f, load.Options{Drafts: true, Editing: true})}
	if c, _ := config.Read(f); c != nil {
		r.signersFile = c.AllowedSigners
	}
	return r, nil
}

// After returns the inputs of a build after some paths have changed. If none is named, all may have. The error says
// that the folder is gone.
func (r *Reader) After(changed []string) (Inputs, error) {
	moved, err := r.FS.(*folder).reopen()
	if err != nil {
		r.missed = true
		return Inputs{}, err
	}
	if moved || r.missed {
		changed = nil
	}
	r.missed = false
	c := load.NewChanges(changed)
	if c.Touch(ResultsDir) || c.Touch(r.kept.signers) || len(r.kept.diags) > 0 || len(Unreadable(r.kept.reports)) > 0 {
		r.kept.valid = false
	}
	return Inputs{Content: func() (*site.Site, diag.List) { return r.readContent(changed) }, Reports: r.keptReports}, nil
}

func (r *Reader) readContent(changed []string) (*site.Site, diag.List) {
	s, diags := r.content.Load(changed)
	if s != nil { // even with errors: a missing file may be added
		r.mu.Lock()
		r.included, r.searched = s.Included, s.Searched
		r.signersFile = s.Config.AllowedSigners
		r.mu.Unlock()
	}
	return s, diags
}

func (r *Reader) keptReports(c *site.Config) ([]Report, diag.List) {
	signers := ""
	if c != nil {
		signers = c.AllowedSigners
	}
	if k := &r.kept; !k.valid || signers != k.signers {
		k.reports, k.diags = r.readReports(c)
		k.valid, k.signers = !r.linked(signers), signers
	}
	return r.kept.reports, slices.Clone(r.kept.diags)
}

// linked reports whether a report or the file of signers is a symbolic link, which can change under another name.
func (r *Reader) linked(signers string) bool {
	isLink := func(name string) bool {
		info, err := fs.Lstat(r.FS, name)
		return err == nil && info.Mode()&fs.ModeSymlink != 0
	}
	entries, _ := fs.ReadDir(r.FS, ResultsDir) // without the folder there are none
	return isLink(ResultsDir) || signers != "" && isLink(signers) ||
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 })
}

// Ignores reports whether builds do not read a path.
func (r *Reader) Ignores(name string, dir bool) bool {
	r.mu.Lock()
	files, searched := append([]string{r.signersFile}, r.included...), r.searched
	r.mu.Unlock()
	above := func(file string) bool { return dir && strings.HasPrefix(file, name+"/") }
	if slices.ContainsFunc(files, func(f string) bool { return name == f || above(f) }) {
		return false
	}
	for _, f := range searched {
		if name == f || strings.HasPrefix(name, f+"/") && !sitefile.IsHidden(name[len(f):]) || above(f) {
			return false
		}
	}
	top, _, _ := strings.Cut(name, "/")
	switch top {
	case sitefile.ContentFolder, ResultsDir, ThemesDir, site.ConfigFile:
		_, temporary := atomicfile.Target(path.Base(name))
		return temporary || dir && strings.HasPrefix(path.Base(name), ".")
	}
	return true
}

// Folders returns the folders of the files that pages include or search.
func (r *Reader) Folders() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	add := func(dir string) {
		for ; dir != "."; dir = path.Dir(dir) {
			list = append(list, dir)
		}
	}
	for _, f := range r.included {
		add(path.Dir(f))
	}
	for _, dir := range r.searched {
		add(dir)
	}
	slices.Sort(list) // a folder before what is in it
	return slices.Compact(list)
}

// A folder is the one that a path leads to now. An open folder stays the same when
// it is moved or removed, but after a checkout, or when a link is changed, its path may lead to
// another one.
type folder struct {
	path string // absolute
	mu   sync.Mutex
	root *os.Root
}

// reopen opens the folder that is at the path now, and reports whether it differs from the one
// before. If the path does not exist, the last folder stays open. An old folder is not closed, because a page of an
// earlier build may be reading a file of it: the garbage collector closes it.
func (f *folder) reopen() (moved bool, err error) {
	now, err := os.Stat(f.path)
	if err != nil {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root != nil {
		if was, err := f.root.Stat("."); err == nil && os.SameFile(was, now) {
			return false, nil
		}
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return false, err
	}
	f.root = root
	return true, nil
}

// A rootFS is what a folder and its files can be asked.
type rootFS interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
}

func (f *folder) fs() rootFS {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.root.FS().(rootFS)
}

func (f *folder) Open(name string) (fs.File, error)          { return f.fs().Open(name) }
func (f *folder) ReadFile(name string) ([]byte, error)       { return f.fs().ReadFile(name) }
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) { return f.fs().ReadDir(name) }
func (f *folder) Stat(name string) (fs.FileInfo, error)      { return f.fs().Stat(name) }
func (f *folder) Lstat(name string) (fs.FileInfo, error)     { return f.fs().Lstat(name) }
func (f *folder) ReadLink(name string) (string, error)       { return f.fs().ReadLink(name) }
