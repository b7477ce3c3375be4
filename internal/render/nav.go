package render

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/content"
)

// A placed page is a page at the address of a language: its own, or one that
// lacks a translation of it.
type placed struct {
	page     *content.Page
	language *content.Language
}

// url is the address below the site's root: "es/gpu/".
func (p placed) url() string {
	if p.page.Language == p.language {
		return p.page.URL
	}
	return p.language.Code + strings.TrimPrefix(p.page.URL, p.page.Language.Code)
}

func (p placed) file() string { return p.url() + "index.html" }

// foreign returns the code of the text's language where it is not the address's.
func (p placed) foreign() string {
	if p.page.Language == p.language {
		return ""
	}
	return p.page.Language.Code
}

// openBelow is the number of pages up to which the sidebar shows all of them.
// Beyond it only the way to the current page is open, and of a long folder only
// the neighbours of that way, so that a page does not grow with the site.
const openBelow, neighboursShown = 60, 20

// homeURL is where a language begins: its own page, or the first of all.
func (s *Site) homeURL(l *content.Language) string {
	nav := s.nav[l.Code]
	if nav == nil || len(nav.order) == 0 || s.files[l.Code+"/index.html"] != nil {
		return l.Code + "/"
	}
	return nav.order[0].placed.url()
}

// A tree is the pages of a language as the sidebar shows them.
type tree struct {
	top   *entry
	pages int
	// order is the reading order, at finds a page in it by its address.
	order []*entry
	at    map[string]int
	// all are the entries, those of folders too; an entry's id is its place here.
	all []*entry
}

// An entry is a page, a section, or both.
type entry struct {
	name     string // of the folder or file, for the order
	id       int
	placed   *placed
	place    int // of the page among all of the site
	parent   *entry
	children []*entry
	byName   map[string]*entry
}

func newTree() *tree { return &tree{top: &entry{}, at: map[string]int{}} }

// child returns the entry of a name, made if it is not there yet.
func (e *entry) child(name string) *entry {
	c := e.byName[name]
	if c == nil {
		if e.byName == nil {
			e.byName = map[string]*entry{}
		}
		c = &entry{name: name, parent: e}
		e.byName[name] = c
		e.children = append(e.children, c)
	}
	return c
}

// add puts a page, which has that place among all of the site, where the folders of its address say.
func (t *tree) add(p placed, place int) {
	t.pages++
	parts := strings.Split(strings.Trim(strings.TrimPrefix(p.url(), p.language.Code), "/"), "/")
	at := t.top
	for _, part := range parts {
		if part == "" {
			break
		}
		at = at.child(part)
	}
	at.placed, at.place = &p, place
}

// finish sorts the entries and notes the reading order.
func (t *tree) finish() {
	var visit func(e *entry)
	visit = func(e *entry) {
		e.id = len(t.all)
		t.all = append(t.all, e)
		if e.placed != nil {
			t.at[e.placed.url()] = len(t.order)
			t.order = append(t.order, e)
		}
		slices.SortStableFunc(e.children, func(a, b *entry) int {
			return cmp.Or(content.CompareWeight(a.weight(), b.weight()), cmp.Compare(a.name, b.name))
		})
		for _, c := range e.children {
			visit(c)
		}
	}
	visit(t.top)
}

// with is the same tree for a site with these pages.
func (t *tree) with(all []*content.Page) *tree {
	entries, pages := make([]entry, len(t.all)), make([]placed, len(t.order))
	next := &tree{top: &entries[0], pages: t.pages, order: make([]*entry, 0, len(t.order)), at: t.at, all: make([]*entry, len(t.all))}
	for i, old := range t.all {
		e := &entries[i]
		*e = entry{name: old.name, id: i, place: old.place}
		next.all[i] = e
		if old.parent != nil {
			e.parent = &entries[old.parent.id]
		}
		if len(old.children) > 0 {
			e.children = make([]*entry, len(old.children))
			for k, c := range old.children {
				e.children[k] = &entries[c.id]
			}
		}
		if old.placed != nil {
			p := &pages[len(next.order)]
			*p = placed{all[old.place], old.placed.language}
			e.placed, next.order = p, append(next.order, e)
		}
	}
	return next
}

