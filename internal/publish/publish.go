// Package publish writes the files of a site into a folder, so that the folder always holds either the old site or the new
// one, complete.
//
// [Write] writes the files into a new folder beside the output, which then takes its place: by one atomic exchange if the
// file system supports it (Linux, macOS), else by two renames. Files that are the same as in the output are linked, not
// written again; if all are the same, nothing is written. A build that fails or is killed leaves the previous output
// untouched or the new one complete. Only a build that is killed between two renames leaves none; the next build puts the
// old one back first.
//
// Builds into the same output may run at once: each swaps in its own folder, and the last one stays. A build holds a lock
// on the folder that it writes into, which ends with the process, so that the next build removes what killed builds have
// left, and nothing else. If folders cannot be locked (Windows, some network file systems), it removes what is older than
// an hour.
//
// Nothing is forced onto the disk: after a power failure files may be missing, and the site must be built again.
//
// Reading order: publish.go checks the output and swaps the folders, possible.go checks the names of the files, beside.go
// manages the folders beside the output, write.go makes and writes the files.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/text"
)

// Files are what is published: in practice a [render.Site].
type Files interface {
	// Paths returns the names of all files.
	Paths() []string
	// File makes a file. ok is false if there is no such file.
	File(name string) (data []byte, ok bool, err error)
}

// Options for [Write].
type Options struct {
	// LeaveOut reports whether the site is published without a file that could not be made. Several
	// goroutines call it. If it is nil, no file is left out.
	LeaveOut func(name string, err error) bool
	// Progress is called with the number of finished files, by several goroutines. It may be nil.
	Progress func(done, all int)
}

// markers are files of which every published site has one, the second if an older gpudocs made it. A folder without any
// was not made by gpudocs and is never replaced.
var markers = []string{"_theme/*/chroma.css", "_theme/chroma.css"}

// ErrForeign is the error for an output folder that holds something else.
var ErrForeign = text.Say("cli.output-foreign")

// ErrMount is the error for an output folder that is a mount point, which no folder can replace.
var ErrMount = text.Say("cli.output-mount-point")

// A LeftError reports that the new site is published, but the old one could not be removed.
type LeftError struct {
	Dir string // the folder of the old site
	Err error
}

func (e *LeftError) Error() string { return e.In(text.Catalog{}) }

// In returns the message in the language of a catalog.
func (e *LeftError) In(c text.Catalog) string {
	return c.Say(text.Say("cli.output-old-kept", "folder", e.Dir, "why", e.Err))
}

func (e *LeftError) Unwrap() error { return e.Err }

// Check returns an error if the folder must not be replaced by a site.
func Check(dir string) error {
	for range 100 {
		folder, err := os.OpenRoot(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		found := check(folder)
		// Another build may have replaced the folder, and be removing what was checked. While it is open, no other folder
		// is the same file.
		opened, errOpened := folder.Stat(".")
		now, err := os.Stat(dir)
		folder.Close()
		if found == nil || errors.Join(err, errOpened) == nil && os.SameFile(opened, now) {
			return found
		}
	}
	return fmt.Errorf("%s: the folder is replaced again and again", dir)
}

func check(folder *os.Root) error {
	entries, err := fs.ReadDir(folder.FS(), ".")
	switch {
	case err != nil:
		return err
	case isMount(folder.Name()):
		return text.Say("cli.output-mount-point", "folder", folder.Name())
	case len(entries) == 0:
		return nil
	}
	if _, err := folder.Lstat(".git"); err == nil { // no site has one, and it holds work
		return text.Say("cli.output-foreign", "folder", folder.Name())
	}
	for _, marker := range markers {
		if found, _ := fs.Glob(folder.FS(), marker); len(found) > 0 {
			return nil
		}
	}
	return text.Say("cli.output-foreign", "folder", folder.Name())
}

// Write publishes the files as the folder dir. If it returns a [LeftError], they are published.
func Write(ctx context.Context, dir string, files Files, o Options) error {
	return write(ctx, dir, files, o, exchange)
}

func write(ctx context.Context, dir string, files Files, o Options, exchange func(a, b string) error) error {
	if err := Check(dir); err != nil {
		return err
	}
	dir, err := target(dir)
	if err != nil {
		return err
	}
	paths := files.Paths()
	if err := possible(paths); err != nil {
		return err
	}
	parent, base := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	sweep(dir)
	tmp, release, err := newFolder(parent, base)
	if err != nil {
		return err
	}
	defer release()
	out := &output{old: dir, new: tmp, files: files, link: os.Link, leaveOut: o.LeaveOut, progress: o.Progress}
	err = out.makeAll(ctx, paths)
	if err == nil && out.unchanged() {
		return os.RemoveAll(tmp)
	}
	old := ""
	if err == nil {
		old, err = swap(tmp, dir, exchange)
	}
	if err != nil {
		_ = os.RemoveAll(tmp)
		return err
	}
	if err := os.RemoveAll(old); err != nil {
		return &LeftError{old, err}
	}
	return nil
}

// target returns the folder to replace. If dir is a symbolic link, that is where it leads to, which need not exist.
func target(dir string) (string, error) {
	for range 40 {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
			break
		}
		to, err := os.Readlink(dir)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(dir), to)
		}
		dir = to
	}
	return filepath.Abs(dir)
}

// swap puts the new folder in the place of the old one, and returns where the old one is now. If meanwhile another build
// does the same, or the output is removed by hand, swap tries again.
func swap(tmp, dir string, exchange func(a, b string) error) (old string, err error) {
	for range 100 {
		if err := Check(dir); err != nil { // it may have changed meanwhile
			return "", err
		}
		if os.Rename(tmp, dir) == nil { // works if dir does not exist
			return tmp, nil
		}
		if exchange(tmp, dir) == nil {
			return tmp, nil
		}
		if old, err = renameBoth(tmp, dir); err == nil {
			return old, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if errors.Is(err, syscall.EBUSY) {
		err = text.Say("cli.output-mount-point", "folder", dir)
	}
	return "", err
}

// renameBoth swaps the folders on file systems that cannot exchange them.
func renameBoth(tmp, dir string) (old string, err error) {
	if release, err := hold(dir); err == nil { // else another build would take it for abandoned
		defer release()
	}
	old = tmp + oldSuffix
	if err := os.Rename(dir, old); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); errors.Is(err, fs.ErrExist) {
		// Another build's is there already. The old one must not come back when that is renamed in turn: a third
		// build may be removing it.
		_ = os.RemoveAll(old)
		return "", err
	} else if err != nil {
		return "", errors.Join(err, os.Rename(old, dir))
	}
	return old, nil
}
