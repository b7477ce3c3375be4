package resolve

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Links of Obsidian name a note in any folder: https://help.obsidian.md/links. A name is searched
// in the page's language, then in files without a language, then in the other languages. The
// nearest file wins.

// A vault indexes the files of a site by name in lower case: pages without their extension, other
// files with it.
type vault struct {
	names map[string][]string // paths below content/
	// folders are the index pages by the name of their folder: gpu/index.md.
	folders, aliases map[string][]string
	// notes and files are the names to suggest.
	notes, files site.KnownNames
	// found caches the results of filesNamed.
	found sync.Map
}

func newVault(pages, assets []string, aliases func(page string) []string) *vault {
	v := &vault{names: map[string][]string{}, folders: map[string][]string{}, aliases: map[string][]string{}}
	add := func(to map[string][]string, key, name string) {
		to[site.FoldName(key)] = append(to[site.FoldName(key)], name)
	}
	for _, name := range pages {
		stem := strings.TrimSuffix(name, path.Ext(name))
		add(v.names, path.Base(stem), name)
		v.notes.Add(path.Base(stem))
		if path.Base(stem) == "index" {
			add(v.folders, path.Base(path.Dir(stem)), name)
		}
		for _, alias := range aliases(name) {
			add(v.aliases, alias, name)
			v.notes.Add(alias)
		}
	}
	for _, name := range assets {
		add(v.names, path.Base(name), name)
		v.files.Add(path.Base(name))
	}
	return v
}

// obsidian reports whether the page is in Obsidian's dialect.
func (l *pageLinks) obsidian() bool { return l.page.Dialects.Has(markdown.Obsidian) }

// filesNamed returns the files that a name or a path can mean, nearest first.
func (l *pageLinks) filesNamed(file string, page bool) []string {
	want := site.FoldName(strings.TrimSuffix(strings.TrimPrefix(file, "/"), "/"))
	if page && sitefile.IsPage(want) {
		want = strings.TrimSuffix(want, path.Ext(want))
	}
	type key struct {
		want         string
		page, rooted bool
	}
	asked := key{want, page, strings.HasPrefix(file, "/")}
	if found, ok := l.index.vault.found.Load(asked); ok {
		return l.nearestFirst(found.([]string))
	}
	fits := func(name string) bool {
		stem := site.FoldName(name)
		if page {
			stem = strings.TrimSuffix(stem, path.Ext(stem))
		}
		_, below, _ := strings.Cut(stem, "/")
		return l.isPage(name) == page && (stem == want || below == want ||
			!asked.rooted && strings.HasSuffix(stem, "/"+want))
	}
	var found []string
	for _, name := range l.index.vault.names[path.Base(want)] {
		if fits(name) {
			found = append(found, name)
		}
	}
	for _, other := range []map[string][]string{l.index.vault.aliases, l.index.vault.folders} {
		if page && len(found) == 0 {
			found = other[want]
		}
	}
	l.index.vault.found.Store(asked, found)
	return l.nearestFirst(found)
}

// maxNamesakes bounds how many files of one name are compared. If there are more, only those in the
// nearest folders are.
const maxNamesakes = 100

// nearby returns at most maxNamesakes of the files: those below the folder, or else below the next
// folder above it that has at least two.
func nearby(here string, files []string) []string {
	if len(files) <= maxNamesakes {
		return files
	}
	var near []string
	for dir := here; ; dir = path.Dir(dir) {
		below := dir + "/"
		if dir == "." {
			below = ""
		}
		for _, name := range files {
			if strings.HasPrefix(name, below) && !slices.Contains(near, name) {
				if near = append(near, name); len(near) == maxNamesakes {
					break
				}
			}
		}
		if len(near) > 1 || dir == "." {
			return near
		}
	}
}

