package theme

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// ErrFault is wrapped by every error about a theme; those that its author has to fix are [*Faults].
var ErrFault = errors.New("theme")

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// A Layer is a theme's folder. Dir is its path below the site's, which diagnostics name: "themes/lab";
// that of the default theme is empty.
type Layer struct {
	fs.FS
	Dir string
}

const defaultDir = "themes/default"

// Overlay returns the files of several folders. If several have a file, the first wins, as a site's
// theme overrides the default theme.
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
			if l, ok := layer.(Layer); ok {
				err = fmt.Errorf("%s: %w", l.Dir, err)
			}
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

// layers returns the folders of an overlay, the one that wins first.
func layers(fsys fs.FS) []fs.FS {
	if o, ok := fsys.(overlay); ok {
		return o
	}
	return []fs.FS{fsys}
}

// holds reports whether a layer has a file, even if it cannot be read.
func holds(layer fs.FS, name string) bool {
	info, err := fs.Stat(layer, name)
	return err == nil && !info.IsDir() || errors.Is(err, fs.ErrPermission)
}

// winner returns the index of the layer whose file wins, or -1.
func winner(theme fs.FS, name string) int {
	return slices.IndexFunc(layers(theme), func(l fs.FS) bool { return holds(l, name) })
}

// winningFile returns the path, below the site's folder, of the file that wins.
func winningFile(theme fs.FS, name string) string {
	if i := winner(theme, name); i >= 0 {
		if l, ok := layers(theme)[i].(Layer); ok {
			return path.Join(l.Dir, name)
		}
	}
	return path.Join(defaultDir, name)
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

// required are the templates that are executed, and that no other template calls.
var required = strings.Fields("page.html root.html redirect.html book.html code callout panel tabs machines my-gpu my-gpu-form live note")

// layouts parses the theme's templates into one set, those of the default theme first: the definitions
// of a layer replace those of the layers below, whatever their files are called. The set is incomplete if
// there are diagnostics.
func layouts(theme fs.FS) (*template.Template, diag.List) {
	var faults diag.List
	set := template.New("").Option("missingkey=error")
	names, err := filesBelow(theme, "layouts")
	if err != nil {
		return nil, diag.List{diag.Unreadable(path.Join(defaultDir, "layouts"), err)}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return path.Ext(name) != ".html" })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(winner(theme, b), winner(theme, a)) })
	for _, name := range names {
		text, err := fs.ReadFile(theme, name)
		if err != nil {
			faults.Add(diag.Unreadable(winningFile(theme, name), err))
			continue
		}
		if _, err := set.New(strings.TrimPrefix(name, "layouts/")).Parse(string(text)); err != nil {
			faults.Add(templateFault(theme, err, set, nil))
		}
	}
	if len(faults) == 0 { // templates of a file that does not parse are not missing
		faults.Add(missing(theme, set)...)
	}
	return set, faults
}
