package content

import (
	"maps"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// A Target is where a link or an image of a page leads. Exactly one of Page,
// Asset, Picture, External and Missing is set.
type Target struct {
	// Page is a page of the site. Its Language is that of the linking page,
	// unless only another language has it: a reader then stays in the language
	// and sees the original with a notice.
	Page *Page
	// Asset is another file below content/.
	Asset string
	// Made is the address of a page that nobody wrote: "pt/_status/".
	Made string
	// Picture is one that the page's notebook holds.
	Picture *notebook.Picture
	// External is an address that is none of ours.
	External string
	// Missing is set where nothing was found.
	Missing bool
	// Suffix is "?query" and "#fragment", as written.
	Suffix string
	// OtherLanguage is set where the link names another language's folder.
	OtherLanguage bool
}

// A Link is an address as it stands on a page.
type Link struct {
	// Destination is the address as written.
	Destination string
	Target      Target
	// Start and End are its offsets in the page's source.
	Start, End int
	// Image is set where it is shown on the page rather than followed.
	Image bool
}

// Fragment is what stands behind the # of the target, decoded.
func (t Target) Fragment() string {
	_, fragment, _ := strings.Cut(t.Suffix, "#")
	if f, err := url.PathUnescape(fragment); err == nil {
		return f
	}
	return fragment
}

// HasAnchor tells whether a link to #id leads anywhere on the page. What a browser
// finds by itself is there: the top, and text.
func (p *Page) HasAnchor(id string) bool {
	return id == "" || strings.EqualFold(id, "top") || p.anchors[id] || strings.HasPrefix(id, ":~:")
}

// Target returns where a Link, Image or Embed node of the page leads.
func (p *Page) Target(n ast.Node) Target { return p.targets[n] }

// RawTarget returns where an address in the page's raw HTML leads.
func (p *Page) RawTarget(destination string) (Target, bool) {
	t, ok := p.rawTargets[destination]
	return t, ok
}

// resolver knows every file of the site.
type resolver struct {
	site   *Site
	pages  map[string]*Page // by path below content/: "pt/gpu/index.md"
	assets map[string]bool
	// byBase and byDir list both by their name and by their folder, for hints.
	byBase, byDir map[string][]string
	// byFold lists them by their path in lower case, dirs are the folders there are.
	byFold map[string]string
	dirs   map[string]bool
	vault  *vault
	// byLabel are the pages that have a label.
	byLabel map[*Language]map[string][]*Page
}

func (s *Site) resolveLinks() diag.List {
	r := &resolver{site: s, pages: map[string]*Page{}, assets: map[string]bool{},
		byBase: map[string][]string{}, byDir: map[string][]string{}, byFold: map[string]string{}, dirs: map[string]bool{}, byLabel: labelIndex(s.Pages)}
	s.files = map[string]string{}
	for _, p := range s.Pages {
		r.pages[p.Language.Code+"/"+norm.NFC.String(p.Path)] = p
	}
	for _, a := range s.Assets {
		r.assets[norm.NFC.String(a)] = true
		s.files[norm.NFC.String(a)] = a
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(r.pages)), slices.Sorted(maps.Keys(r.assets))) {
		dir, base := path.Dir(name), path.Base(name)
		r.byBase[base] = append(r.byBase[base], name)
		r.byDir[dir] = append(r.byDir[dir], name)
		r.byFold[strings.ToLower(name)] = name
		for ; dir != "." && !r.dirs[dir]; dir = path.Dir(dir) {
			r.dirs[dir] = true
		}
	}
	r.vault = newVault(r.pages, r.assets)
	found := make([]diag.List, len(s.Pages))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range s.Pages {
		g.Go(func() error {
			found[i] = append(r.page(p), references(p)...)
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	s.orderByContents()
	return slices.Concat(found...)
}

// pageLinks resolves the links of one page and reports each missing target once.
type pageLinks struct {
	*resolver
	page     *Page
	reported map[string]bool
	diags    diag.List
}

func (r *resolver) page(p *Page) diag.List {
	l := &pageLinks{resolver: r, page: p, reported: map[string]bool{}}
	p.targets, p.rawTargets, p.referred = map[ast.Node]Target{}, map[string]Target{}, map[*markdown.Reference]Referred{}
	p.contents = map[*markdown.Contents][]Target{}
	l.formulas()
	_ = ast.Walk(p.Doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.targets[n] = l.resolve(string(n.Destination), n.Pos(), "page")
		case *ast.Image:
			p.targets[n] = l.resolve(string(n.Destination), n.Pos(), "image")
			l.markdownImage(n)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				address := string(n.URL(p.Source.Data))
				if l.dangerous(address, n.Pos(), "page") {
					break
				}
				l.note(address, string(n.Label(p.Source.Data)), n.Pos(), Target{External: address}, false)
			}
		case *markdown.Citation:
			l.citation(n)
		case *markdown.Contents:
			for _, e := range n.Entries {
				p.contents[n] = append(p.contents[n], l.resolve(e.Page, e.Start, "page"))
			}
		case *markdown.Reference:
			p.referred[n] = l.reference(n)
		case *markdown.Embed:
			p.targets[n] = l.embed(n)
		case *markdown.WikiLink:
			p.targets[n] = l.wikiLink(n)
		case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
			l.rawHTML(n)
		}
		return ast.WalkContinue, nil
	})
	return l.diags
}

