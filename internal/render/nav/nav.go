// Package nav arranges the pages of a site: their addresses in each language, the reading order, the
// sidebar, and links from one file to another. A [Tree] has the pages of one language, a [Map] those
// of all.
package nav

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// A Placed page is a page at the address of a language: its own, or one that lacks a translation of
// it.
type Placed struct {
	Page     *site.Page
	Language *site.Language
}

// URL returns the address below the site's root: "es/gpu/".
func (p Placed) URL() string {
	if p.Page.Language == p.Language {
		return p.Page.URL
	}
	return p.Language.Code + strings.TrimPrefix(p.Page.URL, p.Page.Language.Code)
}

func (p Placed) File() string { return p.URL() + "index.html" }

// Foreign returns the code of the text's language if it is not that of the address.
func (p Placed) Foreign() string {
	if p.Page.Language == p.Language {
		return ""
	}
	return p.Page.Language.Code
}

// OpenBelow is the number of pages up to which the sidebar shows all of them. Beyond it, only the path
// to the current page is open, and long folders are cut to the neighbours of that path, so that a page
// does not grow with the site.
const OpenBelow, neighboursShown = 60, 20

// A Tree is the pages of a language as the sidebar shows them.
type Tree struct {
	Top *Entry
	// Order is the reading order of the pages.
	Order []*Entry
	// hidden are the pages that stand in no list.
	hidden []*Entry
	// entries are the pages and folders by address.
	entries map[string]*Entry
}

// An Entry is a page, a section, or both, or else a link to another site.
type Entry struct {
	Name string // of the folder or file, by which entries are sorted
	// Index is the address of the generated page of a folder without a page, or empty.
	Index    string
	Placed   *Placed
	Parent   *Entry
	Children []*Entry
	order    int // the index of the page in Tree.Order
	weight   int // of the page
	// position is that of the page in a list, or the least of the pages below a section without a page.
	position int
	title    string // of a section without a page
	group    int    // the number of a group of the sidebar
	href     string // of a link to another site
	// Number is that of a page in a numbered group: "5." or, of a page below it, "5.1.".
	Number string
}

// newTree returns a tree for about n pages.
func newTree(l *site.Language, n int) *Tree {
	t := &Tree{Top: &Entry{}, entries: make(map[string]*Entry, n)}
	t.entries[l.Code+"/"] = t.Top
	return t
}

// entry returns the entry at an address. If there is none, it adds one, and those of the folders above it.
func (t *Tree) entry(url string) *Entry {
	e := t.entries[url]
	if e == nil {
		above := strings.LastIndexByte(url[:len(url)-1], '/') + 1
		e = &Entry{Name: url[above : len(url)-1], Parent: t.entry(url[:above])}
		e.Parent.Children = append(e.Parent.Children, e)
		t.entries[url] = e
	}
	return e
}

// arrange puts entries into the sections in which a course lists them. A page stays below the folder of
// its course.
func (t *Tree) arrange(c *site.Course, l *site.Language, pages map[string]*site.Page) {
	base := t.Top
	if c.Scope != "" && c.Scope != l.Code {
		base = t.entry(l.Code + "/" + sitefile.URLPath(strings.TrimPrefix(c.Scope, l.Code+"/")) + "/")
	}
	sections := []*Entry{base}
	for _, listed := range c.Listed {
		if listed.Language != l.Code {
			continue
		}
		sections = sections[:min(listed.Depth+1, len(sections))]
		e, within := &Entry{Name: listed.Title, title: listed.Title}, sections[len(sections)-1]
		if p := pages[listed.File]; p != nil {
			e = t.entries[p.URL]
		}
		if e == nil { // its address is taken
			e = &Entry{}
		}
		if e != base && e != t.Top && !within.isBelow(e) {
			e.move(within)
		}
		sections = append(sections, e)
	}
}

// group puts pages into the groups of the site, of which each ends with its links, and takes hidden pages
// out of the tree.
func (t *Tree) group(s *site.Site, l *site.Language, pages []*Entry) {
	sections := map[string]*Entry{}
	for i, g := range s.Config.Nav {
		sections[g.Name] = &Entry{Name: g.Name, title: g.Label.In(l.Code), group: i + 1}
		sections[g.Name].move(t.Top)
	}
	for _, e := range pages {
		if e.Placed.Language != l || e == t.Top {
			continue
		}
		p := e.Placed.Page
		to := sections[cmp.Or(p.Group.Text, s.Source(p.Key).Group.Text)]
		switch {
		case s.IsHidden(p):
			e.Parent.remove(e)
			t.hidden = append(t.hidden, e)
			if len(e.Children) > 0 { // they stay in a folder without a page
				folder := &Entry{Name: e.Name, weight: e.weight, position: e.position}
				folder.move(e.Parent)
				for _, c := range slices.Clone(e.Children) {
					c.move(folder)
				}
			}
		case to != nil && !to.isBelow(e):
			e.move(to)
		}
	}
	for i, g := range s.Config.Nav {
		for _, link := range g.Links {
			e := &Entry{title: link.Label.In(l.Code), href: link.URL.In(l.Code), group: i + 1}
			e.move(sections[g.Name])
		}
	}
}

