package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Folders of a site beside its content.
const (
	ResultsDir = "results"
	ThemesDir  = theme.Dir
	// PrivateDir holds the results of --verify on this machine; git ignores it.
	PrivateDir = ".gpudocs"
	// localDir is the folder of these results.
	localDir = PrivateDir + "/" + ResultsDir
)

// A Project is the folder of a site.
type Project struct {
	Dir string // as the user named it
	FS  fs.FS  // its files; no symbolic link leads out of it
	// Warn is called with what does not end the work. It may be nil.
	Warn func(error)
}

// Open opens the folder of a site.
func Open(dir string) (*Project, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return nil, diag.Wrong(diag.Say("cli.fault-no-site", "folder", dir, "why", err))
	}
	return &Project{Dir: dir, FS: root.FS()}, nil
}

func (p *Project) warn(err error) {
	if p.Warn != nil {
		p.Warn(err)
	}
}

// Path returns a path below the site's folder.
func (p *Project) Path(parts ...string) string {
	return filepath.Join(append([]string{p.Dir}, parts...)...)
}

// MakePrivate makes the private folder. git ignores it, even if the site's own .gitignore does not name it.
func (p *Project) MakePrivate() error {
	file := p.Path(PrivateDir, ".gitignore")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("*\n"), 0o644)
}

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
func (p *Project) Below(paths []string) (out []string, err error) {
	site, err := filepath.Abs(p.Dir)
	if err != nil {
		return nil, err
	}
	for _, given := range paths {
		abs, err := filepath.Abs(given)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(site, abs)
		if _, statErr := os.Stat(abs); statErr != nil || err != nil || !Inside(site, abs) {
			rel = given
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}