// note keeps a link; text is how the address is written, where that differs.
func (l *pageLinks) note(destination, text string, pos int, t Target, image bool) {
	start, end := locate(l.page.Source, text, pos)
	l.page.Links = append(l.page.Links, Link{Destination: destination, Target: t, Start: start, End: end, Image: image})
}

// resolve finds where an address leads, and keeps it.
func (l *pageLinks) resolve(destination string, pos int, what string) Target {
	t := l.lookUp(destination, pos, what)
	l.note(destination, destination, pos, t, what != "page")
	if t.Asset != "" && what != "page" {
		l.decodable(t.Asset, destination, pos)
	}
	return t
}

func (l *pageLinks) lookUp(destination string, pos int, what string) Target {
	if name, ok := strings.CutPrefix(destination, "attachment:"); ok && l.page.Notebook != nil {
		return l.attachment(name, destination, pos)
	}
	if l.obsidian() && strings.HasPrefix(strings.ToLower(destination), "obsidian:") {
		return l.obsidianAddress(destination, pos)
	}
	if l.dangerous(destination, pos, what) {
		return Target{Missing: true}
	}
	if elsewhere(destination) {
		l.elsewhere(destination, pos)
		return Target{External: destination}
	}
	t := Target{}
	file := destination
	if i := strings.IndexAny(destination, "?#"); i >= 0 {
		file, t.Suffix = destination[:i], destination[i:]
	}
	name, undecodable := url.PathUnescape(file)
	if undecodable == nil {
		file = name
	}
	missing, rule := diag.Say("there is no page %q", file), RuleLink
	switch what {
	case "image":
		missing, rule = diag.Say("there is no image %q", file), RuleImage
	case "file":
		missing, rule = diag.Say("there is no file %q", file), RuleImage
	}
	if file == "" {
		t.Page = l.page
	} else if !l.find(file, pos, &t) && !(what == "page" && l.made(file, pos, &t)) && !(l.obsidian() && (l.attached(file, pos, &t) || l.noteNamed(file, pos, &t))) {
		hint := l.nearest(file, pos)
		if undecodable != nil {
			hint = diag.Say("a %% in an address is written %%25")
		}
		l.missing(rule, destination, pos, missing, hint)
		return Target{Missing: true}
	}
	l.anchor(&t, destination, pos)
	return t
}

// find looks a path up: first as it is written, then as a page's address.
func (l *pageLinks) find(file string, pos int, t *Target) bool {
	full := l.full(file, pos)
	stem := strings.TrimSuffix(full, "/")
	names := []string{full, stem + ".md", path.Join(stem, "index.md"), stem + ".markdown", stem + ".ipynb", path.Join(stem, "index.ipynb")}
	for _, name := range names {
		if l.assets[name] {
			t.Asset = name
			return true
		}
		if p := l.pages[name]; p != nil {
			t.Page = p
			t.OtherLanguage = p.Language != l.page.Language
			return true
		}
	}
	for _, name := range names { // only what this language lacks
		if p := l.otherLanguage(name); p != nil {
			t.Page = p
			return true
		}
	}
	return false
}