func (e *entry) weight() int {
	if e.placed == nil {
		return 0
	}
	return e.placed.page.Weight
}

// blanks makes words of a folder's name.
var blanks = strings.NewReplacer("-", " ", "_", " ")

// title is the page's own, or made of the folder's name.
func (e *entry) title() string {
	if e.placed != nil {
		return e.placed.page.Title
	}
	words := blanks.Replace(e.name)
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

func (e *entry) link(from string) Link {
	l := Link{Title: e.title()}
	if e.placed != nil {
		l.URL = href(from, e.placed.url())
	}
	return l
}

// items are the sidebar of the page at an address, which may be none of the tree.
func (t *tree) items(from string) []NavItem {
	open := map[*entry]bool{}
	var current *entry
	if i, ok := t.at[from]; ok {
		current = t.order[i]
	}
	for e := current; e != nil; e = e.parent {
		open[e] = true
	}
	items := t.below(t.top, from, current, open)
	if home := t.top; home.placed != nil {
		items = slices.Insert(items, 0, t.item(home, from, current))
	}
	return items
}

func (t *tree) item(e *entry, from string, current *entry) NavItem {
	l := e.link(from)
	i := NavItem{Title: l.Title, URL: l.URL, Current: e == current}
	if e.placed != nil {
		i.Lang = e.placed.foreign()
	}
	return i
}

func (t *tree) below(e *entry, from string, current *entry, open map[*entry]bool) []NavItem {
	children := e.children
	first, last := 0, len(children)
	if t.pages > openBelow {
		at := max(0, slices.IndexFunc(children, func(c *entry) bool { return open[c] }))
		first, last = max(0, at-neighboursShown), min(last, at+neighboursShown+1)
	}
	items := make([]NavItem, 0, last-first+2)
	if first > 0 {
		items = append(items, more(children[0], from))
	}
	for _, c := range children[first:last] {
		i := t.item(c, from, current)
		if len(c.children) > 0 && (open[c] || t.pages <= openBelow) {
			i.Open = true
			i.Children = t.below(c, from, current, open)
		}
		if i.URL == "" && !i.Open {
			i.URL = href(from, c.first().placed.url())
		}
		items = append(items, i)
	}
	if last < len(children) {
		items = append(items, more(children[last], from))
	}
	return items
}

// more stands for the entries that are left out, and leads to one of them.
func more(e *entry, from string) NavItem {
	return NavItem{Title: "…", URL: href(from, e.first().placed.url())}
}

// first is the first page at or below an entry; each has one.
func (e *entry) first() *entry {
	for e.placed == nil {
		e = e.children[0]
	}
	return e
}

// breadcrumb are the entries above the page at an address, the home page first.
func (t *tree) breadcrumb(from string) []Link {
	var links []Link
	for e := t.order[t.at[from]].parent; e != nil; e = e.parent {
		if e.placed != nil || e.parent != nil {
			links = append(links, e.link(from))
		}
	}
	slices.Reverse(links)
	return links
}

// neighbours are the pages before and after in reading order.
func (t *tree) neighbours(from string) (prev, next *Link) {
	i := t.at[from]
	if i > 0 {
		l := t.order[i-1].link(from)
		prev = &l
	}
	if i+1 < len(t.order) {
		l := t.order[i+1].link(from)
		next = &l
	}
	return prev, next
}

// href is relative, escaped for use in a page: a name may hold a "#", a "?", or
// a ":" that would read as a scheme.
func href(from, to string) string {
	p := relative(from, to)
	if isPlain(p) {
		return p
	}
	return (&url.URL{Path: p}).String()
}

// isPlain tells whether a path is its own address, as most are.
func isPlain(p string) bool {
	for i := range len(p) {
		if c := p[i]; !isLetter(c) && (c < '-' || c > '9') && c != '_' { // - . / and digits
			return false
		}
	}
	return !strings.HasPrefix(p, "//")
}

// relative returns the path from the page at one address to another address,
// both below the site's root. from ends with a slash, or is empty for the root. One that
// begins with a slash is the root as the server knows it, for a page that is shown anywhere.
func relative(from, to string) string {
	if strings.HasPrefix(from, "/") {
		return from + to
	}
	same := 0 // behind the last folder that they have in common
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
