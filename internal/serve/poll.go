package serve

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// poll compares the tree with its state an interval ago, until ctx ends or the folder is gone.
func poll(ctx context.Context, t tree, in *inbox, interval time.Duration) error {
	seen, err := t.list()
	if errors.Is(err, errGone) {
		return err
	}
	in.addAll()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now, err := t.list()
		err = t.gone(err)
		switch {
		case errors.Is(err, errGone):
			return err
		case err != nil:
			continue // an incomplete list would look like deleted files
		}
		in.add(differences(seen, now)...)
		seen = now
	}
}

// list returns the files and folders of the tree that are not ignored.
func (t tree) list() (map[string]fs.FileInfo, error) {
	list := map[string]fs.FileInfo{}
	err := t.walk(".", func(rel string, d fs.DirEntry) error {
		if info, err := d.Info(); err == nil && rel != "." {
			list[rel] = info
		}
		return nil
	})
	return list, err
}

// differences returns the paths that are new, gone or changed. A folder counts as changed only if it is new or gone.
func differences(before, now map[string]fs.FileInfo) (paths []string) {
	for p, info := range now {
		old, ok := before[p]
		if !ok || !same(old, info) {
			paths = append(paths, p)
		}
	}
	for p := range before {
		if _, ok := now[p]; !ok {
			paths = append(paths, p)
		}
	}
	return paths
}

func same(a, b fs.FileInfo) bool {
	if a.IsDir() && b.IsDir() {
		return true
	}
	// A file that was renamed over another may have the same size and time.
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
