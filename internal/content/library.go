package content

import (
	"bytes"
	"errors"
	"io/fs"
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

// A library reads the files that one page includes, and notes what it was asked for.
type library struct {
	fsys fs.FS
	// books are what other pages have read too.
	books *books
	// asked are the names of the files that were looked for, found or not. searched is
	// set where a folder was looked through, for a hint.
	asked    []string
	searched bool
}

// books are files that pages include, each read once. They are used by several goroutines.
type books struct {
	mu    sync.Mutex
	files map[string]*includedFile
}

type includedFile struct {
	once sync.Once
	file *diag.File
	err  error
	// linked is set where a symbolic link leads to it: it can change under another name.
	linked bool
}

// same tells whether a page that includes the one can be said to include the other.
func (f *includedFile) same(other *includedFile) bool {
	if f.err != nil || other.err != nil {
		return f.err != nil && other.err != nil && f.err.Error() == other.err.Error() &&
			errors.Is(f.err, fs.ErrNotExist) == errors.Is(other.err, fs.ErrNotExist)
	}
	return bytes.Equal(f.file.Data, other.file.Data)
}

// file reads a file by its path below the site's folder.
func (l *library) file(name string) (*diag.File, error) {
	if !slices.Contains(l.asked, name) {
		l.asked = append(l.asked, name)
	}
	if l.books == nil {
		l.books = &books{}
	}
	f := l.books.get(name)
	f.once.Do(func() { l.fill(f, name) })
	return f.file, f.err
}

func (b *books) get(name string) *includedFile {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.files[name]
	if f == nil {
		f = &includedFile{}
		if b.files == nil {
			b.files = map[string]*includedFile{}
		}
		b.files[name] = f
	}
	return f
}

func (l *library) fill(f *includedFile, name string) {
	_, f.linked = sitepath.Follow(l.fsys, name)
	f.file, f.err = l.read(name)
}

// refresh reads those files again that may have changed, and returns the names of those
// that have.
func (b *books) refresh(fsys fs.FS, c changes) (changed []string) {
	for name, old := range b.files {
		if !c.of(name) && !old.linked && old.err == nil {
			continue
		}
		f := &includedFile{}
		f.once.Do(func() { (&library{fsys: fsys}).fill(f, name) })
		if !f.same(old) {
			b.files[name] = f
			changed = append(changed, name)
		} else {
			old.linked = f.linked
		}
	}
	return changed
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
	l.searched = true
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
