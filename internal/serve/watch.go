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

// pollInterval is how often the folder is looked through when the kernel
// cannot report changes.
const pollInterval = time.Second

// backInterval is how often is looked for a folder that is gone.
const backInterval = 200 * time.Millisecond

// watch puts changes into the inbox until ctx ends. Both ways of watching
// begin by adding everything, once no later change can be missed; that is what
// starts the first build, and what makes the way from one to the other safe. If the
// folder goes, there is a build that says so, and all begins anew when it is back.
func (s *Server) watch(ctx context.Context, t tree) error {
	for interval := s.options.Poll; ; {
		var err error
		if interval > 0 {
			err = poll(ctx, t, s.inbox, interval)
		} else if err = s.notify(ctx, t, s.inbox); err != nil && !errors.Is(err, errGone) {
			s.tell(diag.Say("cli.watch-failed", "root", t.root, "why", err, "name", remedy(err)))
			interval = pollInterval // and not by the kernel again: who is told so is told once
			continue
		}
		if !errors.Is(err, errGone) {
			return err
		}
		s.inbox.addAll()
		if t, err = t.back(ctx); err != nil {
			return nil // ctx has ended
		}
	}
}

// remedy names the limit behind an error of inotify.
func remedy(err error) diag.Text {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return diag.Say("cli.watch-limit-folders")
	case errors.Is(err, syscall.EMFILE):
		return diag.Say("cli.watch-limit-instances")
	}
	return diag.Text{}
}

// errGone is returned when the folder is not there any more, or another in its place.
var errGone = errors.New("the watched folder is gone")

// A tree is the watched folder and what counts in it. Its paths are relative
// to the folder, with slashes; "." is the folder itself.
type tree struct {
	given  string      // absolute, as it was asked for
	root   string      // absolute, without links
	info   fs.FileInfo // of the folder, to tell it from another of its name
	ignore func(path string, dir bool) bool
	more   func() []string // folders that have come to count, or nil
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

// found is the tree of the folder that is there now.
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

// back waits until there is a folder again. It fails when ctx ends.
func (t tree) back(ctx context.Context) (tree, error) {
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

// gone returns errGone when the folder is no longer there, or is another, else err. What is
// made in its place may get its number on the disk, so a file is looked at for what it is.
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

// walk visits everything that counts from the path given downwards, a folder
// before it is read. What vanishes meanwhile or may not be read is passed over.
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

// temporary tells the files that editors keep beside the one being edited.
func temporary(name string) bool {
	switch {
	case name == "4913": // vim tries with it whether it may write in the folder
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
