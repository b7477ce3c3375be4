package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier watches a tree by the kernel's events. Each folder needs a watch of its own.
type notifier struct {
	tree
	inbox   *inbox
	watcher *fsnotify.Watcher
	folders map[string]bool // that have a watch
}

// notify watches a tree. It returns nil if ctx ends, errGone if the folder is deleted, moved or replaced, and
// another error if events may be missed.
func notify(ctx context.Context, t tree, in *inbox) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	n := &notifier{t, in, watcher, map[string]bool{}}
	if err := n.rescan(); err != nil {
		return err
	}
	return n.follow(ctx)
}

func (n *notifier) follow(ctx context.Context) error {
	// The kernel does not report a folder that is deleted while a program has it open, or one whose
	// parent is moved.
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err = n.gone(nil); err == nil {
				err = n.watchFolders()
			}
		case e := <-n.watcher.Events:
			err = n.event(e)
		case err = <-n.watcher.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = n.rescan() // events were lost, perhaps about new folders
			}
		}
		if err != nil {
			return err
		}
	}
}

func (n *notifier) rescan() error {
	if _, err := n.add("."); err != nil {
		return err
	}
	n.inbox.addAll()
	return nil
}

func (n *notifier) event(e fsnotify.Event) error {
	rel := n.rel(e.Name)
	vanished := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	switch {
	case e.Name == "" || e.Op == fsnotify.Chmod:
		return nil
	case rel == "." && vanished:
		return fmt.Errorf("%w: %s", errGone, n.given)
	case rel == ".":
		return nil
	case vanished:
		n.drop(rel)
		return nil
	}
	return n.changed(rel)
}

// changed adds a file to the inbox, or a folder with everything in it.
func (n *notifier) changed(rel string) error {
	info, err := os.Lstat(n.full(rel))
	if err != nil {
		return nil // deleted again, which is another event
	}
	if n.ignored(rel, info.IsDir()) {
		return nil
	}
	found := []string{rel}
	if info.IsDir() {
		found, err = n.add(rel)
	}
	n.inbox.add(found...)
	return err
}

// add watches a folder and those below it, and returns all paths. Each folder is watched before it is read, so that
// nothing is missed.
func (n *notifier) add(from string) (found []string, err error) {
	err = n.walk(from, func(rel string, d fs.DirEntry) error {
		found = append(found, rel)
		if !d.IsDir() {
			return nil
		}
		err := n.watcher.Add(n.full(rel))
		switch {
		case err == nil:
			n.folders[rel] = true
		case rel == ".":
			return n.gone(err)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		}
		return err
	})
	return found, err
}

// watchFolders watches the folders of [Preview.Folders] that are not watched yet.
func (n *notifier) watchFolders() error {
	if n.more == nil {
		return nil
	}
	for _, rel := range n.more() {
		info, err := os.Lstat(n.full(rel))
		if err != nil || !info.IsDir() || n.folders[rel] || n.ignored(rel, true) {
			continue
		}
		found, err := n.add(rel)
		n.inbox.add(found...)
		if err != nil {
			return err
		}
	}
	return nil
}

// drop adds a path that was deleted or moved away to the inbox. The kernel continues to watch a moved folder under its
// old name, so the watches are removed here.
func (n *notifier) drop(rel string) {
	folder := n.folders[rel]
	for f := range n.folders {
		if f == rel || strings.HasPrefix(f, rel+"/") {
			n.watcher.Remove(n.full(f)) // fails for a deleted folder, which has no watch
			delete(n.folders, f)
		}
	}
	// It is not known whether a path without a watch was a folder.
	if folder || !n.ignored(rel, false) && !n.ignored(rel, true) {
		n.inbox.add(rel)
	}
}
