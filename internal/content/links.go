package content

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
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
	// and sees the original with a notice. Where its own links lead is known only
	// if it is embedded: compare pages by their Source.
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
func (p *Page) Target(n ast.Node) Target {
	if i := p.place(n); i >= 0 && i < len(p.targets) {
		return p.targets[i]
	}
	return Target{}
}

// RawTarget returns where an address in the page's raw HTML leads.
func (p *Page) RawTarget(destination string) (Target, bool) {
	t, ok := p.rawTargets[destination]
	return t, ok
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
		t.Page = l.page.unlinked
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
		if _, ok := l.index.files[name]; ok {
			t.Asset = name
			return true
		}
		if p := l.at(name); p != nil {
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
		if p := l.at(other.Code + "/" + rest); p != nil {
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
	if l.reported[destination] {
		return
	}
	var hint diag.Text
	if l.suggest.More() {
		known, near := t.Page.ids(), fragment
		if i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, fragment) }); i >= 0 {
			near = known[i] // told apart by their case alone
		}
		hint = diag.Suggest(near, known, hint)
	}
	l.missing(RuleAnchor, destination, pos, diag.Say("%s has no heading or anchor %q", t.Page.Source.Name, fragment), hint)
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
	if i := indexAddress(f.Data[pos:min(len(f.Data), pos+len(text)+maxAway)], []byte(text)); i >= 0 && text != "" {
		return pos + i, pos + i + len(text)
	}
	return pos, pos + 1
}

// maxTries is how many ends of longer addresses are passed over.
const maxTries = 1000

// indexAddress finds an address that is not the end of a longer one.
func indexAddress(text, address []byte) int {
	for from, tries := 0, 0; ; tries++ {
		i := bytes.Index(text[from:], address)
		if i < 0 || tries == maxTries {
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
