package render

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"
)

// ErrTheme is in every error that the theme's author has to mend.
var ErrTheme = errors.New("theme")

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Overlay lays folders over one another, file by file: the first that has a
// file wins. A site's theme lies over the default theme that way.
func Overlay(layers ...fs.FS) fs.FS { return overlay(layers) }

type overlay []fs.FS

// Open implements fs.FS for files; folders are those of the last layer.
func (o overlay) Open(name string) (fs.File, error) {
	for i, layer := range o {
		f, err := layer.Open(name)
		if isNotExist(err) && i < len(o)-1 {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() && i < len(o)-1 {
			f.Close()
			continue
		}
		return f, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// layers are the folders of an overlay, the first that wins first.
func layers(fsys fs.FS) []fs.FS {
	if o, ok := fsys.(overlay); ok {
		return o
	}
	return []fs.FS{fsys}
}

// filesBelow lists the files of a folder in all layers, sorted.
func filesBelow(fsys fs.FS, dir string) ([]string, error) {
	var names []string
	for _, layer := range layers(fsys) {
		err := fs.WalkDir(layer, dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
				names = append(names, name)
			}
			return err
		})
		if err != nil && !isNotExist(err) {
			return nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// layouts parses the theme's templates into one set. An error names the file
// and the line.
func layouts(theme fs.FS) (*template.Template, error) {
	names, err := filesBelow(theme, "layouts")
	if err != nil {
		return nil, err
	}
	set := template.New("").Option("missingkey=error")
	for _, name := range names {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		text, err := fs.ReadFile(theme, name)
		if err != nil {
			return nil, err
		}
		if _, err := set.New(strings.TrimPrefix(name, "layouts/")).Parse(string(text)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTheme, err)
		}
	}
	for _, part := range []string{"page.html", "root.html", "code", "callout", "panel", "tabs", "machines", "live", "note"} {
		if set.Lookup(part) == nil {
			return nil, fmt.Errorf("%w: the template %q is missing", ErrTheme, part)
		}
	}
	return set, nil
}
