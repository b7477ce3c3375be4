package content

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
	"github.com/gpudocs/gpudocs/internal/sitepath"
)

// root is the folder of all content.
const root = "content"

// maxPage bounds a Markdown file, in bytes; a notebook may be larger, for it
// holds pictures.
const maxPage = 16 << 20

// Options for [Load].
type Options struct {
	// Drafts keeps pages whose front matter says draft: true.
	Drafts bool
	// Editing makes a warning of code that differs between translations: who writes
	// edits one language after the other.
	Editing bool
}

// Load reads a site. With errors among the diagnostics the site is incomplete
// and may be nil; it must not be published then.
func Load(fsys fs.FS, o Options) (*Site, diag.List) {
	config, diags := loadConfig(fsys)
	if config == nil {
		return nil, diags
	}
	s := &Site{Config: config, FS: fsys, byKey: map[string]map[string]*Page{}}
	files, parts, found := walk(fsys)
	diags.Add(found...)
	s.Languages = languages(config, files)
	markdown, assets := s.split(files, &diags)
	s.Assets = assets
	diags.Add(s.readBibliography()...)
	diags.Add(s.parsePages(markdown, o)...)
	diags.Add(s.unusedParts(parts)...)
	diags.Add(s.assemble()...)
	diags.Add(s.resolveRedirects()...)
	diags.Add(s.resolveLinks()...)
	diags.Add(s.checkParts()...)
	diags.Add(s.resolveLive()...)
	diags.Add(s.checkTranslations(o)...)
	if len(markdown) == 0 && !diags.HasErrors() {
		// An empty site would replace a good one.
		diags.Add(diag.Diagnostic{File: root, Message: diag.Say("the site has no pages"), Hint: diag.Say("write content/pt/index.md, or another language's")})
	}
	return s, diags.Sorted()
}

// walk lists the files below content/, as slash paths below it; parts are those
// that are there to be included alone. What cannot be
// read is a diagnostic, and the walk goes on.
func walk(fsys fs.FS) (files, parts []string, diags diag.List) {
	if info, err := fs.Lstat(fsys, root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// It could lead to .git, or to all that lies beside the pages.
		diags.Add(diag.Diagnostic{File: root, Message: diag.Say("a symbolic link to a folder is not followed"), Hint: diag.Say("put the folder itself in its place")})
		return nil, nil, diags
	}
	_ = fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name == root && errors.Is(err, fs.ErrNotExist) {
				diags.Add(diag.Diagnostic{File: root, Message: diag.Say("the folder is missing"), Hint: diag.Say("pages stand in content/pt, content/es, ...")})
			} else {
				diags.Add(diag.Unreadable(name, err))
			}
			return nil
		}
		if name == root {
			return nil
		}
		hidden := strings.HasPrefix(d.Name(), ".")
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || d.IsDir():
			return nil
		}
		file := strings.TrimPrefix(name, root+"/")
		if isPart(file) {
			parts = append(parts, file)
			return nil
		}
		if !d.Type().IsRegular() && !followable(fsys, name, &diags) {
			return nil
		}
		files = append(files, file)
		return nil
	})
	return files, parts, diags
}

// isPart tells whether a file is there to be included alone: its name, or that of
// a folder that it is in, begins with _.
func isPart(file string) bool {
	return strings.HasPrefix(file, "_") || strings.Contains(file, "/_")
}

// unusedParts names the parts that look like pages, and that no page includes.
func (s *Site) unusedParts(parts []string) (diags diag.List) {
	for _, f := range parts {
		name := path.Join(root, f)
		if !isPage(f) || slices.ContainsFunc(s.Pages, func(p *Page) bool { return slices.Contains(p.Includes, name) }) {
			continue
		}
		diags.Add(diag.Diagnostic{Severity: diag.Notice, File: name, Message: diag.Say("no page, for its name begins with _, and no page includes it"),
			Hint: diag.Say("rename it to make it one")})
	}
	return diags
}

// followable tells whether what is no plain file is a symbolic link to one of
// the site. Reading a named pipe would wait for ever.
func followable(fsys fs.FS, name string, diags *diag.List) bool {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		diags.Add(diag.Unreadable(name, err))
		return false
	case info.IsDir():
		diags.Add(diag.Diagnostic{Severity: diag.Warning, File: name, Message: diag.Say("a symbolic link to a folder is not followed"),
			Hint: diag.Say("move the folder into content/")})
		return false
	}
	if d, hidden := sitepath.LinksToHidden(fsys, name); hidden {
		diags.Add(d)
		return false
	}
	return info.Mode().IsRegular()
}

