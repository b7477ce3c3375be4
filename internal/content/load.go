package content

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	l := NewLoader(fsys, o)
	l.once = true
	return l.Load(nil)
}

// walk lists the files below content/. What cannot be read is a diagnostic, and the
// walk goes on.
func walk(fsys fs.FS) *listing {
	l := &listing{linked: map[string]bool{}}
	if info, err := fs.Lstat(fsys, root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// It could lead to .git, or to all that lies beside the pages.
		l.diags.Add(diag.Diagnostic{File: root, Message: diag.Say("a symbolic link to a folder is not followed"), Hint: diag.Say("put the folder itself in its place")})
		return l
	}
	_ = fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name == root && errors.Is(err, fs.ErrNotExist) {
				l.diags.Add(diag.Diagnostic{File: root, Message: diag.Say("the folder is missing"), Hint: diag.Say("pages stand in content/pt, content/es, ...")})
			} else {
				l.diags.Add(diag.Unreadable(name, err))
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
		case hidden:
			return nil
		}
		if fault, bad := misnamed(name); bad {
			l.diags.Add(fault)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		file := strings.TrimPrefix(name, root+"/")
		if isPart(file) {
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

// isPart tells whether a file is there to be included alone: its name, or that of
// a folder that it is in, begins with _.
func isPart(file string) bool {
	return strings.HasPrefix(file, "_") || strings.Contains(file, "/_")
}

// unusedParts names the parts that look like pages, and that no page includes.
func (s *Site) unusedParts(parts []string) (diags diag.List) {
	if len(parts) == 0 {
		return nil
	}
	included := map[string]bool{}
	for _, p := range s.Pages {
		for _, name := range p.Includes {
			included[name] = true
		}
	}
	for _, f := range parts {
		name := path.Join(root, f)
		if !isPage(f) || included[name] {
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
	name     string // below the site's folder
	language *Language
	path     string
}

// split parts pages from other files.
func split(files []string, languages []*Language, diags *diag.List) (pages []markdownFile, assets []string) {
	byCode := map[string]*Language{}
	for _, l := range languages {
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
			pages = append(pages, markdownFile{path.Join(root, f), l, rest})
		}
	}
	return pages, assets
}

// A parsed page is what a file says, whatever else the site holds. Its page is nil where
// the file cannot be read.
type parsed struct {
	page  *Page
	diags diag.List
	// asked are the files that it wants to include; searched tells that it found other
	// names than it was looking for.
	asked    []string
	searched bool
	// loose are the findings about a page that is no draft which is left out.
	loose diag.List
}

// parsePage makes a page of a file.
func (l *Loader) parsePage(f markdownFile, data []byte, err error) *parsed {
	included := &library{fsys: l.fsys, books: &l.books}
	p := pageParser{config: l.parsing, page: newPage(f), library: included}
	out := &parsed{}
	if p.read(f.name, data, err) {
		source, fm, diags := takeFrontMatter(p.file, l.parsing.Blocks, l.parsing)
		p.diags.Add(diags...)
		p.file = source
		p.take(fm)
		p.address(fm)
		p.oldAddresses(fm)
		p.compose(included)
		if !p.tooDeep() {
			of := &l.markdown
			if p.page.Notebook != nil {
				of = &l.cells
			}
			p.parse(of.get(p.options(fm)), fm)
			if p.page.Title == "" {
				p.page.Title = strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
			}
			out.page = p.page
			out.loose = p.loose
		}
	}
	out.diags, out.asked, out.searched = p.diags, included.asked, included.searched
	return out
}

func newPage(f markdownFile) *Page {
	p := &Page{Language: f.language, Path: f.path}
	p.unlinked = p
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

// read takes the page's file.
func (p *pageParser) read(name string, data []byte, err error) bool {
	if err != nil {
		p.diags.Add(diag.Unreadable(name, err))
		return false
	}
	if len(data) > maxPage && !isNotebook(name) {
		p.diags.Add(tooLarge(name))
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

// readPage reads a page's file, if it is none that is refused for its size anyhow.
func readPage(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil {
		if isNotebook(name) && info.Size() > notebook.MaxFile {
			return nil, notebook.TooLarge(name)
		}
		if !isNotebook(name) && info.Size() > maxPage {
			return nil, tooLarge(name)
		}
	}
	return fs.ReadFile(fsys, name)
}

func tooLarge(name string) diag.Diagnostic {
	return diag.Diagnostic{File: name, Message: diag.Say("a page of more than %d MiB", maxPage>>20), Hint: diag.Say("part it")}
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
	g.Title, g.Description, g.Weight, g.Draft = oneLine(fm.title), oneLine(fm.description), fm.weight, fm.draft
	g.weight = fm.weight
	g.Stamp, g.Original = fm.stamp, fm.original
	g.Dialects, g.Updated = fm.dialects, fm.updated
	g.Tags, g.aliases, g.Draft = fm.tags, fm.aliases, g.Draft || fm.unpublished
	if fm.translation != "" {
		g.Key = fm.translation
	}
}