// full returns the path below content/. An absolute one begins there.
func (l *pageLinks) full(file string, pos int) string {
	file = norm.NFC.String(file)
	if strings.HasPrefix(file, "/") {
		return strings.TrimPrefix(path.Clean(file), "/")
	}
	slash := ""
	if strings.HasSuffix(file, "/") {
		slash = "/"
	}
	return path.Join(l.folderAt(pos), file) + slash
}

// folderAt is the folder, below content/, of the page or of what it includes there.
func (l *pageLinks) folderAt(pos int) string {
	return norm.NFC.String(l.page.folderAt(pos))
}

// otherLanguage finds a page that this language lacks and another has: its
// address exists in this language too, with a notice.
func (l *pageLinks) otherLanguage(name string) *Page {
	code, rest, _ := strings.Cut(name, "/")
	if code != l.page.Language.Code {
		return nil
	}
	for _, other := range l.site.Languages {
		if p := l.pages[other.Code+"/"+rest]; p != nil {
			return p
		}
	}
	return nil
}

// anchor checks the fragment. A letter with an accent has two forms in Unicode, and
// a browser tells them apart: ids have the one, what some keyboards write the other.
func (l *pageLinks) anchor(t *Target, destination string, pos int) {
	fragment := t.Fragment()
	if t.Page == nil || t.Page.HasAnchor(fragment) || l.obsidian() && l.anchorByText(t, fragment) {
		return
	}
	if composed := norm.NFC.String(fragment); t.Page.anchors[composed] {
		before, _, _ := strings.Cut(t.Suffix, "#")
		t.Suffix = before + "#" + composed
		return
	}
	known := slices.Sorted(maps.Keys(t.Page.anchors))
	near := fragment
	if i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, fragment) }); i >= 0 {
		near = known[i] // told apart by their case alone
	}
	l.missing(RuleAnchor, destination, pos, diag.Say("%s has no heading or anchor %q", t.Page.Source.Name, fragment),
		diag.Suggest(near, known, diag.Text{}))
}

// embed finds an image as Obsidian does: beside the page, by its path, or by
// its name alone anywhere in the site.
func (l *pageLinks) embed(n *markdown.Embed) Target {
	t := l.embedded(n)
	l.note(n.NotePath.String(), n.File, n.Start, t, t.Page == nil)
	if t.Asset != "" {
		l.decodable(t.Asset, n.File, n.Start)
	}
	return t
}

func (l *pageLinks) embedded(n *markdown.Embed) Target {
	if l.obsidian() {
		return l.embedNote(n)
	}
	var t Target
	if l.attached(n.File, n.Start, &t) {
		return t
	}
	l.missing(RuleImage, n.File, n.Start, diag.Say("there is no image %q", n.File), l.nearest(n.File, n.Start))
	return Target{Missing: true}
}

// missing warns once for each target of a page.
func (l *pageLinks) missing(rule, target string, pos int, message, hint diag.Text) {
	if l.reported[target] {
		return
	}
	l.reported[target] = true
	l.warn(rule, target, pos, message, hint)
}

func (l *pageLinks) warn(rule, target string, pos int, message, hint diag.Text) {
	start, end := locate(l.page.Source, target, pos)
	d := l.page.Source.Warning(start, end, message, hint)
	d.Rule = rule
	l.diags.Add(d)
}

// maxAway is how far behind a node's beginning its address is looked for: a
// block of raw HTML can be long.
const maxAway = 64 << 10

// locate finds the address, or another text, that a node holds. The node begins at
// its bracket; what is wrong is what stands behind it.
func locate(f *diag.File, text string, pos int) (start, end int) {
	pos = min(max(pos, 0), len(f.Data))
	if i := indexAddress(string(f.Data[pos:min(len(f.Data), pos+len(text)+maxAway)]), text); i >= 0 && text != "" {
		return pos + i, pos + i + len(text)
	}
	return pos, pos + 1
}

// indexAddress finds an address that is not the end of a longer one.
func indexAddress(text, address string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], address)
		if i < 0 {
			return -1
		}
		at := from + i
		if at == 0 || strings.IndexByte("(<[\"'= \t\n|#{", text[at-1]) >= 0 {
			return at
		}
		from = at + 1
	}
}

// relative returns the path from a folder to a file, both below content/.
func relative(from, to string) string {
	a, b := strings.Split(path.Clean(from), "/"), strings.Split(to, "/")
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)) + strings.Join(b, "/")
}
