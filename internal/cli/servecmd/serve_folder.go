package servecmd

import (
	"io/fs"
	"os"
	"sync/atomic"
)

// A siteFolder is the folder that the site's path leads to, now. An open folder stays
// the same when it is moved or removed; who checks out another branch, and this one
// again, or lets a link lead elsewhere, has another under its name.
type siteFolder struct {
	path string // absolute
	root atomic.Pointer[os.Root]
}

func openSiteFolder(path string) (*siteFolder, error) {
	f := &siteFolder{path: path}
	_, err := f.reopen()
	return f, err
}

// reopen takes the folder that is there now. Without one the last stays. That is not
// closed: a page of an earlier build may be reading a file of it, and the collector
// closes it in the end. moved tells that it is another folder than before, in which
// nothing need be as it was.
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
