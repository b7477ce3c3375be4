package load

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/page"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A listing contains the files below content/, as slash-separated paths below it.
type listing struct {
	files []string
	// parts are the files that exist only to be included.
	parts []string
	// linked are the symbolic links, by path below the site's folder: they can change under other
	// names.
	linked map[string]bool
	diags  diag.List
}

func (l *listing) same(other *listing) bool {
	return slices.Equal(l.files, other.files) && slices.Equal(l.parts, other.parts) && maps.Equal(l.linked, other.linked) &&
		slices.EqualFunc(l.diags, other.diags, diag.Diagnostic.Equal)
}

// listFiles lists the files again, unless only listed files have changed.
func (l *Loader) listFiles(c changes) {
	old := l.listing
	again := old == nil || c.all() || len(old.diags) > 0 || len(old.linked) > 0
	for _, name := range c.paths {
		again = again || l.needsListing(name)
	}
	if again {
		if now := walkContent(l.fsys); old == nil || !now.same(old) {
			l.listing = now
		}
	}
}

// needsListing reports whether a change of a path may change the list of files.
func (l *Loader) needsListing(name string) bool {
	file, below := strings.CutPrefix(name, sitefile.ContentFolder+"/")
	if !below {
		return name == sitefile.ContentFolder
	}
	known := slices.Contains(l.listing.files, file) || slices.Contains(l.listing.parts, file)
	info, err := fs.Lstat(l.fsys, name)
	switch {
	case known:
		return err != nil || !info.Mode().IsRegular()
	case err == nil:
		return true
	}
	inIt := func(f string) bool { return strings.HasPrefix(f, file+"/") }
	return slices.ContainsFunc(l.listing.files, inIt) || slices.ContainsFunc(l.listing.parts, inIt)
}

// sortedFiles are the listed files by type.
type sortedFiles struct {
	of        *listing
	declared  map[string]site.Language
	languages []*site.Language
	pages     []page.File
	assets    []string
	diags     diag.List
}

// sortFiles separates pages from other files. Pages refer to their language: if the languages
// change, all pages are parsed again.
func (l *Loader) sortFiles(c *site.Config) *sortedFiles {
	old := l.sorted
	if old != nil && old.of == l.listing && maps.Equal(old.declared, c.Languages) {
		return old
	}
	now := &sortedFiles{of: l.listing, declared: c.Languages, languages: languages(c, l.listing.files)}
	if n := len(now.languages); n > site.MaxLanguages { // folders; gpudocs.toml has its own limit
		now.diags.Add(diag.Diagnostic{File: sitefile.ContentFolder, Message: diag.Say("config.languages-too-many", "codes", n, "most", site.MaxLanguages), Hint: diag.Say("config.languages-split-site-hint")})
		now.languages = now.languages[:site.MaxLanguages]
	}
	if old != nil && slices.EqualFunc(old.languages, now.languages, func(a, b *site.Language) bool { return *a == *b }) {
		now.languages = old.languages
	}
	now.pages, now.assets = splitFiles(l.listing.files, now.languages, &now.diags)
	order := map[*site.Language]int{}
	for i, l := range now.languages {
		order[l] = i
	}
	slices.SortStableFunc(now.pages, func(a, b page.File) int {
		return cmp.Or(cmp.Compare(order[a.Language], order[b.Language]), cmp.Compare(a.Path, b.Path))
	})
	l.sorted = now
	return now
}

// languages returns the languages that gpudocs.toml declares. If it declares none, they are the
// folders of content/ that are named like a language and contain a page.
func languages(c *site.Config, files []string) []*site.Language {
	known := maps.Clone(c.Languages)
	if len(known) == 0 {
		for _, f := range files {
			code, _, ok := strings.Cut(f, "/")
			if _, err := language.Parse(code); ok && err == nil && sitefile.IsPage(f) && site.LanguageCode.MatchString(code) {
				known[code] = site.Language{Code: code}
			}
		}
	}
	var out []*site.Language
	for _, l := range known {
		if l.Name == "" {
			l.Name = nativeName(l.Code)
		}
		out = append(out, &l)
	}
	slices.SortFunc(out, func(a, b *site.Language) int {
		return cmp.Or(site.CompareWeight(a.Weight, b.Weight), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// nativeName returns the name of a language in that language.
func nativeName(code string) string {
	if tag, err := language.Parse(code); err == nil {
		if name := display.Self.Name(tag); name != "" {
			first, n := utf8.DecodeRuneInString(name)
			return string(unicode.ToUpper(first)) + name[n:]
		}
	}
	return code
}

// splitFiles separates pages from other files.
func splitFiles(files []string, languages []*site.Language, diags *diag.List) (pages []page.File, assets []string) {
	byCode := map[string]*site.Language{}
	for _, l := range languages {
		byCode[l.Code] = l
	}
	for _, f := range files {
		code, rest, _ := strings.Cut(f, "/")
		switch l := byCode[code]; {
		case !sitefile.IsPage(f):
			assets = append(assets, f)
		case l == nil:
			hint := diag.Say("page.page-outside-language-move-hint")
			if site.LanguageCode.MatchString(code) {
				hint = diag.Say("page.page-outside-language-add-hint", "code", code)
			}
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: path.Join(sitefile.ContentFolder, f), Message: diag.Say("page.page-outside-language"), Hint: hint})
		default:
			pages = append(pages, page.File{Name: path.Join(sitefile.ContentFolder, f), Language: l, Path: rest})
		}
	}
	return pages, assets
}