// languages are those that gpudocs.toml declares, else the folders of content/
// that are named like a language and hold a page.
func languages(c *Config, files []string) []*Language {
	known := maps.Clone(c.languages)
	if len(known) == 0 {
		for _, f := range files {
			code, _, ok := strings.Cut(f, "/")
			if _, err := language.Parse(code); ok && err == nil && isPage(f) && languageCode.MatchString(code) {
				known[code] = Language{Code: code}
			}
		}
	}
	var out []*Language
	for _, l := range known {
		if l.Name == "" {
			l.Name = ownName(l.Code)
		}
		out = append(out, &l)
	}
	slices.SortFunc(out, func(a, b *Language) int {
		return cmp.Or(CompareWeight(a.Weight, b.Weight), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// ownName is what a language calls itself.
func ownName(code string) string {
	if tag, err := language.Parse(code); err == nil {
		if name := display.Self.Name(tag); name != "" {
			first, n := utf8.DecodeRuneInString(name)
			return string(unicode.ToUpper(first)) + name[n:]
		}
	}
	return code
}

// CompareWeight puts the light before the heavy, and those without a weight last.
func CompareWeight(a, b int) int {
	if (a == 0) != (b == 0) {
		if a == 0 {
			return 1
		}
		return -1
	}
	return cmp.Compare(a, b)
}

func isMarkdown(name string) bool {
	return strings.EqualFold(path.Ext(name), ".md") || strings.EqualFold(path.Ext(name), ".markdown")
}

type markdownFile struct {
	language *Language
	path     string
}

// split parts pages from other files.
func (s *Site) split(files []string, diags *diag.List) (pages []markdownFile, assets []string) {
	byCode := map[string]*Language{}
	for _, l := range s.Languages {
		byCode[l.Code] = l
	}
	for _, f := range files {
		code, rest, _ := strings.Cut(f, "/")
		switch l := byCode[code]; {
		case !isPage(f):
			assets = append(assets, f)
		case l == nil:
			hint := diag.Say("move it to content/<language>/")
			if languageCode.MatchString(code) {
				hint = diag.Say("move it to content/<language>/, or add [languages.%s] to gpudocs.toml", code)
			}
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: path.Join(root, f), Message: diag.Say("a page outside of every language's folder is left out"), Hint: hint})
		default:
			pages = append(pages, markdownFile{l, rest})
		}
	}
	return pages, assets
}

// parsePages reads and parses on all processors, each page on its own.
func (s *Site) parsePages(files []markdownFile, o Options) diag.List {
	md, cells := &parsers{}, &parsers{cells: true}
	included := &library{fsys: s.FS}
	pages := make([]*Page, len(files))
	found := make([]diag.List, len(files))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		g.Go(func() error {
			p := pageParser{config: s.Config, page: newPage(f), library: included}
			if p.read(s.FS) {
				source, fm, diags := takeFrontMatter(p.file, s.Config.Blocks, s.Config)
				p.diags.Add(diags...)
				p.file = source
				p.take(fm)
				p.address(fm)
				p.oldAddresses(fm)
				p.compose(included)
				switch {
				case p.tooDeep():
					found[i] = p.diags
					return nil
				case p.page.Notebook != nil:
					p.parse(cells.get(p.options(fm)), fm)
				default:
					p.parse(md.get(p.options(fm)), fm)
				}
				pages[i] = p.page
			}
			found[i] = p.diags
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	s.Included = included.names()
	if name := s.Config.Bibliography; name != "" {
		s.Included = append(s.Included, name)
	}
	for _, p := range pages {
		if p != nil && (!p.Draft || o.Drafts) {
			s.Pages = append(s.Pages, p)
		}
	}
	return slices.Concat(found...)
}

func newPage(f markdownFile) *Page {
	p := &Page{Language: f.language, Path: f.path}
	stem := strings.TrimSuffix(f.path, path.Ext(f.path))
	p.Key = norm.NFC.String(stem)
	dir, base := path.Split(stem)
	if base == "index" {
		p.URL = f.language.Code + "/" + urlPath(dir)
	} else {
		p.URL = f.language.Code + "/" + urlPath(stem) + "/"
	}
	return p
}

// urlPath makes an address of a file's path: blanks become hyphens, letters
// with accents stay, in one of their two Unicode forms (NFC).
func urlPath(p string) string { return strings.ReplaceAll(norm.NFC.String(p), " ", "-") }

// read loads the page's file.
func (p *pageParser) read(fsys fs.FS) bool {
	name := path.Join(root, p.page.Language.Code, p.page.Path)
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		p.diags.Add(diag.Unreadable(name, err))
		return false
	}
	if len(data) > maxPage && !isNotebook(name) {
		p.diags.Add(diag.Diagnostic{File: name, Message: diag.Say("a page of more than %d MiB", maxPage>>20), Hint: diag.Say("part it")})
		return false
	}
	// Clipped, because goldmark appends to slices of the source, and must not
	// find room behind it that another reader of the page shares.
	p.file = diag.NewFile(name, slices.Clip(withoutBOM(data)))
	if d, bad := invalidUTF8(p.file); bad {
		p.diags.Add(d)
		return false
	}
	if isNotebook(name) {
		nb, diags := notebook.Read(name, p.file.Data)
		p.diags.Add(diags...)
		if nb == nil {
			return false
		}
		p.page.Notebook, p.file = nb, nb.Markdown(name)
		if len(p.file.Data) > maxPage {
			p.diags.Add(diag.Diagnostic{File: name, Message: diag.Say("text and code of more than %d MiB", maxPage>>20), Hint: diag.Say("part it")})
			return false
		}
	}
	return true
}

// options are those that the site and the page's front matter ask for.
func (p *pageParser) options(fm frontMatter) markdown.Options {
	return markdown.Options{Dialects: p.page.Dialects, Language: p.page.Language.Code, Smart: fm.smart, Run: fm.blocks.Run,
		Citations: p.config.Bibliography != ""}
}

// withoutBOM drops the byte order mark that some editors write and none shows.
func withoutBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// take moves what the front matter says into the page.
func (p *pageParser) take(fm frontMatter) {
	g := p.page
	g.Source = p.file
	g.Title, g.Description, g.Weight, g.Draft = fm.title, fm.description, fm.weight, fm.draft
	g.Stamp, g.Original = fm.stamp, fm.original
	g.Dialects, g.Updated = fm.dialects, fm.updated
	g.Tags, g.aliases, g.Draft = fm.tags, fm.aliases, g.Draft || fm.unpublished
	if fm.translation != "" {
		g.Key = fm.translation
	}
}

// assemble orders the pages and finds those that claim the same address or key.
func (s *Site) assemble() diag.List {
	var diags diag.List
	urls := map[string]string{} // address in lower case, file
	for _, p := range s.Pages {
		if p.Title == "" {
			p.Title = strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
		}
		// Netlify and Windows do not tell upper from lower case.
		claim := strings.ToLower(p.URL)
		if other, ok := urls[claim]; ok {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: diag.Say("this page and %s claim the same address /%s", other, p.URL),
				Hint: diag.Say("rename one of the two"), Source: p.Source.Text(1)})
		}
		urls[claim] = p.Source.Name
		if s.byKey[p.Key] == nil {
			s.byKey[p.Key] = map[string]*Page{}
		}
		if other := s.byKey[p.Key][p.Language.Code]; other != nil {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: diag.Say("this page and %s have the same translation key %q", other.Source.Name, p.Key),
				Hint: diag.Say("a key stands once in each language")})
			continue
		}
		s.byKey[p.Key][p.Language.Code] = p
	}
	for _, a := range s.Assets {
		if page, ok := urls[strings.ToLower(strings.TrimSuffix(a, "index.html"))]; ok && path.Base(a) == "index.html" {
			diags.Add(diag.Diagnostic{File: path.Join(root, a), Message: diag.Say("this file and %s claim the same address", page), Hint: diag.Say("rename one of the two")})
		}
	}
	order := map[*Language]int{}
	for i, l := range s.Languages {
		order[l] = i
	}
	slices.SortStableFunc(s.Pages, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(order[a.Language], order[b.Language]), cmp.Compare(a.Path, b.Path))
	})
	return diags
}
