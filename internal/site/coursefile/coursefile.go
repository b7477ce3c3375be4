package coursefile

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A Course is what the configuration of another tool says of the pages in its folder.
type Course struct {
	// File is the name of the file that says it.
	File    string
	Dialect markdown.Dialect
	Title   string
	// Docs is the folder of the pages, below that of the file: "docs", or ".".
	Docs string
	// Entries are the pages in order, in sections. The first is the first page of the course.
	Entries []Entry
	// Bibliography are the files of works, below the folder of the file.
	Bibliography []string
	// OnlyListed is set if other pages than the entries are left out.
	OnlyListed bool
	// Unsure is set if the part that cannot be read may leave out pages. Then all are left out.
	Unsure   bool
	patterns []pattern
}

// An Entry is a page, a section, or both.
type Entry struct {
	Title string
	// Path is the page's file below the folder of the pages, or a pattern of files with a "*". It may lack
	// the extension, or be the folder of an index page. It is empty for a section without a page.
	Path    string
	Entries []Entry
}

// A pattern matches pages that are left out, or that are not after all.
type pattern struct {
	glob string
	not  bool
}

// LeavesOut reports whether a page, below the folder of the pages, is left out.
func (c *Course) LeavesOut(file string) (out bool) {
	if c.Unsure {
		return true
	}
	for _, p := range c.patterns {
		if ok, err := doublestar.Match(p.glob, file); err == nil && ok {
			out = !p.not
		} else if ok, err := doublestar.Match(strings.TrimSuffix(p.glob, "/")+"/**", file); err == nil && ok {
			out = !p.not
		}
	}
	return out
}

// ignore adds a pattern in the form of .gitignore: one without a slash matches in all folders.
func (c *Course) ignore(glob string) {
	glob, not := strings.CutPrefix(strings.TrimSpace(glob), "!")
	if glob == "" || strings.HasPrefix(glob, "#") {
		return
	}
	if !strings.Contains(strings.TrimSuffix(glob, "/"), "/") {
		glob = "**/" + glob
	}
	c.add(glob, not)
}

// ignoreBelow adds a pattern from the folder of the pages on.
func (c *Course) ignoreBelow(glob string) {
	c.add(glob, false)
}

// maxPatterns and maxPattern bound the patterns, since each page is compared with all of them.
const maxPatterns, maxPattern = 200, 200

func (c *Course) add(glob string, not bool) {
	if len(c.patterns) < maxPatterns && len(glob) <= maxPattern && strings.Count(glob, "*") <= 8 {
		c.patterns = append(c.patterns, pattern{strings.TrimPrefix(path.Clean(glob), "/"), not})
	}
}

// Vault is the folder of the settings of an Obsidian vault.
const Vault = ".obsidian"

// formats are the readers of configurations, by the file that identifies the tool. The first file that exists counts.
var formats = []struct {
	file string
	read func(c *Course, files map[string][]byte) error
}{
	{"myst.yml", (*Course).myst},
	{"_toc.yml", (*Course).jupyterBook},
	{"_quarto.yml", (*Course).quarto},
	{"mkdocs.yml", (*Course).mkdocs},
	{"config.yaml", (*Course).carpentries},
	{"_config.yml", (*Course).carpentries},
	{Vault, func(c *Course, _ map[string][]byte) error { c.Dialect = markdown.Obsidian; return nil }},
}

// Names returns the names of all files that are read, and of the folder [Vault].
func Names() []string { return names }

var names = []string{"myst.yml", "_toc.yml", "_config.yml", "_quarto.yml", "mkdocs.yml", "config.yaml", Vault}

// leavesOutForm matches the names of the keys that leave out pages.
var leavesOutForm = lazyregexp.New(`exclude|draft_docs|only_build_toc_files|render`)

