package render

import (
	"cmp"
	"path"
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
// Beyond it only the way to the current page is open, so that the size of a
// page does not grow with the site.
const openBelow = 60

// A tree is the pages of a language as the sidebar shows them.
type tree struct {
	top   *entry
	pages int
	// order is the reading order, byURL finds a page in it.
	order []*entry
	at    map[string]int
}

// An entry is a page, a section, or both.
type entry struct {
	name     string // of the folder or file, for the order
	placed   *placed
	parent   *entry
	children []*entry
}

func newTree() *tree { return &tree{top: &entry{}, at: map[string]int{}} }

// add puts a page at its place by the folders of its address.
func (t *tree) add(p placed) {
	t.pages++
	parts := strings.Split(strings.Trim(strings.TrimPrefix(p.url(), p.language.Code), "/"), "/")
	at := t.top
	for _, part := range parts {
		if part == "" {
			break
		}
		i := slices.IndexFunc(at.children, func(e *entry) bool { return e.name == part })
		if i < 0 {
			at.children = append(at.children, &entry{name: part, parent: at})
			i = len(at.children) - 1
		}
		at = at.children[i]
	}
	at.placed = &p
}

// finish sorts the entries and notes the reading order.
func (t *tree) finish() {
	var visit func(e *entry)
	visit = func(e *entry) {
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

func (e *entry) weight() int {
	if e.placed == nil {
		return 0
	}
	return e.placed.page.Weight
}

// title is the page's own, or made of the folder's name.
func (e *entry) title() string {
	if e.placed != nil {
		return e.placed.page.Title
	}
	words := strings.NewReplacer("-", " ", "_", " ").Replace(e.name)
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

func (e *entry) link(from string) Link {
	l := Link{Title: e.title()}
	if e.placed != nil {
		l.URL = relative(from, e.placed.url())
	}
	return l
}

// items are the sidebar of the page at an address.
func (t *tree) items(from string) []NavItem {
	if t == nil {
		return nil
	}
	path := map[*entry]bool{}
	current := t.order[t.at[from]]
	for e := current; e != nil; e = e.parent {
		path[e] = true
	}
	items := t.below(t.top, from, current, path)
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

func (t *tree) below(e *entry, from string, current *entry, path map[*entry]bool) []NavItem {
	var items []NavItem
	for _, c := range e.children {
		i := t.item(c, from, current)
		if len(c.children) > 0 && (path[c] || t.pages <= openBelow) {
			i.Open = true
			i.Children = t.below(c, from, current, path)
		}
		if i.URL == "" && !i.Open {
			// A closed section without a page of its own leads to its first page.
			i.URL = relative(from, c.first().placed.url())
		}
		items = append(items, i)
	}
	return items
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

// relative returns the link from the page at one address to another address,
// both below the site's root. from ends with a slash, or is empty for the root.
func relative(from, to string) string {
	a := strings.Split(strings.TrimSuffix(from, "/"), "/")
	if from == "" {
		a = nil
	}
	dir, file := path.Split(to)
	b := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	if dir == "" {
		b = nil
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	up := strings.Repeat("../", len(a))
	if len(b) > 0 {
		up += strings.Join(b, "/") + "/"
	}
	if up += file; up == "" {
		return "./"
	}
	return up
}