// isBelow reports whether an entry is another, or below it.
func (e *Entry) isBelow(other *Entry) bool {
	for ; e != nil; e = e.Parent {
		if e == other {
			return true
		}
	}
	return false
}

// move puts an entry into a section.
func (e *Entry) move(to *Entry) {
	if e.Parent == to {
		return
	}
	if e.Parent != nil {
		e.Parent.remove(e)
	}
	e.Parent = to
	to.Children = append(to.Children, e)
}

func (e *Entry) remove(child *Entry) {
	if i := slices.Index(e.Children, child); i >= 0 {
		e.Children = slices.Delete(e.Children, i, i+1)
	}
}

// prune removes the sections without a page, and places the others by their pages.
func (e *Entry) prune() {
	for _, c := range e.Children {
		c.prune()
	}
	e.Children = slices.DeleteFunc(e.Children, func(c *Entry) bool { return c.Placed == nil && c.href == "" && len(c.Children) == 0 })
	if e.Placed != nil {
		return
	}
	for _, c := range e.Children {
		if c.position > 0 && (e.position == 0 || c.position < e.position) {
			e.position = c.position
		}
	}
}

// sort sorts the entries and sets the reading order.
func (t *Tree) sort(e *Entry) {
	if e.Placed != nil {
		e.order = len(t.Order)
		t.Order = append(t.Order, e)
	}
	slices.SortFunc(e.Children, func(a, b *Entry) int {
		byWeight := site.CompareWeight(cmp.Or(a.weight, a.position), cmp.Or(b.weight, b.position))
		return cmp.Or(cmp.Compare(a.group, b.group), byWeight, sitefile.CompareNatural(a.Name, b.Name))
	})
	for _, c := range e.Children {
		t.sort(c)
	}
}

// number numbers the entries below a section from n + 1 on, and returns the last number.
func (e *Entry) number(above string, n int) int {
	for _, c := range e.Children {
		if c.href == "" {
			n++
			c.Number = above + strconv.Itoa(n) + "."
			c.number(c.Number, 0)
		}
	}
	return n
}

// blanks makes words of a folder's name.
var blanks = strings.NewReplacer("-", " ", "_", " ")

// Title returns the number, and the page's title or one made of the folder's name.
func (e *Entry) Title() string {
	if e.Number != "" {
		return e.Number + " " + e.name()
	}
	return e.name()
}

