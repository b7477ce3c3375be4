package datafile

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Limits of the files of a pattern, and of a session. MaxTotal counts the bytes of those that are copied,
// and maxVisited the names that are compared with a pattern.
const (
	MaxFiles   = 1000
	MaxTotal   = 512 << 20
	maxVisited = 100_000
)

// Files returns the files that a pattern names, for a page in a folder below the site's.
func (r *Reader) Files(folder, pattern string) ([]site.DataFile, *Problem) {
	if pattern == "" {
		_, problem := Parse(pattern)
		return nil, problem
	}
	a := r.ask(Query{folder: folder, pattern: pattern})
	return a.files, a.problem
}

// A search is a walk through the folders that a pattern may lead into.
type search struct {
	*Cache
	pattern Pattern
	text    string
	base    string // what the files' names are relative to
	visited int
	found   []site.DataFile
	infos   []fs.FileInfo
	total   int64
}

// Check reports why a pattern gives no files, for a page in a folder, without reading them.
func Check(fsys fs.FS, folder, pattern string) *Problem {
	s, problem := NewCache(fsys, nil).search(Query{folder: folder, pattern: pattern})
	if problem != nil {
		return problem
	}
	for _, found := range s.found {
		f, err := fsys.Open(found.Path)
		if err != nil {
			return unreadable(found.Path, err)
		}
		f.Close()
	}
	return nil
}

// search finds the files of a pattern. They are not hashed yet.
func (c *Cache) search(q Query) (*search, *Problem) {
	p, problem := Parse(q.pattern)
	if problem != nil {
		return nil, problem
	}
	s := &search{Cache: c, pattern: p, text: q.pattern, base: "."}
	if !p.Root {
		if s.base = path.Join(q.folder, strings.Repeat("../", p.Up)); !fs.ValidPath(s.base) {
			return nil, &Problem{diag.Say("files.outside-site", "pattern", q.pattern), diag.Say("diag.copy-into-site-hint")}
		}
	}
	n := 0 // the names before the first wildcard need no search
	for n < len(p.Segments)-1 && literal(p.Segments[n]) {
		n++
	}
	begin := path.Join(s.base, path.Join(p.Segments[:n]...))
	if last := p.Segments[n]; n == len(p.Segments)-1 && literal(last) {
		problem = s.named(path.Join(begin, last))
	} else if d, hidden := sitefile.LinksToHidden(c.fsys, begin); hidden {
		problem = &Problem{d.Message, d.Hint}
	} else {
		problem = s.walk(begin, p.start(n))
	}
	if problem == nil && len(s.found) == 0 {
		problem = s.nothing(begin, n)
	}
	return s, problem
}

// named adds a file that is named without wildcards.
func (s *search) named(name string) *Problem {
	info, err := fs.Stat(s.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.nothing(path.Dir(name), len(s.pattern.Segments)-1)
	case err == nil && info.IsDir():
		return &Problem{diag.Say("files.folder", "name", s.text), diag.Say("files.folder-hint", "name", s.text)}
	}
	return s.add(name)
}

// walk adds the files of a folder that match.
func (s *search) walk(folder string, at state) *Problem {
	entries, err := s.list(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(folder, err)
	}
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	slices.Sort(names)
	if s.visited += len(names); s.visited > maxVisited {
		return &Problem{diag.Say("files.search-too-long", "pattern", s.text, "most", maxVisited), diag.Say("files.narrow-hint")}
	}
	for _, name := range names {
		full := path.Join(folder, name)
		if entries[name].IsDir() {
			if next := s.pattern.folder(at, name); len(next) > 0 {
				if problem := s.walk(full, next); problem != nil {
					return problem
				}
			}
			continue
		}
		if !s.pattern.file(at, name) {
			continue
		}
		if info, err := fs.Stat(s.fsys, full); err == nil && info.IsDir() {
			continue // a link to a folder
		}
		if problem := s.add(full); problem != nil {
			return problem
		}
	}
	return nil
}

// add adds a file, or says why it may not be used.
func (s *search) add(name string) *Problem {
	file, info, problem := s.describe(name, s.base)
	if problem != nil {
		return problem
	}
	if len(s.found) == MaxFiles {
		return &Problem{diag.Say("files.too-many", "pattern", s.text, "most", MaxFiles), diag.Say("files.narrow-hint")}
	}
	if !file.Large() {
		if s.total += file.Size; s.total > MaxTotal {
			return &Problem{diag.Say("files.too-large", "pattern", s.text, "most", MaxTotal>>20), diag.Say("files.narrow-hint")}
		}
	}
	s.found, s.infos = append(s.found, file), append(s.infos, info)
	return nil
}

// describe returns a file without its hash, named relative to a folder.
func (c *Cache) describe(name, base string) (file site.DataFile, info fs.FileInfo, _ *Problem) {
	if sitefile.IsHidden(name) {
		return file, nil, &Problem{diag.Say("files.hidden", "name", name), diag.Say("include.file-hidden-hint")}
	}
	info, err := fs.Stat(c.fsys, name)
	if err != nil {
		return file, nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() {
		return file, nil, unreadable(name, diag.Say("report.file-not-regular"))
	}
	if d, hidden := sitefile.LinksToHidden(c.fsys, name); hidden {
		return file, nil, &Problem{d.Message, d.Hint}
	}
	file = site.DataFile{Name: strings.TrimPrefix(name, strings.TrimPrefix(base+"/", "./")), Path: name, Size: info.Size(),
		Executable: info.Mode()&0o111 != 0}
	if !ValidName(file.Name) {
		return file, nil, &Problem{diag.Say("files.name-invalid", "name", name), diag.Say("diag.rename-hint")}
	}
	return file, info, nil
}

// hash hashes the files that were found, in parallel, and returns them.
func (s *search) hash() ([]site.DataFile, *Problem) {
	problems := make([]*Problem, len(s.found))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range s.found {
		if f := &s.found[i]; !f.Large() {
			g.Go(func() (err error) {
				if f.SHA256, err = s.sum(f.Path, s.infos[i]); err != nil {
					problems[i] = unreadable(f.Path, err)
				}
				return nil
			})
		}
	}
	_ = g.Wait() // no function above returns an error
	return s.found, cmp.Or(problems...)
}

// nothing is the problem of a pattern without a file. n is the first segment that was not found in
// folder as it is.
func (s *search) nothing(folder string, n int) *Problem {
	hint := diag.Say("files.nothing-hint", "folder", folder)
	var names []string
	entries, _ := s.list(folder)
	for name := range entries {
		if name[0] != '.' {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if near := diag.Nearest(s.pattern.Segments[n], names); near != "" && literal(s.pattern.Segments[n]) {
		hint = diag.Say("links.near-file-hint", "here", path.Join(folder, near))
	}
	return &Problem{diag.Say("files.nothing", "pattern", s.text), hint}
}

// A listing is the entries of a folder by name, or the error of reading it.
type listing struct {
	entries map[string]fs.DirEntry
	err     error
}

// list lists a folder.
func (c *Cache) list(folder string) (map[string]fs.DirEntry, error) {
	l := c.folders.get(folder, func() listing {
		entries, err := fs.ReadDir(c.fsys, folder)
		names := make(map[string]fs.DirEntry, len(entries))
		for _, e := range entries {
			names[e.Name()] = e
		}
		return listing{names, err}
	})
	return l.entries, l.err
}