// nearestFirst selects the files of one language, and sorts them by distance from the page.
func (l *pageLinks) nearestFirst(files []string) []string {
	here := path.Join(l.page.Language.Code, path.Dir(norm.NFC.String(l.page.Path)))
	rank := func(name string) int {
		code, _, _ := strings.Cut(name, "/")
		if code == l.page.Language.Code {
			return -2
		}
		return slices.IndexFunc(l.site.Languages, func(o *site.Language) bool { return o.Code == code }) // -1: of no language
	}
	files = nearby(here, files)
	best := len(l.site.Languages)
	for _, name := range files {
		best = min(best, rank(name))
	}
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return rank(name) != best })
	slices.SortStableFunc(files, func(a, b string) int {
		return strings.Count(relative(here, a), "/") - strings.Count(relative(here, b), "/")
	})
	return slices.Compact(files)
}

// choose returns the nearest of the files, and warns if a name is ambiguous.
func (l *pageLinks) choose(file string, files []string, pos int) string {
	if len(files) > 1 && !strings.Contains(strings.Trim(file, "/"), "/") {
		l.missing("", file, pos, diag.Say("links.name-means-first-taken", "file", file, "name", files[0], "other", files[1]),
			diag.Say("links.name-means-first-taken-hint", "path", l.obsidianPath(files[0])))
	}
	return files[0]
}

// obsidianPath returns the unambiguous form in which Obsidian writes the path of a file.
func (l *pageLinks) obsidianPath(name string) string {
	code, below, _ := strings.Cut(name, "/")
	if !l.isLanguage(code) {
		below = name
	}
	if sitefile.IsPage(below) {
		below = strings.TrimSuffix(below, path.Ext(below))
	}
	if !strings.Contains(below, "/") {
		return "/" + below
	}
	return below
}

// findNote finds the page that a wiki link names.
func (l *pageLinks) findNote(file string, pos int, t *site.Target) bool {
	if file == "" {
		t.Page = l.page
		return true
	}
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		return l.find(file, pos, t) && t.Page != nil
	}
	files := l.filesNamed(file, true)
	if len(files) == 0 {
		return false
	}
	t.Page = l.at(l.choose(file, files, pos))
	if own := l.site.Page(t.Page.Key, l.page.Language.Code); own != nil {
		t.Page = l.dependOn(own)
	}
	return true
}

// findAttachment finds a file that is not a page.
func (l *pageLinks) findAttachment(file string, pos int, t *site.Target) bool {
	if l.find(file, pos, t) && t.Asset != "" {
		return true
	}
	files := l.filesNamed(file, false)
	if *t = (site.Target{Suffix: t.Suffix}); len(files) == 0 {
		return false
	}
	t.Asset = l.choose(file, files, pos)
	return true
}

func (l *pageLinks) wikiLink(n *obsidian.WikiLink) site.Target {
	t := l.wikiTarget(n)
	l.links.All = append(l.links.All, site.Link{Destination: n.NotePath.String(), Target: t, Start: n.Start + 2, End: n.Stop - 2})
	return t
}

func (l *pageLinks) wikiTarget(n *obsidian.WikiLink) (t site.Target) {
	switch {
	case l.findNote(n.File, n.Start, &t):
		l.subpath(&t, n.NotePath, n.Start)
	case l.findAttachment(n.File, n.Start, &t):
		if s := n.Subpath(); s != "" {
			t.Suffix = "#" + s
		}
	default:
		l.missing(site.RuleLink, n.File, n.Start, diag.Say("links.no-note", "file", n.File), l.index.vault.notes.Suggest(n.File, l.index.vault.files.Suggest(n.File, diag.Say("links.text-shown-without-link"))))
		return site.Target{Missing: true}
	}
	return t
}

