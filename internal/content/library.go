package content

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/sitepath"
)

// maxIncluded bounds a file that pages include, in bytes.
const maxIncluded = 4 << 20

// A library reads the files that pages include, each once. It is used by several
// goroutines.
type library struct {
	fsys fs.FS
	mu   sync.Mutex
	// files are those that were asked for; nil where there is none.
	files map[string]*includedFile
}

type includedFile struct {
	once sync.Once
	file *diag.File
	err  error
}

// names are all that were asked for, also those that are not there.
func (l *library) names() []string { return slices.Sorted(maps.Keys(l.files)) }

// file reads a file by its path below the site's folder.
func (l *library) file(name string) (*diag.File, error) {
	l.mu.Lock()
	f := l.files[name]
	if f == nil {
		f = &includedFile{}
		if l.files == nil {
			l.files = map[string]*includedFile{}
		}
		l.files[name] = f
	}
	l.mu.Unlock()
	f.once.Do(func() { f.file, f.err = l.read(name) })
	return f.file, f.err
}

func (l *library) read(name string) (*diag.File, error) {
	info, err := fs.Stat(l.fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, diag.Say("it is no plain file")
	case info.Size() > maxIncluded:
		return nil, diag.Diagnostic{Message: diag.Say("it has more than %d MiB", maxIncluded>>20), Hint: diag.Say("copy what is to be shown into a smaller file")}
	}
	if d, hidden := sitepath.LinksToHidden(l.fsys, name); hidden {
		return nil, diag.Diagnostic{Message: d.Message, Hint: d.Hint}
	}
	data, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		return nil, err
	}
	f := diag.NewFile(name, slices.Clip(withoutBOM(data)))
	if d, bad := invalidUTF8(f); bad {
		return nil, d
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, diag.Diagnostic{Message: diag.Say("it is no text: it holds a byte of zero"), Hint: diag.Say("include files of text alone")}
	}
	return f, nil
}

// find reads the first file that is there, of a path in several folders. A path
// that begins with / begins at content/, else at the site's folder.
func (l *library) find(file string, folders ...string) (*diag.File, *cutError) {
	if file == "" || strings.HasSuffix(file, "/") {
		return nil, &cutError{diag.Say("%q names no file", file), diag.Say(`write file="code/x.py"`)}
	}
	if strings.HasPrefix(file, "/") {
		folders = []string{root, "."}
	}
	var tried []string
	for _, dir := range folders {
		name := path.Join(dir, file)
		if !fs.ValidPath(name) || slices.Contains(tried, name) {
			continue // it leads out of the site
		}
		tried = append(tried, name)
		if sitepath.Hidden(name) {
			return nil, &cutError{diag.Say("%s is hidden, and is not shown", name), diag.Say("a name that begins with a dot is private; rename it")}
		}
		for _, form := range []string{name, norm.NFC.String(name), norm.NFD.String(name)} { // macOS may keep the latter
			f, err := l.file(form)
			if err == nil {
				return f, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				d := diag.Unreadable(form, err)
				return nil, &cutError{diag.Say("%s: %s", form, d.Message), d.Hint}
			}
		}
	}
	if len(tried) == 0 {
		return nil, &cutError{diag.Say("%q leads out of the site's folder", file), diag.Say("copy the file into the site")}
	}
	return nil, &cutError{diag.Say("there is no file %q", file), l.nearest(append(tried, path.Join(root, file)))}
}

// nearest is the hint for a file that is not there. The last place is one where it
// was not looked for.
func (l *library) nearest(tried []string) diag.Text {
	for _, name := range tried {
		var near []string
		entries, _ := fs.ReadDir(l.fsys, path.Dir(name))
		for _, e := range entries {
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				near = append(near, e.Name())
			}
		}
		if n := diag.Nearest(path.Base(name), near); n != "" {
			return diag.Say("did you mean %q?", path.Join(path.Dir(name), n))
		}
	}
	return diag.Say("it was looked for as %s", strings.Join(tried[:len(tried)-1], ", "))
}
