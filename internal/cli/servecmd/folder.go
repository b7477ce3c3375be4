package servecmd

import (
	"io/fs"
	"os"
	"sync/atomic"
)

// A siteFolder is the folder that the site's path leads to now. An open folder stays the same when
// it is moved or removed, but after a checkout, or when a link is changed, its path may lead to
// another one.
type siteFolder struct {
	path string // absolute
	root atomic.Pointer[os.Root]
}

func openSiteFolder(path string) (*siteFolder, error) {
	f := &siteFolder{path: path}
	_, err := f.reopen()
	return f, err
}

// reopen opens the folder that is at the path now, and reports whether it differs from the one
// before. If the path does not exist, the last folder stays open. An old folder is not closed, because a page of an
// earlier build may be reading a file of it: the garbage collector closes it.
func (f *siteFolder) reopen() (moved bool, err error) {
	now, err := os.Stat(f.path)
	if err != nil {
		return false, err
	}
	if root := f.root.Load(); root != nil {
		if was, err := root.Stat("."); err == nil && os.SameFile(was, now) {
			return false, nil
		}
	}
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return false, err
	}
	f.root.Store(root)
	return true, nil
}

func (f *siteFolder) fs() fs.FS { return f.root.Load().FS() }

func (f *siteFolder) Open(name string) (fs.File, error) { return f.fs().Open(name) }

func (f *siteFolder) ReadFile(name string) ([]byte, error) { return fs.ReadFile(f.fs(), name) }

func (f *siteFolder) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.fs(), name) }

func (f *siteFolder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.fs(), name) }

func (f *siteFolder) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.fs(), name) }

func (f *siteFolder) ReadLink(name string) (string, error) { return fs.ReadLink(f.fs(), name) }
