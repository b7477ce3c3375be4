package load

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/site/coursefile"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// walkContent lists the files below content/. A file that cannot be read is a diagnostic, and does
// not end the walk.
func walkContent(fsys fs.FS) *listing {
	l := &listing{linked: map[string]bool{}}
	if info, err := fs.Lstat(fsys, sitefile.ContentFolder); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// It could lead to .git, or to everything in the site's folder.
		l.diags.Add(diag.About(diag.Error, sitefile.ContentFolder, diag.Say("page.symlink-folder").
			WithHint(diag.Say("page.symlink-replace-hint"))))
		return l
	}
	_ = fs.WalkDir(fsys, sitefile.ContentFolder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name == sitefile.ContentFolder && errors.Is(err, fs.ErrNotExist) {
				l.diags.Add(diag.About(diag.Error, sitefile.ContentFolder, diag.Say("page.content-missing")))
			} else {
				l.diags.Add(diag.Unreadable(name, err))
			}
			return nil
		}
		if name == sitefile.ContentFolder {
			return nil
		}
		file := strings.TrimPrefix(name, sitefile.ContentFolder+"/")
		if slices.Contains(coursefile.Names(), d.Name()) && !isPart(path.Dir(file)) && d.IsDir() == (d.Name() == coursefile.Vault) {
			l.courseFiles = append(l.courseFiles, name)
		}
		skip := strings.HasPrefix(d.Name(), ".")
		if fault, bad := misnamedFile(name); bad && !skip {
			l.diags.Add(fault)
			skip = true
		}
		switch {
		case d.IsDir() && skip:
			return fs.SkipDir
		case d.IsDir() || skip:
			return nil
		}
		if isPart(file) {
			if !d.Type().IsRegular() {
				l.linked[name] = true
			}
			l.parts = append(l.parts, file)
			return nil
		}
		if !d.Type().IsRegular() {
			l.linked[name] = true
			if !followable(fsys, name, &l.diags) {
				return nil
			}
		}
		l.files = append(l.files, file)
		return nil
	})
	return l
}

// isPart reports whether a file exists only to be included: its name, or that of a folder above it,
// begins with _.
func isPart(file string) bool {
	return strings.HasPrefix(file, "_") || strings.Contains(file, "/_")
}

// followable reports whether a file that is not regular is a symbolic link to one in the site.
// Reading a named pipe would never end.
func followable(fsys fs.FS, name string, diags *diag.List) bool {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		diags.Add(diag.Unreadable(name, err))
		return false
	case info.IsDir():
		diags.Add(diag.About(diag.Warning, name, diag.Say("page.symlink-folder")))
		return false
	}
	if d, hidden := sitefile.LinksToHidden(fsys, name); hidden {
		diags.Add(d)
		return false
	}
	return info.Mode().IsRegular()
}

// misnamedFile reports a file whose name cannot be part of an address: control characters are
// refused or cut off, and browsers read a backslash as a slash.
func misnamedFile(file string) (d diag.Diagnostic, bad bool) {
	d = diag.Diagnostic{File: file, Hint: diag.Say("diag.rename-hint")}
	switch name := path.Base(file); {
	case !utf8.ValidString(name):
		d.Message = diag.Say("links.name-not-utf8", "name", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		d.Message = diag.Say("links.name-with-control-character", "name", name)
	case len(invisible.In(name, true)) > 0:
		d.Message = diag.Say("links.name-with-invisible-character", "name", name)
	case strings.Contains(name, `\`):
		d.Message = diag.Say("links.name-with-backslash", "name", name)
	default:
		return d, false
	}
	return d, true
}