// Read reads the files of a folder, by name. It returns nil if none of them is that of a course. With an
// error, the course has what could be read, and File.
func Read(files map[string][]byte) (*Course, error) {
	for _, f := range formats {
		if _, ok := files[f.file]; !ok {
			continue
		}
		c := &Course{File: f.file, Docs: "."}
		err := f.read(c, files)
		if unread, ok := errors.AsType[*unreadError](err); ok {
			err, c.Unsure = unread.error, c.Unsure || leavesOutForm.Match(unread.lost)
		}
		if err != nil || c.Dialect != 0 {
			return c, err
		}
	}
	return nil, nil
}

// mkdocs reads https://www.mkdocs.org/user-guide/configuration/.
func (c *Course) mkdocs(files map[string][]byte) error {
	v, err := parse(files["mkdocs.yml"], "site_name", "docs_dir", "nav", "exclude_docs", "draft_docs")
	c.Dialect, c.Title = markdown.MkDocs, v.get("site_name").text
	c.Docs = below(cmp.Or(v.get("docs_dir").text, "docs"))
	c.Entries = entries(v.get("nav"), true)
	for _, key := range []string{"exclude_docs", "draft_docs"} {
		for _, text := range v.get(key).texts() {
			for glob := range strings.Lines(text) {
				c.ignore(glob)
			}
		}
	}
	return err
}

// myst reads https://mystmd.org/guide/frontmatter and https://mystmd.org/guide/table-of-contents.
func (c *Course) myst(files map[string][]byte) error {
	v, err := parse(files["myst.yml"], "project", "site")
	c.Dialect, c.Title = markdown.MyST, cmp.Or(v.get("project", "title").text, v.get("site", "title").text)
	c.Entries = entries(v.get("project", "toc"), false)
	c.Bibliography = v.get("project", "bibliography").texts()
	for _, glob := range v.get("project", "exclude").texts() {
		c.ignoreBelow(glob)
	}
	if _, ok := files["_toc.yml"]; ok && err == nil && c.Entries == nil {
		return c.toc(files)
	}
	return err
}

// jupyterBook reads https://jupyterbook.org/v1/customize/config.html.
func (c *Course) jupyterBook(files map[string][]byte) error {
	v, err := parse(files["_config.yml"], "title", "bibtex_bibfiles", "exclude_patterns", "only_build_toc_files")
	c.Dialect, c.Title, c.Bibliography = markdown.MyST, v.get("title").text, v.get("bibtex_bibfiles").texts()
	c.OnlyListed = v.get("only_build_toc_files").text == "true"
	for _, glob := range v.get("exclude_patterns").texts() {
		c.ignoreBelow(glob)
	}
	unlisted := c.toc(files)
	if err != nil {
		c.File = "_config.yml"
		return err
	}
	return unlisted
}

// toc reads https://jupyterbook.org/v1/structure/toc.html, and the list that older versions had.
func (c *Course) toc(files map[string][]byte) error {
	v, err := parse(files["_toc.yml"])
	if err != nil {
		c.File, c.Unsure = "_toc.yml", c.OnlyListed
		return err
	}
	if v.keys == nil {
		c.Entries = entries(v, false)
		return nil
	}
	c.Entries = append([]Entry{{Path: below(v.get("root").text)}}, entry(v, false).Entries...)
	return nil
}

// quarto reads https://quarto.org/docs/reference/projects/websites.html and .../books.html.
func (c *Course) quarto(files map[string][]byte) error {
	v, err := parse(files["_quarto.yml"], "project", "book", "website", "bibliography")
	c.Dialect, c.Title = markdown.Quarto, cmp.Or(v.get("book", "title").text, v.get("website", "title").text)
	c.Bibliography = append(v.get("bibliography").texts(), v.get("book", "bibliography").texts()...)
	c.Entries = append(entries(v.get("book", "chapters"), false), entries(v.get("book", "appendices"), false)...)
	sidebar := v.get("website", "sidebar")
	if sidebar.keys != nil {
		sidebar = value{items: []value{sidebar}}
	}
	for _, one := range sidebar.items {
		e := entry(one, false)
		if len(sidebar.items) == 1 {
			c.Entries = append(c.Entries, e.Entries...)
		} else if len(e.Entries) > 0 {
			c.Entries = append(c.Entries, e)
		}
	}
	if c.Entries == nil {
		c.Entries = entries(v.get("website", "navbar", "left"), false)
	}
	render := v.get("project", "render").texts()
	if slices.ContainsFunc(render, func(glob string) bool { return !strings.HasPrefix(glob, "!") }) {
		c.ignore("*")
	}
	for _, glob := range render {
		if but, ok := strings.CutPrefix(glob, "!"); ok {
			c.ignore(but)
		} else {
			c.ignore("!" + glob)
		}
	}
	return err
}

