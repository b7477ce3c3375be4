package resolve

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// A finder finds pages and files by the names that one page uses for them.
type finder struct {
	settings
	site  *site.Site
	index *index
	page  *site.Page
	// dependencies are the other pages whose text the result depends on.
	dependencies []*site.Page
}

// settings are what the links of all pages depend on, apart from the [index]. A link reads the configuration only here.
type settings struct {
	baseURL    string
	unsafeHTML bool
	// bibliographyFile is the first file of the works.
	bibliographyFile string
	works            *site.Bibliography
	hasCourses       bool
}

func settingsOf(s *site.Site) settings {
	return settings{s.Config.BaseURL, s.Config.UnsafeHTML, s.Config.Bibliography, s.Bibliography, len(s.Courses) > 0}
}

// find looks up a path: first as it is written, then as the address of a page.
func (f *finder) find(file string, pos int) (t site.Target, ok bool) {
	names := f.names(file, pos)
	for _, name := range names {
		if _, ok := f.index.Files[name]; ok {
			return site.Target{Asset: name}, true
		}
		if p := f.at(name); p != nil {
			return site.Target{Page: p, OtherLanguage: p.Language != f.page.Language}, true
		}
	}
	for _, name := range names { // only what this language lacks
		if p := f.otherLanguage(name); p != nil {
			return site.Target{Page: p}, true
		}
	}
	return t, false
}

// names returns the paths below content/ that a path may mean.
func (f *finder) names(file string, pos int) []string {
	full := f.full(file, pos)
	names := []string{full}
	for i, stem := range f.stems(strings.TrimSuffix(full, "/"), file) {
		if i > 0 {
			names = append(names, stem)
		}
		for _, ending := range pageEndings {
			names = append(names, stem+ending, path.Join(stem, "index"+ending))
		}
	}
	return names
}

// isLeftOut reports whether a path is that of a page that is left out because of an error, which is
// reported there.
func (f *finder) isLeftOut(file string, pos int) bool {
	return len(f.site.LeftOut) > 0 && slices.ContainsFunc(f.names(file, pos), func(name string) bool {
		return f.site.LeftOut[path.Join(sitefile.ContentFolder, name)]
	})
}

// pageEndings are the endings of the files of pages.
var pageEndings = append(slices.Clone(sitefile.MarkdownEndings), ".ipynb")

// outputEndings are the endings of files that other tools generate from a page.
var outputEndings = map[string]bool{".html": true, ".md": true, ".ipynb": true}

// stems returns the paths to which the ending of a page is appended. In courses links lead to a page also by the name of a file
// that is made of it, a.html, a.ipynb, or a.md for a.Rmd. Those of Quarto and the Carpentries also begin at the folder of the
// pages: /a.qmd. The Carpentries publish a lesson as one folder.
func (f *finder) stems(stem, file string) []string {
	list := []string{stem}
	d := f.page.Dialects
	if e := path.Ext(stem); outputEndings[e] && (d.Has(markdown.MyST) || d.Has(markdown.Quarto) || d.Has(markdown.Carpentries)) {
		list = append(list, strings.TrimSuffix(stem, e))
	}
	if !d.Has(markdown.Quarto) && !d.Has(markdown.Carpentries) {
		return list
	}
	folders := []string{}
	if strings.HasPrefix(file, "/") {
		folders = append(folders, "")
	} else if d.Has(markdown.Carpentries) {
		folders = append(folders, "", "episodes", "learners")
	}
	file = strings.TrimSuffix(path.Clean("/"+file), "/")
	for _, folder := range folders {
		list = append(list, path.Join(f.page.Language.Code, folder, file))
		if e := path.Ext(file); outputEndings[e] {
			list = append(list, path.Join(f.page.Language.Code, folder, strings.TrimSuffix(file, e)))
		}
	}
	return list
}

// full returns the path below content/. An absolute path is relative to it.
func (f *finder) full(file string, pos int) string {
	file = norm.NFC.String(file)
	if strings.HasPrefix(file, "/") {
		return strings.TrimPrefix(path.Clean(file), "/")
	}
	slash := ""
	if strings.HasSuffix(file, "/") {
		slash = "/"
	}
	return path.Join(f.folderAt(pos), file) + slash
}

// folderAt returns the folder, below content/, that links at an offset are relative to.
func (f *finder) folderAt(pos int) string {
	return norm.NFC.String(f.page.FolderAt(pos))
}

// otherLanguage finds a page that only another language has. It is published in this language too,
// with a notice.
func (f *finder) otherLanguage(name string) *site.Page {
	code, rest, _ := strings.Cut(name, "/")
	if code != f.page.Language.Code {
		return nil
	}
	for _, other := range f.site.Languages {
		if p := f.at(other.Code + "/" + rest); p != nil {
			return p
		}
	}
	return nil
}

// findGenerated looks up the generated status page of a language, and the generated page of a folder. In a
// course, pages need not stand in the sections of their folders.
func (f *finder) findGenerated(file string, pos int) (t site.Target, ok bool) {
	folder := strings.TrimSuffix(f.full(file, pos), "/")
	code, rest, _ := strings.Cut(folder+"/", "/")
	if f.index.pageDirs[folder] && !f.hasCourses {
		return site.Target{Generated: code + "/" + sitefile.URLPath(rest)}, true
	}
	if rest != site.StatusDir || !f.isLanguage(code) || !f.site.HasChecks() {
		return t, false
	}
	return site.Target{Generated: code + "/" + site.StatusDir}, true
}

func (f *finder) isLanguage(code string) bool {
	return slices.ContainsFunc(f.site.Languages, func(l *site.Language) bool { return l.Code == code })
}

// at returns a page by its path below content/, or nil.
func (f *finder) at(name string) *site.Page {
	if i, ok := f.index.pages[name]; ok {
		return f.dependOn(f.site.Pages[i])
	}
	return nil
}

// dependOn records that the result depends on the content of a page.
func (f *finder) dependOn(p *site.Page) *site.Page {
	if n := len(f.dependencies); p != f.page && (n == 0 || f.dependencies[n-1] != p) {
		f.dependencies = append(f.dependencies, p)
	}
	return p
}

// pageFormerlyAt returns the page that replaced the one with that file or address, or nil.
func (f *finder) pageFormerlyAt(name string) *site.Page {
	address, fault := site.ParseOldAddress("", "/"+name)
	if !fault.IsZero() {
		return nil
	}
	if i, ok := f.index.pageByRedirect[address]; ok {
		return f.site.Pages[i]
	}
	return nil
}

// relative returns the path from a folder to a file, both below content/.
func relative(from, to string) string {
	name, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(name)
}
