package load

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/coursefile"
	"github.com/gpudocs/gpudocs/internal/site/page"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A course is a course with its place in the site.
type course struct {
	site.Course
	folder string // of the configuration, below the site's folder
	listed map[string]bool
	globs  int // the number of patterns that were compared with all pages
}

// covers reports whether the configuration applies to a file below content/.
func (c *course) covers(file string) bool {
	return c.Scope == "" || strings.HasPrefix(file, c.Scope+"/")
}

// readCourses reads the configurations of other tools, those of the innermost folders last.
func (l *Loader) readCourses() (courses []*course, diags diag.List) {
	folders := map[string][]string{}
	for _, name := range coursefile.Names() {
		if info, err := fs.Stat(l.fsys, name); err == nil && info.IsDir() == (name == coursefile.Vault) {
			folders["."] = append(folders["."], name)
		}
	}
	for _, name := range l.listing.courseFiles {
		folders[path.Dir(name)] = append(folders[path.Dir(name)], path.Base(name))
	}
	for folder, names := range folders {
		files := map[string][]byte{}
		for _, name := range names {
			full := path.Join(folder, name)
			if name == coursefile.Vault {
				files[name] = nil
			} else if _, hidden := sitefile.LinksToHidden(l.fsys, full); !hidden {
				if data, err := sitefile.ReadFile(l.fsys, full); err == nil {
					files[name] = data
				}
			}
		}
		read, err := coursefile.Read(files)
		if read == nil {
			continue
		}
		c := &course{Course: site.Course{Course: read, File: path.Join(folder, read.File)}, folder: folder, listed: map[string]bool{}}
		if err != nil {
			d := diag.About(diag.Warning, c.File, diag.Say("config.course-unread", "why", err))
			if c.Unsure {
				d.Severity, d.Message = diag.Error, diag.Say("config.course-unsure", "why", err)
			}
			diags.Add(d)
		}
		if below, ok := strings.CutPrefix(folder, sitefile.ContentFolder+"/"); ok {
			c.Scope = below
		}
		courses = append(courses, c)
	}
	slices.SortFunc(courses, func(a, b *course) int { return strings.Compare(a.File, b.File) })
	slices.SortStableFunc(courses, func(a, b *course) int { return len(a.Scope) - len(b.Scope) })
	return courses, diags
}

// applyCourses sets what configurations say and gpudocs.toml does not, and returns the pages that they do
// not leave out.
func (l *Loader) applyCourses(s *site.Site, courses []*course, pages []page.File) []page.File {
	names := newPageNames(pages)
	for _, c := range courses {
		s.Courses = append(s.Courses, &c.Course)
		for _, b := range c.bases(s.Languages, names) {
			c.list(c.Entries, b, names, 0)
			pages = slices.DeleteFunc(pages, func(f page.File) bool {
				below, ok := strings.CutPrefix(f.Language.Code+"/"+f.Path, b.folder+"/")
				out := ok && (c.LeavesOut(below) || c.OnlyListed && len(c.listed) > 0 && !c.listed[b.folder+"/"+below])
				if out && c.Unsure {
					s.LeftOut[f.Name] = true
				} else if out {
					c.LeftOut++
				}
				return out
			})
		}
		for i, f := range pages {
			if c.covers(f.Language.Code + "/" + f.Path) {
				pages[i].Dialects, pages[i].RecognisedBy = c.Dialect, c.File
			}
		}
		if isTop := !strings.Contains(c.Scope, "/"); isTop && s.Config.Title == "" {
			s.Config.Title = site.OneLine(c.Title)
		}
	}
	return pages
}

