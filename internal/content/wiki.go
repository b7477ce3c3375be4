package content

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Links of Obsidian name a note, wherever it lies: https://help.obsidian.md/links. A
// name is looked for in the page's language, then in files that belong to none, then
// in the other languages; the nearest file wins.

// A vault is the files of a site by their names, in lower case: pages without their
// ending, other files with it.
type vault struct {
	names map[string][]string // paths below content/
	// folders are the pages that stand for a folder: gpu/index.md.
	folders, aliases map[string][]string
	// notes and files are the names to mean, for hints.
	notes, files known
	// found are the files that fit what links say, as named asks for it.
	found sync.Map
}

// known are names that can be meant, and as they are compared: folded once, for a
// vault can have many thousand, and as many links that lead nowhere.
type known struct{ names, folded []string }

func (k *known) add(name string) {
	k.names, k.folded = append(k.names, name), append(k.folded, fold(name))
}

func newVault(pages, assets []string, aliases func(page string) []string) *vault {
	v := &vault{names: map[string][]string{}, folders: map[string][]string{}, aliases: map[string][]string{}}
	add := func(to map[string][]string, key, name string) { to[fold(key)] = append(to[fold(key)], name) }
	for _, name := range pages {
		stem := strings.TrimSuffix(name, path.Ext(name))
		add(v.names, path.Base(stem), name)
		v.notes.add(path.Base(stem))
		if path.Base(stem) == "index" {
			add(v.folders, path.Base(path.Dir(stem)), name)
		}
		for _, alias := range aliases(name) {
			add(v.aliases, alias, name)
			v.notes.add(alias)
		}
	}
	for _, name := range assets {
		add(v.names, path.Base(name), name)
		v.files.add(path.Base(name))
	}
	return v
}

