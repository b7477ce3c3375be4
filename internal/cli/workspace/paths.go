package workspace

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
)

// Inside reports whether path is dir or lies below it.
func Inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Covers reports whether a path below the site's folder is the file, or a folder above it.
func Covers(dir, file string) bool {
	dir = path.Clean(dir)
	return dir == "." || dir == file || strings.HasPrefix(file, dir+"/")
}

// Below turns paths of the command line, relative to the current folder, into slash-separated paths
// below the site's folder. It accepts paths that are relative to the site's folder too.
func Below(a *env.Env, paths []string) ([]string, error) {
	site, err := filepath.Abs(a.Site)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(site, abs)
		if _, statErr := os.Stat(abs); statErr != nil || err != nil || !Inside(site, abs) {
			rel = p
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}
