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
	// courseFiles are the configurations of other tools, by path below the site's folder.
	courseFiles []string
	diags       diag.List
}

// listFiles lists the files again, unless only listed files have changed.
func (l *Loader) listFiles(c Changes) {
	again := l.listing == nil || len(c) == 0 || len(l.listing.diags) > 0 || len(l.listing.linked) > 0
	for name := range c {
		again = again || l.changesListing(name)
	}
	if again {
		l.listing = walkContent(l.fsys)
	}
}

// changesListing reports whether a change of a path may change the list of files. It does not if the
// path is outside of content/, or that of a listed file that is still a regular file.
func (l *Loader) changesListing(name string) bool {
	file, inContent := strings.CutPrefix(name, sitefile.ContentFolder+"/")
	if !inContent {
		return name == sitefile.ContentFolder
	}
	info, err := fs.Lstat(l.fsys, name)
	isListed := slices.Contains(l.listing.files, file) || slices.Contains(l.listing.parts, file)
	return err != nil || !info.Mode().IsRegular() || !isListed
}

// readLanguages updates the languages. Pages refer to theirs: if the languages change, all pages are
// parsed again.
func (l *Loader) readLanguages(c *site.Config) (diags diag.List) {
	now := languages(c, l.listing.files)
	if n := len(now); n > site.MaxLanguages { // folders; gpudocs.toml has its own limit
		diags.Add(diag.About(diag.Error, sitefile.ContentFolder,
			diag.Say("config.languages-too-many", "codes", n, "most", site.MaxLanguages).WithHint(diag.Say("config.languages-split-site-hint"))))
		now = now[:site.MaxLanguages]
	}
	if !slices.EqualFunc(l.languages, now, func(a, b *site.Language) bool { return *a == *b }) {
		l.languages = now
	}
	return diags
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
			l.Name = NativeName(l.Code)
		}
		out = append(out, &l)
	}
	slices.SortFunc(out, func(a, b *site.Language) int {
		return cmp.Or(site.CompareWeight(a.Weight, b.Weight), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// NativeName returns the name of a language in that language.
func NativeName(code string) string {
	if tag, err := language.Parse(code); err == nil {
		if name := display.Self.Name(tag); name != "" {
			first, n := utf8.DecodeRuneInString(name)
			return string(unicode.ToUpper(first)) + name[n:]
		}
	}
	return code
}

// splitFiles separates pages, sorted by language and path, from other files.
func splitFiles(files []string, languages []*site.Language) (pages []page.File, assets []string, diags diag.List) {
	byCode, pagesByCode := map[string]*site.Language{}, map[string][]page.File{}
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
			diags.Add(diag.About(diag.Warning, path.Join(sitefile.ContentFolder, f), diag.Say("page.page-outside-language").WithHint(hint)))
		default:
			pagesByCode[code] = append(pagesByCode[code], page.File{Name: path.Join(sitefile.ContentFolder, f), Language: l, Path: rest})
		}
	}
	for _, l := range languages {
		pages = append(pages, slices.SortedFunc(slices.Values(pagesByCode[l.Code]),
			func(a, b page.File) int { return cmp.Compare(a.Path, b.Path) })...)
	}
	return pages, assets, diags
}
