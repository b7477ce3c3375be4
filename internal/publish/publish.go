// Package publish writes a site's files into a folder so that the folder holds
// either the old site or the new one, whole.
//
// The files are written into a new folder beside the output, which then takes
// its place: by one atomic exchange where the file system can do that (Linux,
// macOS), else by two renames. What is the same as in the output has a second name there
// and is not written again; if all is the same, nothing is written. A build that fails, or is killed at whatever moment,
// leaves the previous output untouched, or the new one finished. If there are two
// renames, one that is killed between them leaves none; the next build puts the
// old one back before anything else.
//
// Builds into the same output may run at once: each swaps in its own, and the last
// one stays. A build holds a lock on the folder that it writes into, which ends with
// the process, so that the next build removes what a killed one has left, and
// nothing else; where there are no locks (Windows, some network file systems), it
// removes what is older than an hour.
//
// All this is about programs that end, not about power that does: nothing is forced
// onto the disk. What the system has not written when the power fails may be missing;
// build again then.
package publish

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Files are what is published: a [render.Site], in practice.
type Files interface {
	// PathsBeside returns the names of all files. existing returns the names of the files below a
	// folder that were made together with a key, or nil.
	PathsBeside(existing func(folder string, key memo.Key) []string) []string
	// Make makes a file, unless it is the same as the one that has a trace: then it returns that trace. ok is
	// false if there is no such file.
	Make(path string, was memo.Trace) (data []byte, now memo.Trace, ok bool, err error)
}

// Options for [Write].
type Options struct {
	// Records is the folder in which is remembered what outputs were made of, so that the next
	// build makes only what has changed. It can be removed at any time. If it is empty, everything
	// is made.
	Records string
	// Progress is told how many files are written, by several goroutines. It may be nil.
	Progress func(done, all int)
}

// markers are the files of which every published site has one, the second if
// an older gpudocs made it; a folder without any was not made by gpudocs and is never replaced.
var markers = []string{"_theme/*/chroma.css", "_theme/chroma.css"}

// ErrForeign is returned for an output folder that holds something else.
var ErrForeign = text.Say("cli.output-foreign")

// ErrMount is returned for an output folder that another file system is mounted on, or
// that is bound there: no folder takes its place.
var ErrMount = text.Say("cli.output-mount-point")

// A LeftError says that the new site is published, and that the old one could not
// be removed.
type LeftError struct {
	Dir string // where the old one is
	Err error
}

func (e *LeftError) Error() string { return e.In(text.Catalog{}) }

// In words the error.
func (e *LeftError) In(c text.Catalog) string {
	return c.Say(text.Say("cli.output-old-kept", "folder", e.Dir, "why", e.Err))
}

func (e *LeftError) Unwrap() error { return e.Err }

// Check reports whether the folder may be replaced by a site.
func Check(dir string) error {
	for range 100 {
		before, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		found := check(dir)
		// Another build may have replaced the folder, and be removing what was checked. A new folder may have
		// the inode of one that was removed, so a folder counts as foreign only if it is so again.
		after, err := os.Stat(dir)
		if found == nil || err == nil && os.SameFile(before, after) && check(dir) != nil && check(dir) != nil {
			return found
		}
	}
	return fmt.Errorf("%s: the folder is replaced again and again", dir)
}

func check(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return err
	case isMount(dir):
		return text.Say("cli.output-mount-point", "folder", dir)
	case len(entries) == 0:
		return nil
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil { // no site has one, and it holds work
		return text.Say("cli.output-foreign", "folder", dir)
	}
	for _, marker := range markers {
		if found, _ := fs.Glob(os.DirFS(dir), marker); len(found) > 0 {
			return nil
		}
	}
	return text.Say("cli.output-foreign", "folder", dir)
}

// Write publishes the files as the folder dir. With a [LeftError] it has.
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
	file, recorded := "", newRecord()
	if o.Records != "" {
		file = filepath.Join(o.Records, fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:32])
		recorded = readRecord(file, dir)
	}
	paths := files.PathsBeside(recorded.traces.InFolder)
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
	out := &output{old: dir, new: tmp, files: files, before: recorded, link: os.Link, progress: o.Progress}
	before, _ := os.Stat(dir) // it need not be there
	err = out.makeAll(ctx, paths)
	if err == nil && out.unchanged() {
		if file != "" && !out.known() {
			out.writeRecord(ctx, file, dir, before)
		}
		return os.RemoveAll(tmp)
	}
	if err == nil {
		err = out.linkAll(ctx)
	}
	old := tmp
	var ours fs.FileInfo
	if err == nil {
		ours, err = os.Stat(tmp)
	}
	if err == nil {
		old, err = swap(tmp, dir, exchange)
	}
	if err != nil {
		_ = os.RemoveAll(tmp)
		return err
	}
	err = os.RemoveAll(old)
	if file != "" {
		out.writeRecord(ctx, file, dir, ours) // now that the files have no second names, whose removal changes them
	}
	if err != nil {
		return &LeftError{old, err}
	}
	return nil
}

// target is the folder to replace: where dir is a link, the one it leads to, which need
// not be there yet.
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

// swap puts the new folder in the place of the old one, and returns where that is now.
// Another build may do the same at any moment, and so may whoever removes the output
// by hand; then it begins again.
func swap(tmp, dir string, exchange func(a, b string) error) (old string, err error) {
	for range 100 {
		if err := Check(dir); err != nil { // it may have become somebody's meanwhile
			return "", err
		}
		if os.Rename(tmp, dir) == nil { // works where dir is missing
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

// renameBoth is for file systems that exchange nothing.
func renameBoth(tmp, dir string) (old string, err error) {
	if release, err := hold(dir); err == nil { // else another build would take it for left behind
		defer release()
	}
	old = tmp + oldSuffix
	if err := os.Rename(dir, old); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil {
		if back := os.Rename(old, dir); errors.Is(back, fs.ErrExist) {
			_ = os.RemoveAll(old) // another build's is there already
		} else {
			err = errors.Join(err, back)
		}
		return "", err
	}
	return old, nil
}
