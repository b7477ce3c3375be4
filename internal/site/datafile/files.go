package datafile

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Limits of the files of a pattern, and of a session. MaxTotal counts the bytes of those that are copied,
// maxVisited the names that are compared with a pattern, and maxPattern its own bytes.
const (
	MaxFiles   = 1000
	MaxTotal   = 512 << 20
	maxVisited = 100_000
	maxPattern = 1000
)

// unreadable returns the error of a file that cannot be read.
func unreadable(name string, err error) error {
	d := diag.Unreadable(name, err)
	return diag.Say("diag.message-at", "place", name, "what", d.Message).WithHint(d.Hint)
}

// A pattern names files by their path: "data/*.csv".
type pattern struct {
	text string
	// base is the folder that the names of files are relative to, and names are the parts of the pattern
	// below it, the first of which have no wildcards.
	base    string
	names   []string
	literal int
}

// parse reads a pattern of a page in a folder. It begins there, or at the site's folder if it begins with
// a slash.
func parse(folder, text string) (p pattern, _ error) {
	outside := diag.Say("files.outside-site", "pattern", text).WithHint(diag.Say("diag.copy-into-site-hint"))
	invalid := diag.Say("files.pattern-invalid", "pattern", diag.Clip(text, 100)).WithHint(diag.Say("files.pattern-hint"))
	p = pattern{text: text, base: folder}
	rest, root := strings.CutPrefix(text, "/")
	if root {
		p.base = "."
	}
	for name := range strings.SplitSeq(rest, "/") {
		switch {
		case name == "." && p.names == nil:
		case name == ".." && p.names == nil && !root:
			p.base = path.Join(p.base, "..")
		case name == "..":
			return p, outside
		case strings.HasPrefix(name, "."):
			return p, diag.Say("files.hidden", "name", text).WithHint(diag.Say("include.file-hidden-hint"))
		case name == "" || len(text) > maxPattern || !ValidName(name) || !doublestar.ValidatePattern(noBraces.Replace(name)):
			return p, invalid
		default:
			if p.literal == len(p.names) && !strings.ContainsAny(name, "*?[") {
				p.literal++
			}
			p.names = append(p.names, name)
		}
	}
	switch {
	case p.names == nil:
		return p, invalid
	case !fs.ValidPath(p.base):
		return p, outside
	}
	return p, nil
}

// noBraces makes braces what they are in names of files.
var noBraces = strings.NewReplacer("{", `\{`, "}", `\}`)

// begin returns the folder in which files are looked for, or the path of the only one.
func (p pattern) begin() string { return path.Join(p.base, path.Join(p.names[:p.literal]...)) }

// folder returns the folder whose files may match.
func (p pattern) folder() string {
	if p.literal == len(p.names) {
		return path.Dir(p.begin())
	}
	return p.begin()
}

// ValidName reports whether a name can be shown and sent to other machines.
func ValidName(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsRune(name, '\\') && !strings.ContainsFunc(name, unicode.IsControl)
}

// Check reports why a pattern gives no files, for a page in a folder, without hashing them.
func Check(fsys fs.FS, folder, text string) error {
	p, err := parse(folder, text)
	if err == nil {
		_, err = (&Cache{fsys: fsys}).find(p)
	}
	return err
}

// find returns the files of a pattern.
func (c *Cache) find(p pattern) (files []site.DataFile, _ error) {
	begin, visited, total := p.begin(), 0, int64(0)
	if d, hidden := sitefile.LinksToHidden(c.fsys, begin); hidden {
		return nil, d.Message.WithHint(d.Hint)
	}
	glob := noBraces.Replace(path.Join(p.names...))
	anyDepth := slices.Contains(p.names, "**")
	err := fs.WalkDir(c.fsys, begin, func(full string, e fs.DirEntry, err error) error {
		name := strings.TrimPrefix(full, strings.TrimPrefix(p.base+"/", "./"))
		isFolder := err == nil && e.IsDir()
		switch visited++; {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return unreadable(full, err)
		case visited > maxVisited:
			return diag.Say("files.search-too-long", "pattern", p.text, "most", maxVisited).WithHint(diag.Say("files.narrow-hint"))
		case isFolder && p.literal == len(p.names):
			return diag.Say("files.folder", "name", p.text)
		case full != begin && isFolder && (e.Name()[0] == '.' || e.Name() == "__pycache__" ||
			!anyDepth && strings.Count(name, "/") >= len(p.names)-1):
			return fs.SkipDir
		case isFolder || e.Name()[0] == '.' || !doublestar.MatchUnvalidated(glob, name):
			return nil
		}
		if info, err := fs.Stat(c.fsys, full); err == nil && info.IsDir() {
			return nil // a link to a folder
		}
		file, err := c.describe(name, full)
		if err != nil {
			return err
		}
		if files = append(files, file); len(files) > MaxFiles {
			return diag.Say("files.too-many", "pattern", p.text, "most", MaxFiles).WithHint(diag.Say("files.narrow-hint"))
		}
		if !file.Large() {
			total += file.Size
		}
		if total > MaxTotal {
			return diag.Say("files.too-large", "pattern", p.text, "most", MaxTotal>>20).WithHint(diag.Say("files.narrow-hint"))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, c.nothing(p)
	}
	return files, nil
}

// describe returns a file that has the name in a session, or says why it may not be used.
func (c *Cache) describe(name, full string) (file site.DataFile, _ error) {
	if sitefile.IsHidden(full) {
		return file, diag.Say("files.hidden", "name", full).WithHint(diag.Say("include.file-hidden-hint"))
	}
	info, err := fs.Stat(c.fsys, full)
	if err != nil {
		return file, unreadable(full, err)
	}
	if !info.Mode().IsRegular() {
		return file, unreadable(full, diag.Say("report.file-not-regular"))
	}
	if d, hidden := sitefile.LinksToHidden(c.fsys, full); hidden {
		return file, d.Message.WithHint(d.Hint)
	}
	if !ValidName(name) {
		return file, diag.Say("files.name-invalid", "name", full).WithHint(diag.Say("diag.rename-hint"))
	}
	file = site.DataFile{Name: name, Path: full, Size: info.Size(), Executable: info.Mode()&0o111 != 0}
	if c.sums != nil && !file.Large() {
		file.SHA256, file.Size, err = c.sums.Get(context.Background(), c.fsys, full)
	} else if f, fault := c.fsys.Open(full); fault != nil {
		err = fault
	} else {
		f.Close()
	}
	if err != nil {
		return file, unreadable(full, err)
	}
	return file, nil
}

// nothing is the error of a pattern without a file.
func (c *Cache) nothing(p pattern) error {
	hint := diag.Say("files.nothing-hint", "folder", p.folder())
	if begin := p.begin(); p.literal > 0 {
		var names []string
		entries, _ := fs.ReadDir(c.fsys, path.Dir(begin))
		for _, e := range entries {
			if e.Name()[0] != '.' {
				names = append(names, e.Name())
			}
		}
		if near := diag.Nearest(path.Base(begin), names); near != "" && !slices.Contains(names, path.Base(begin)) {
			hint = diag.Say("links.near-file-hint", "here", path.Join(path.Dir(begin), near))
		}
	}
	return diag.Say("files.nothing", "pattern", p.text).WithHint(hint)
}