// carpentries reads https://carpentries.github.io/sandpaper-docs/instructor/editing.html, and _config.yml
// of older lessons.
func (c *Course) carpentries(files map[string][]byte) error {
	folders := []string{"episodes", "learners", "instructors", "profiles"}
	v, err := parse(files[c.File], append(folders, "title", "carpentry", "episode_order")...)
	if v.get("carpentry").text == "" {
		return nil // another tool's file of that name
	}
	c.Dialect, c.Title = markdown.Carpentries, v.get("title").text
	c.ignoreBelow("site") // what sandpaper makes
	c.ignoreBelow("renv")
	c.Entries = entries(v.get("episode_order"), false)
	for _, folder := range folders {
		list := v.get(folder).texts()
		if len(list) == 0 && v.get("episode_order").items == nil {
			list = []string{"*"}
		}
		for _, file := range list {
			c.Entries = append(c.Entries, Entry{Path: below(path.Join(folder, file))})
		}
	}
	return err
}

// The keys of entries, in Jupyter Book, MyST and Quarto.
var (
	titleKeys   = []string{"title", "caption", "text", "part", "section"}
	pathKeys    = []string{"file", "href", "glob", "pattern"}
	contentKeys = []string{"parts", "chapters", "sections", "children", "contents", "entries", "subtrees", "menu"}
)

// entries reads a list of entries. Those of MkDocs have their titles as keys: "Title: page.md".
func entries(list value, titled bool) (all []Entry) {
	if list.text != "" {
		list = value{items: []value{list}} // contents: docs/*.qmd
	}
	for _, item := range list.items {
		e := entry(item, titled)
		if e.Path != "" || len(e.Entries) > 0 {
			all = append(all, e)
		}
	}
	return all
}

func entry(v value, titled bool) (e Entry) {
	if v.text != "" {
		e.Path = below(v.text)
		return e
	}
	for i, key := range v.keys {
		item := v.items[i]
		switch {
		case titled && item.text != "":
			e.Title, e.Path = key, below(item.text)
		case titled:
			e.Title, e.Entries = key, entries(item, true)
		case slices.Contains(titleKeys, key) && slices.Contains(pageKinds, strings.ToLower(path.Ext(item.text))):
			e.Path = below(item.text)
		case slices.Contains(titleKeys, key):
			e.Title = cmp.Or(e.Title, item.text)
		case slices.Contains(pathKeys, key) && item.text != "":
			e.Path = below(item.text)
		case slices.Contains(contentKeys, key):
			e.Entries = append(e.Entries, entries(item, false)...)
		}
	}
	return e
}

// pageKinds are the endings by which the name of a page is told from a title.
var pageKinds = []string{".md", ".qmd", ".rmd", ".ipynb"}

// below returns a path below the folder of the pages. Addresses and paths that lead out of it are empty.
func below(file string) string {
	if strings.Contains(file, "://") || strings.HasPrefix(file, "mailto:") || strings.ContainsAny(file, "#?\\\x00") {
		return ""
	}
	file = path.Clean(strings.TrimLeft(file, "/"))
	if file == ".." || strings.HasPrefix(file, "../") {
		return ""
	}
	return file
}
