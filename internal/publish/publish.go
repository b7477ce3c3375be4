// Package publish writes a site's files into a folder so that the folder holds
// either the old site or the new one, whole.
//
// The files are written into a new folder beside the output, which then takes
// its place: by one atomic exchange where the file system can do that (Linux),
// else by two renames. What is the same as in the output has a second name there
// and is not written again. A build that fails, or is killed, leaves the previous
// output untouched; what a killed build left behind is removed by
// a build an hour later or more.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Files are what is published: a [render.Site], in practice.
type Files interface {
	Paths() []string
	File(path string) (data []byte, ok bool, err error)
}

// markers are the files of which every published site has one, the second if
// an older gpudocs made it; a folder without any was not made by gpudocs and is never replaced.
var markers = []string{"_theme/*/chroma.css", "_theme/chroma.css"}

// ErrForeign is returned for an output folder that holds something else.
var ErrForeign = errors.New("the folder is not empty and was not made by gpudocs build")

// Check tells whether the folder may be replaced by a site.
func Check(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) == 0:
		return nil
	}
	for _, marker := range markers {
		if found, _ := fs.Glob(os.DirFS(dir), marker); len(found) > 0 {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", dir, ErrForeign)
}

// Write publishes the files as the folder dir.
func Write(ctx context.Context, dir string, files Files) error {
	if err := Check(dir); err != nil {
		return err
	}
	dir, err := target(dir)
	if err != nil {
		return err
	}
	parent, base := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	sweep(parent, base)
	tmp, err := os.MkdirTemp(parent, prefix(base))
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := writeAll(ctx, dir, tmp, files); err != nil {
		return err
	}
	return swap(tmp, dir)
}

// target is the folder to replace: where dir is a link, the one it leads to.
func target(dir string) (string, error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Abs(dir)
}

func prefix(base string) string { return "." + base + ".new-" }

// sweep removes what an earlier build that was killed left beside the output.
// It is only housekeeping, so its errors do not matter.
func sweep(parent, base string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix(base)) && abandoned(e) {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// swap puts the new folder in the place of the old one, which ends up under
// the new one's name and is removed by the caller.
func swap(tmp, dir string) error {
	if os.Rename(tmp, dir) == nil { // works where dir is missing
		return nil
	}
	if exchange(tmp, dir) == nil {
		return nil
	}
	old := tmp + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// abandoned tells whether a temporary folder is old enough to belong to no
// build that still runs.
func abandoned(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}
