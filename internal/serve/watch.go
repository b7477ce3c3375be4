package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// pollInterval is the interval at which the folder is polled if the kernel cannot report changes.
const pollInterval = time.Second

// backInterval is the interval at which a vanished folder is looked for.
const backInterval = 200 * time.Millisecond

// watch puts changes into the inbox until ctx ends. Both ways of watching first add everything, as soon as they
// miss no later change. That starts the first build, and nothing is missed between one way and the
// other. If the folder vanishes, a build reports that, and watching begins again when the folder is back.
func (s *Server) watch(ctx context.Context, t tree) error {
	for interval := s.preview.Poll; ; {
		var err error
		if interval > 0 {
			err = poll(ctx, t, s.inbox, interval)
		} else if err = s.notify(ctx, t, s.inbox); err != nil && !errors.Is(err, errGone) {
			s.tell(diag.Say("cli.watch-failed", "root", t.root, "why", err, "name", remedy(err)))
			interval = pollInterval // for good, so that the message comes once
			continue
		}
		if !errors.Is(err, errGone) {
			return err
		}
		s.inbox.addAll()
		if t, err = t.waitUntilBack(ctx); err != nil {
			return nil // ctx has ended
		}
	}
}

// remedy returns what to do about the limit behind an error of inotify.
func remedy(err error) diag.Text {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return diag.Say("cli.watch-limit-folders")
	case errors.Is(err, syscall.EMFILE):
		return diag.Say("cli.watch-limit-instances")
	}
	return diag.Text{}
}

// errGone is the error if the folder no longer exists or was replaced.
var errGone = errors.New("the watched folder is gone")

// A tree is the watched folder with the files that are not ignored. Its paths are relative to the folder, with
// slashes; "." is the folder itself.
type tree struct {
	given  string      // absolute, as in the options
	root   string      // absolute, without links
	info   fs.FileInfo // of the folder, to recognize another one of the same name
	ignore func(path string, dir bool) bool
	more   func() []string // Preview.Folders
}

func newTree(root string, ignore func(path string, dir bool) bool) (tree, error) {
	given, err := filepath.Abs(root)
	if err != nil {
		return tree{}, fmt.Errorf("preview: %w", err)
	}
	if ignore == nil {
		ignore = func(string, bool) bool { return false }
	}
	return tree{given: given, ignore: ignore}.found()
}

// found returns the tree of the folder that exists now.
func (t tree) found() (tree, error) {
	root, err := filepath.EvalSymlinks(t.given)
	if err != nil {
		return t, fmt.Errorf("preview: %w", err)
	}
	info, err := os.Stat(root)
	if err != nil || !info.IsDir() {
		return t, fmt.Errorf("preview: %s is not a folder", t.given)
	}
	t.root, t.info = root, info
	return t, nil
}

// waitUntilBack waits until the folder exists again. It fails if ctx ends.
func (t tree) waitUntilBack(ctx context.Context) (tree, error) {
	ticker := time.NewTicker(backInterval)
	defer ticker.Stop()
	for {
		if there, err := t.found(); err == nil {
			return there, nil
		}
		select {
		case <-ctx.Done():
			return t, ctx.Err()
		case <-ticker.C:
		}
	}
}

func (t tree) full(rel string) string { return filepath.Join(t.root, filepath.FromSlash(rel)) }

func (t tree) rel(full string) string {
	rel, err := filepath.Rel(t.root, full)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// gone returns errGone if the folder no longer exists or was replaced, and else err. A file in its place may have
// its number on the disk, so the type is compared too.
func (t tree) gone(err error) error {
	now, statErr := os.Stat(t.given)
	if statErr != nil || !now.IsDir() || !os.SameFile(now, t.info) {
		return fmt.Errorf("%w: %s", errGone, t.given)
	}
	return err
}

func (t tree) ignored(rel string, dir bool) bool {
	return !dir && temporary(path.Base(rel)) || t.ignore(rel, dir)
}

// walk visits all files and folders at and below a path that are not ignored, a folder before it is read. Those
// that vanish meanwhile or cannot be read are skipped.
func (t tree) walk(from string, visit func(rel string, d fs.DirEntry) error) error {
	return filepath.WalkDir(t.full(from), func(full string, d fs.DirEntry, err error) error {
		rel := t.rel(full)
		switch {
		case err != nil && rel == ".":
			return t.gone(err)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return nil
		case err != nil:
			return err
		case rel == "." || !t.ignored(rel, d.IsDir()):
			return visit(rel, d)
		case d.IsDir():
			return fs.SkipDir
		}
		return nil
	})
}

// temporary reports whether a name is that of a file that editors create beside the edited one.
func temporary(name string) bool {
	switch {
	case name == "4913": // by which vim tests whether the folder is writable
		return true
	case strings.HasSuffix(name, "~"): // backups of many editors
		return true
	case strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"): // emacs
		return true
	case strings.HasPrefix(name, ".goutputstream-"), strings.Contains(name, "___jb_"): // gedit, JetBrains
		return true
	}
	ext := path.Ext(name)
	return strings.HasPrefix(name, ".") && len(ext) == 4 && strings.HasPrefix(ext, ".sw") // vim
}
