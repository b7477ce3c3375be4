package preview

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
)

// pollInterval is how often the folder is looked through when the kernel
// cannot report changes.
const pollInterval = time.Second

// watch puts changes into the inbox until ctx ends. Both ways of watching
// begin by adding everything, once no later change can be missed; that is what
// starts the first build, and what makes the way from one to the other safe.
func (s *Server) watch(ctx context.Context, t tree) error {
	if s.options.Poll > 0 {
		return poll(ctx, t, s.inbox, s.options.Poll)
	}
	err := s.notify(ctx, t, s.inbox)
	if err == nil || errors.Is(err, errGone) {
		return err
	}
	s.log.Printf("cannot watch %s: %v%s; looking for changes every second instead", t.root, err, remedy(err))
	return poll(ctx, t, s.inbox, pollInterval)
}

// remedy names the limit behind an error of inotify.
func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return " (the limit is fs.inotify.max_user_watches)"
	case errors.Is(err, syscall.EMFILE):
		return " (the limit is fs.inotify.max_user_instances, or that of open files)"
	}
	return ""
}

// errGone ends the server: there is nothing left to preview.
var errGone = errors.New("the watched folder is gone")

// A tree is the watched folder and what counts in it. Its paths are relative
// to the folder, with slashes; "." is the folder itself.
type tree struct {
	root   string // absolute, without links
	ignore func(path string, dir bool) bool
	more   func() []string // folders that have come to count, or nil
}

func newTree(root string, ignore func(path string, dir bool) bool) (tree, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return tree{}, fmt.Errorf("preview: %w", err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return tree{}, fmt.Errorf("preview: %s is not a folder", root)
	}
	if ignore == nil {
		ignore = func(string, bool) bool { return false }
	}
	return tree{root: abs, ignore: ignore}, nil
}

func (t tree) full(rel string) string { return filepath.Join(t.root, filepath.FromSlash(rel)) }

func (t tree) rel(full string) string {
	rel, err := filepath.Rel(t.root, full)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// gone returns errGone when the folder is no longer there, else err.
func (t tree) gone(err error) error {
	if _, statErr := os.Stat(t.root); errors.Is(statErr, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", errGone, t.root)
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