// fold makes names alike that differ in case or in how their accents are coded.
func fold(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// obsidian tells whether the page is one of a vault.
func (l *pageLinks) obsidian() bool { return l.page.Dialects.Has(markdown.Obsidian) }

// named returns the files that a name or a path can mean, the nearest first.
func (l *pageLinks) named(file string, page bool) []string {
	want := fold(strings.TrimSuffix(strings.TrimPrefix(file, "/"), "/"))
	if page && isPage(want) {
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
		stem := fold(name)
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

// maxNamesakes is how many files of one name are compared. Of more, only those in the
// nearest folders are.
const maxNamesakes = 100

// nearby returns at most maxNamesakes of the files, those below the folder or else the
// next one above it that has at least two.
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

// nearestFirst keeps the files of one language, and sorts them by how far they are
// from the page.
func (l *pageLinks) nearestFirst(files []string) []string {
	here := path.Join(l.page.Language.Code, path.Dir(norm.NFC.String(l.page.Path)))
	rank := func(name string) int {
		code, _, _ := strings.Cut(name, "/")
		if code == l.page.Language.Code {
			return -2
		}
		return slices.IndexFunc(l.site.Languages, func(o *Language) bool { return o.Code == code }) // -1: of no language
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

// choose takes the nearest of the files, and warns where a name means several.
func (l *pageLinks) choose(file string, files []string, pos int) string {
	if len(files) > 1 && !strings.Contains(strings.Trim(file, "/"), "/") {
		l.missing("", file, pos, diag.Say("the name %q means %s and %s; the first is taken, for it is nearer", file, files[0], files[1]),
			diag.Say("write its path, as in [[%s]]", l.path(files[0])))
	}
	return files[0]
}

// path is how Obsidian would write a file for certain.
func (l *pageLinks) path(name string) string {
	code, below, _ := strings.Cut(name, "/")
	if !l.language(code) {
		below = name
	}
	if isPage(below) {
		below = strings.TrimSuffix(below, path.Ext(below))
	}
	if !strings.Contains(below, "/") {
		return "/" + below
	}
	return below
}

// note finds the page that a wiki link names.
func (l *pageLinks) noteNamed(file string, pos int, t *Target) bool {
	if file == "" {
		t.Page = l.page.unlinked
		return true
	}
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		return l.find(file, pos, t) && t.Page != nil
	}
	files := l.named(file, true)
	if len(files) == 0 {
		return false
	}
	t.Page = l.at(l.choose(file, files, pos))
	if own := l.site.Page(t.Page.Key, l.page.Language.Code); own != nil {
		t.Page = l.looksAt(own)
	}
	return true
}

// attached finds a file that is no page.
func (l *pageLinks) attached(file string, pos int, t *Target) bool {
	if l.find(file, pos, t) && t.Asset != "" {
		return true
	}
	files := l.named(file, false)
	if *t = (Target{Suffix: t.Suffix}); len(files) == 0 {
		return false
	}
	t.Asset = l.choose(file, files, pos)
	return true
}

// meant is the hint at a name that is like another, whatever their case.
func (k known) meant(name string, otherwise diag.Text) diag.Text {
	if i := diag.NearestIndex(fold(name), k.folded); i >= 0 {
		return diag.Say("did you mean %q?", k.names[i])
	}
	return otherwise
}

func (l *pageLinks) wikiLink(n *markdown.WikiLink) Target {
	t := l.wikiTarget(n)
	l.page.Links = append(l.page.Links, Link{Destination: n.NotePath.String(), Target: t, Start: n.Start + 2, End: n.Stop - 2})
	return t
}

func (l *pageLinks) wikiTarget(n *markdown.WikiLink) (t Target) {
	switch {
	case l.noteNamed(n.File, n.Start, &t):
		l.subpath(&t, n.NotePath, n.Start)
	case l.attached(n.File, n.Start, &t):
		if s := n.Subpath(); s != "" {
			t.Suffix = "#" + s
		}
	default:
		l.missing(RuleLink, n.File, n.Start, diag.Say("there is no note %q", n.File), l.index.vault.notes.meant(n.File, l.index.vault.files.meant(n.File, diag.Say("its text is shown without a link"))))
		return Target{Missing: true}
	}
	return t
}

// subpath leads to a heading or a block of the page.
func (l *pageLinks) subpath(t *Target, p markdown.NotePath, pos int) {
	if p.Subpath() == "" {
		return
	}
	if p.Block != "" {
		if t.Suffix = "#^" + p.Block; !t.Page.anchors["^"+p.Block] {
			l.missing(RuleAnchor, "^"+p.Block, pos, diag.Say("%s has no block ^%s", t.Page.Source.Name, p.Block), l.suggest.Suggest("^"+p.Block, t.Page.blockIDs, diag.Text{}))
		}
		return
	}
	if id := t.Page.headingID(p.Headings); id != "" {
		t.Suffix = "#" + id
		return
	}
	last := p.Headings[len(p.Headings)-1]
	if t.Suffix = "#" + last; !t.Page.HasAnchor(last) {
		var texts known
		if l.suggest.More() {
			texts = t.Page.headingTexts()
		}
		l.missing(RuleAnchor, strings.Join(p.Headings, "#"), pos, diag.Say("%s has no heading %q", t.Page.Source.Name, p.Subpath()), texts.meant(last, diag.Text{}))
	}
}

// headingID finds a heading by its text, each below the one before, as Obsidian does:
// its punctuation and its case do not count.
func (p *Page) headingID(path []string) string {
	keys := make([]string, len(path))
	for i, text := range path {
		keys[i] = headingKey(text)
	}
	outline := p.outline()
	if first, ok := p.body.byKey[keys[0]]; len(keys) == 1 || !ok {
		return first
	}
	want, above := 0, 0
	for _, h := range outline {
		if want > 0 && h.level <= above {
			want, above = 0, 0 // the section has ended
		}
		if h.key != keys[want] {
			continue
		}
		if want++; want == len(keys) {
			return h.id
		}
		above = h.level
	}
	return ""
}

// An outlined heading is one as links of Obsidian name it.
type outlined struct {
	level   int
	id, key string
}

// outline are the headings of the page. They are read once: a vault has many links to
// one page.
func (p *Page) outline() []outlined {
	p.body.outlining.Do(func() {
		p.body.byKey = map[string]string{}
		for _, h := range p.headings() {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			o := outlined{h.Level, string(name), headingKey(p.text(h, true))}
			p.body.outline = append(p.body.outline, o)
			if _, taken := p.body.byKey[o.key]; !taken {
				p.body.byKey[o.key] = o.id
			}
		}
	})
	return p.body.outline
}

// headingTexts are what readers see of the headings.
func (p *Page) headingTexts() known {
	p.body.reading.Do(func() {
		for _, h := range p.headings() {
			p.body.texts.add(strings.TrimSpace(p.plainText(h)))
		}
	})
	return p.body.texts
}

func headingKey(text string) string {
	return strings.Join(strings.FieldsFunc(fold(text), func(r rune) bool { return r <= ' ' || strings.ContainsRune("!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\", r) }), " ")
}

func (p *Page) blockIDs() (ids []string) {
	for id := range p.anchors {
		if strings.HasPrefix(id, "^") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// obsidianAddress resolves an address of Obsidian's own scheme, obsidian://open?file=x,
// https://help.obsidian.md/uri, which only who wrote it can open.
func (l *pageLinks) obsidianAddress(destination string, pos int) Target {
	var t Target
	u, err := url.Parse(destination)
	if err == nil && u.Query().Get("file") != "" {
		file, fragment, _ := strings.Cut(u.Query().Get("file"), "#")
		if l.noteNamed(file, pos, &t) {
			l.anchorByText(&t, fragment)
			return t
		}
	}
	l.missing("", destination, pos, diag.Say("this link opens the Obsidian of who clicks on it, and there a vault that only its author has"), diag.Say("name the note: [[note]]"))
	return Target{External: destination}
}

// anchorByText finds a heading by its text, in an address of Markdown.
func (l *pageLinks) anchorByText(t *Target, fragment string) bool {
	if t.Page == nil || fragment == "" || t.Page.anchors[fragment] {
		return false
	}
	id := t.Page.headingID(strings.Split(fragment, "#"))
	if id == "" {
		return false
	}
	before, _, _ := strings.Cut(t.Suffix, "#")
	t.Suffix = before + "#" + id
	return true
}

// embedNote resolves what the dialect embeds: a note, or a file of another kind.
func (l *pageLinks) embedNote(n *markdown.Embed) (t Target) {
	switch {
	case markdown.MediumOf(n.File) == markdown.NoteMedium && l.noteNamed(n.File, n.Start, &t):
		l.subpath(&t, n.NotePath, n.Start)
		return t
	case n.File != "" && l.attached(n.File, n.Start, &t):
		if n.Fragment != "" && markdown.MediumOf(n.File) != markdown.ImageMedium {
			t.Suffix = "#" + n.Fragment
		}
		return t
	}
	missing, rule, names := diag.Say("there is no note %q", n.File), RuleLink, l.index.vault.notes
	if m := markdown.MediumOf(n.File); m != markdown.NoteMedium {
		missing, names = diag.Say("there is no file %q", n.File), l.index.vault.files
		if m == markdown.ImageMedium {
			missing, rule = diag.Say("there is no image %q", n.File), RuleImage
		}
	}
	l.missing(rule, n.File, n.Start, missing, names.meant(n.File, diag.Text{}))
	return Target{Missing: true}
}

// firstTitle is the first heading of the page where it gave the title.
func (p *Page) firstTitle() ast.Node {
	for n := p.Doc().FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *markdown.Comment, *markdown.Anchor, *ast.LinkReferenceDefinition:
			continue
		case *ast.Heading:
			if n.Level == 1 {
				return n
			}
		}
		return nil
	}
	return nil
}