func (e *Entry) name() string {
	if e.Placed != nil {
		return e.Placed.Page.Title
	}
	if e.title != "" {
		return e.title
	}
	words := blanks.Replace(cmp.Or(e.Name, "-"))
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

// Link returns a link to an entry for the page at an address.
func (e *Entry) Link(from string) theme.Link {
	l := theme.Link{Title: e.Title(), URL: e.href}
	if e.Placed != nil {
		l.URL = Href(from, e.Placed.URL())
	} else if e.Index != "" {
		l.URL = Href(from, e.Index)
	}
	return l
}

// Items returns the sidebar of the page at an address, which need not be in the tree.
func (t *Tree) Items(from string) []theme.NavItem {
	open := map[*Entry]bool{}
	current := t.entries[from]
	for e := current; e != nil; e = e.Parent {
		open[e] = true
	}
	items := t.below(t.Top, from, current, open)
	if home := t.Top; home.Placed != nil {
		items = slices.Insert(items, 0, t.item(home, from, current))
	}
	return items
}

func (t *Tree) item(e *Entry, from string, current *Entry) theme.NavItem {
	l := e.Link(from)
	i := theme.NavItem{Title: l.Title, URL: l.URL, Current: e == current, External: e.href != ""}
	if e.Placed != nil {
		i.Lang = e.Placed.Foreign()
	}
	return i
}

func (t *Tree) below(e *Entry, from string, current *Entry, open map[*Entry]bool) []theme.NavItem {
	children := e.Children
	first, last := 0, len(children)
	if len(t.Order) > OpenBelow {
		at := max(0, slices.IndexFunc(children, func(c *Entry) bool { return open[c] }))
		first, last = max(0, at-neighboursShown), min(last, at+neighboursShown+1)
	}
	items := make([]theme.NavItem, 0, last-first+2)
	if first > 0 {
		items = append(items, t.more(children[0], from))
	}
	for _, c := range children[first:last] {
		i := t.item(c, from, current)
		if len(c.Children) > 0 && (open[c] || len(t.Order) <= OpenBelow || c.First() == nil) {
			i.Open = true
			i.Children = t.below(c, from, current, open)
		}
		if i.URL == "" && !i.Open {
			i.URL = Href(from, c.First().Placed.URL())
		}
		items = append(items, i)
	}
	if last < len(children) {
		items = append(items, t.more(children[last], from))
	}
	return items
}

// more returns the item for the entries that are left out, which leads to one of them.
func (t *Tree) more(e *Entry, from string) theme.NavItem {
	return theme.NavItem{Title: "…", URL: Href(from, cmp.Or(e.First(), t.Order[0]).Placed.URL())}
}

// Several reports whether there is more than one page at and below an entry.
func (e *Entry) Several() bool { return len(e.Pages()) > 1 }

// Pages returns those at and below an entry, in reading order.
func (e *Entry) Pages() (list []*Entry) {
	if e.Placed != nil {
		list = append(list, e)
	}
	for _, c := range e.Children {
		list = append(list, c.Pages()...)
	}
	return list
}

// Indexes returns the entries that have an index page, and sets its address in them: all folders without a
// page. The first is that of the language, if it has no first page.
func (t *Tree) Indexes() (list []*Entry) {
	for url, e := range t.entries {
		if e.Placed == nil && len(e.Children) > 0 && (e.Parent != nil || e == t.Top) {
			e.Index = url
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *Entry) int { return strings.Compare(a.Index, b.Index) })
	return list
}

// Home returns the first page of the tree's language, or nil.
func (t *Tree) Home() *site.Page {
	if t == nil || t.Top.Placed == nil {
		return nil
	}
	return t.Top.Placed.Page
}

// First returns the first page at or below an entry, or nil if there are only links to other sites.
func (e *Entry) First() *Entry {
	if e.Placed != nil {
		return e
	}
	for _, c := range e.Children {
		if first := c.First(); first != nil {
			return first
		}
	}
	return nil
}

// Find returns the entry of the page at an address, or nil.
func (t *Tree) Find(url string) *Entry {
	if e := t.entries[url]; e != nil && e.Placed != nil {
		return e
	}
	return nil
}

// Breadcrumb returns the entries above the page at an address, the home page first.
func (t *Tree) Breadcrumb(from string) []theme.Link {
	var links []theme.Link
	for e := t.entries[from].Parent; e != nil; e = e.Parent {
		if e.Placed != nil || e.Parent != nil {
			links = append(links, e.Link(from))
		}
	}
	slices.Reverse(links)
	return links
}

// neighbours returns the pages before and after the page at an address, in reading order.
func (t *Tree) neighbours(from string) (prev, next *theme.Link) {
	i := t.entries[from].order
	if i >= len(t.Order) || t.Order[i] != t.entries[from] { // it is hidden
		return nil, nil
	}
	if i > 0 {
		l := t.Order[i-1].Link(from)
		prev = &l
	}
	if i+1 < len(t.Order) {
		l := t.Order[i+1].Link(from)
		next = &l
	}
	return prev, next
}

// Href returns a relative address, escaped for a page: a name may contain a "#", a "?", or a ":" that
// would look like a scheme.
func Href(from, to string) string {
	p := Relative(from, to)
	if isPlain(p) {
		return p
	}
	return (&url.URL{Path: p}).String()
}

// isPlain reports whether a path needs no escapes, as most.
func isPlain(p string) bool {
	for i := range len(p) {
		if c := p[i]; (c|0x20 < 'a' || c|0x20 > 'z') && (c < '-' || c > '9') && c != '_' { // letters, - . / and digits
			return false
		}
	}
	return !strings.HasPrefix(p, "//")
}

// Relative returns the path from the page at one address to another address, both below the site's
// root. from ends with a slash, or is empty for the root. If it begins with a slash, it is the root's
// path on the server, for a page that may be served at any address.
func Relative(from, to string) string {
	if strings.HasPrefix(from, "/") {
		return from + to
	}
	same := 0 // end of the last common folder
	for i := 0; i < len(from) && i < len(to) && from[i] == to[i]; i++ {
		if from[i] == '/' {
			same = i + 1
		}
	}
	switch up := strings.Count(from[same:], "/"); {
	case up > 0:
		return strings.Repeat("../", up) + to[same:]
	case same == len(to):
		return "./"
	}
	return to[same:]
}

// Escape escapes a path for use in an address.
func Escape(p string) string {
	if isPlain(p) {
		return p
	}
	return (&url.URL{Path: p}).EscapedPath()
}