// subpath resolves a heading or a block of the page.
func (l *pageLinks) subpath(t *site.Target, p markdown.NotePath, pos int) {
	if p.Subpath() == "" {
		return
	}
	if p.Block != "" {
		if t.Suffix = "#^" + p.Block; !t.Page.Anchors["^"+p.Block] {
			l.missing(site.RuleAnchor, "^"+p.Block, pos, diag.Say("links.no-block", "name", t.Page.Source.Name, "block", p.Block), l.suggest.Suggest("^"+p.Block, t.Page.BlockIDs, diag.Text{}))
		}
		return
	}
	if id := t.Page.HeadingID(p.Headings); id != "" {
		t.Suffix = "#" + id
		return
	}
	last := p.Headings[len(p.Headings)-1]
	if t.Suffix = "#" + last; !t.Page.HasAnchor(last) {
		var texts site.KnownNames
		if l.suggest.More() {
			texts = t.Page.HeadingTexts()
		}
		l.missing(site.RuleAnchor, strings.Join(p.Headings, "#"), pos, diag.Say("links.no-heading", "name", t.Page.Source.Name, "subpath", p.Subpath()), texts.Suggest(last, diag.Text{}))
	}
}

// obsidianAddress resolves an address of Obsidian's scheme, obsidian://open?file=x,
// https://help.obsidian.md/uri, which only opens on the author's computer.
func (l *pageLinks) obsidianAddress(destination string, pos int) site.Target {
	var t site.Target
	u, err := url.Parse(destination)
	if err == nil && u.Query().Get("file") != "" {
		file, fragment, _ := strings.Cut(u.Query().Get("file"), "#")
		if l.findNote(file, pos, &t) {
			l.anchorByText(&t, fragment)
			return t
		}
	}
	l.missing("", destination, pos, diag.Say("links.link-opens-obsidian"), diag.Say("links.link-opens-obsidian-hint"))
	return site.Target{External: destination}
}

// anchorByText resolves a fragment that is the text of a heading.
func (l *pageLinks) anchorByText(t *site.Target, fragment string) bool {
	if t.Page == nil || fragment == "" || t.Page.Anchors[fragment] {
		return false
	}
	id := t.Page.HeadingID(strings.Split(fragment, "#"))
	if id == "" {
		return false
	}
	before, _, _ := strings.Cut(t.Suffix, "#")
	t.Suffix = before + "#" + id
	return true
}

// embedNote resolves what Obsidian embeds: a note, or a file of another type.
func (l *pageLinks) embedNote(n *markdown.Embed) (t site.Target) {
	switch {
	case markdown.MediumOf(n.File) == markdown.NoteMedium && l.findNote(n.File, n.Start, &t):
		l.subpath(&t, n.NotePath, n.Start)
		return t
	case n.File != "" && l.findAttachment(n.File, n.Start, &t):
		if n.Fragment != "" && markdown.MediumOf(n.File) != markdown.ImageMedium {
			t.Suffix = "#" + n.Fragment
		}
		return t
	}
	missing, rule, names := diag.Say("links.no-note", "file", n.File), site.RuleLink, l.index.vault.notes
	if m := markdown.MediumOf(n.File); m != markdown.NoteMedium {
		missing, names = diag.Say("page.no-file", "file", n.File), l.index.vault.files
		if m == markdown.ImageMedium {
			missing, rule = diag.Say("links.no-image", "file", n.File), site.RuleImage
		}
	}
	l.missing(rule, n.File, n.Start, missing, names.Suggest(n.File, diag.Text{}))
	return site.Target{Missing: true}
}

// embed finds an image as Obsidian does: relative to the page, by its path, or by its name anywhere
// in the site.
func (l *pageLinks) embed(n *markdown.Embed) site.Target {
	t := l.embedded(n)
	l.addLink(n.NotePath.String(), n.File, n.Start, t, t.Page == nil)
	if t.Asset != "" {
		l.checkImage(t.Asset, n.File, n.Start)
	}
	return t
}

func (l *pageLinks) embedded(n *markdown.Embed) site.Target {
	if l.obsidian() {
		return l.embedNote(n)
	}
	var t site.Target
	if l.findAttachment(n.File, n.Start, &t) {
		return t
	}
	l.missing(site.RuleImage, n.File, n.Start, diag.Say("links.no-image", "file", n.File), l.missingHint(n.File, n.Start))
	return site.Target{Missing: true}
}