// bibliographies returns the files of works: that of gpudocs.toml, or else those that the courses name.
// Those of MyST are by default all files of that kind.
func (l *Loader) bibliographies(config *site.Config, courses []*course, assets []string) (files []string) {
	if config.Bibliography != "" {
		return []string{config.Bibliography}
	}
	for _, c := range courses {
		named := c.Bibliography
		if named == nil && c.Dialect == markdown.MyST {
			for _, a := range assets {
				if name := path.Join(sitefile.ContentFolder, a); c.covers(a) && path.Ext(a) == ".bib" && !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
		for _, name := range named {
			for _, folder := range []string{c.folder, path.Join(sitefile.ContentFolder, c.Scope),
				path.Join(sitefile.ContentFolder, l.languages[0].Code)} {
				file := path.Join(folder, name)
				if info, err := fs.Stat(l.fsys, file); err == nil && info.Mode().IsRegular() && !slices.Contains(files, file) {
					files = append(files, file)
					break
				}
			}
		}
	}
	if len(files) > 0 {
		config.Bibliography = files[0]
	}
	return files
}

// pageNames are the files of pages, below content/, by name and by name without the extension.
type pageNames struct {
	files map[string]bool
	stems map[string]string
}

func newPageNames(pages []page.File) pageNames {
	n := pageNames{map[string]bool{}, map[string]string{}}
	for _, f := range pages {
		name := f.Language.Code + "/" + f.Path
		n.files[name] = true
		n.stems[strings.TrimSuffix(name, path.Ext(name))] = name
	}
	return n
}

// find returns the file that an entry names, or "".
func (n pageNames) find(name string) string {
	if n.files[name] {
		return name
	}
	stem := name
	if sitefile.IsPage(name) || path.Ext(name) == ".html" {
		stem = strings.TrimSuffix(name, path.Ext(name))
	}
	if file := n.stems[stem]; file != "" {
		return file
	}
	return n.stems[path.Join(name, "index")]
}

// A base is the folder, below content/, that entries are relative to, without some of their first folders:
// often only the folder of the pages is copied, and not that of the configuration.
type base struct {
	folder, language string
	without          int
}

func (b base) join(file string) string {
	for range b.without {
		_, rest, ok := strings.Cut(file, "/")
		if !ok {
			return "" // and not the folder itself
		}
		file = rest
	}
	return path.Join(b.folder, file)
}

// bases returns the base of the entries in each language to which the course applies.
func (c *course) bases(languages []*site.Language, names pageNames) (list []base) {
	for _, l := range languages {
		folder := c.Scope
		if folder == "" {
			folder = l.Code
		} else if code, _, _ := strings.Cut(folder, "/"); code != l.Code {
			continue
		}
		best, most := base{folder: folder, language: l.Code}, 0
		for _, folder := range []string{path.Join(folder, c.Docs), folder} {
			for without := range 3 {
				b := base{folder, l.Code, without}
				if n := c.found(c.Entries, b, names); n > most {
					best, most = b, n
				}
			}
		}
		list = append(list, best)
	}
	return list
}

// found counts the entries that are pages of the site.
func (c *course) found(entries []coursefile.Entry, b base, names pageNames) (n int) {
	for _, e := range entries {
		if e.Path != "" && names.find(b.join(e.Path)) != "" {
			n++
		}
		n += c.found(e.Entries, b, names)
	}
	return n
}

// maxGlobs bounds the patterns among the entries of a course, since each is compared with all pages.
const maxGlobs = 100

// list adds the entries that are pages of the site, or sections of such.
func (c *course) list(entries []coursefile.Entry, b base, names pageNames, depth int) {
	for _, e := range entries {
		file, at := names.find(b.join(e.Path)), len(c.Listed)
		switch {
		case e.Path != "" && file != "" && !c.listed[file]:
			c.listed[file] = true
			c.Listed = append(c.Listed, site.Listed{Title: e.Title, File: file, Language: b.language, Depth: depth})
		case strings.Contains(e.Path, "*") && c.globs < maxGlobs:
			c.globs++
			for _, file := range names.matching(b.join(e.Path)) {
				if !c.listed[file] {
					c.listed[file] = true
					c.Listed = append(c.Listed, site.Listed{File: file, Language: b.language, Depth: depth})
				}
			}
			at = len(c.Listed)
		case e.Title != "":
			c.Listed = append(c.Listed, site.Listed{Title: e.Title, Language: b.language, Depth: depth})
		}
		inner := depth
		if len(c.Listed) > at {
			inner++
		}
		c.list(e.Entries, b, names, inner)
	}
}

// matching returns the files that a pattern matches, in natural order.
func (n pageNames) matching(glob string) (files []string) {
	for name := range n.files {
		if ok, err := doublestar.Match(glob, name); err == nil && ok {
			files = append(files, name)
		}
	}
	slices.SortFunc(files, sitefile.CompareNatural)
	return files
}
