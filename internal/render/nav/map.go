package nav

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Map has the addresses of the pages of a site, and makes links to them.
type Map struct {
	Content *site.Site
	// BaseURL is the site's own address, or empty. Offline is set if the site opens from a folder.
	BaseURL string
	Offline bool
	// Changed has the times at which pages were last changed, by the names of their files.
	Changed map[string]time.Time
	// Trees has the pages of each language, by its code.
	Trees map[string]*Tree
}

// Build makes the trees, and returns their pages: first those in the pages' own languages, then those
// in the languages that lack a translation. If the address of a page is taken, the page is left out,
// with a diagnostic.
func (m *Map) Build() (pages []*Entry, diags diag.List) {
	m.Trees = map[string]*Tree{}
	add := func(p *site.Page, l *site.Language) {
		t := m.Trees[l.Code]
		if t == nil {
			t = newTree(l, 1+len(m.Content.Pages)/len(m.Content.Languages))
			m.Trees[l.Code] = t
		}
		placed := Placed{p, l}
		e := t.entry(placed.URL())
		if e.Placed != nil {
			diags.Add(p.Source.Error(0, 1, diag.Say("page.untranslated-address-taken",
				"code", l.Code, "name", e.Placed.Page.Source.Name, "url", placed.URL())))
			return
		}
		e.Placed, e.weight, e.position = &placed, cmp.Or(p.Weight, m.Content.Source(p.Key).Weight), m.Content.ListPositions[p]
		pages = append(pages, e)
	}
	for _, p := range m.Content.Pages {
		add(p, p.Language)
	}
	for i, p := range m.Content.Pages {
		translations := m.Content.Names.ByKey[p.Key]
		if m.Content.Names.Sources[i] != i || len(translations) == len(m.Content.Languages) {
			continue // it is shown in no other language
		}
		for _, l := range m.Content.Languages {
			if _, ok := translations[l.Code]; !ok {
				add(p, l)
			}
		}
	}
	byFile := m.Content.PagesByFile()
	for _, l := range m.Content.Languages {
		t := m.Trees[l.Code]
		if t == nil {
			continue
		}
		for _, c := range m.Content.Courses {
			t.arrange(c, l, byFile)
		}
		t.group(m.Content, l, pages)
		t.Top.prune()
		t.sort(t.Top)
		pages := 0
		for _, e := range t.Top.Children {
			if e.group > 0 && m.Content.Config.Nav[e.group-1].Numbered {
				pages = e.number("", pages)
			}
		}
	}
	return pages, diags
}

// Shown returns the page that a language shows for a key: its own, or else the one from which the
// others are translated.
func (m *Map) Shown(key, code string) *site.Page {
	if p := m.Content.Page(key, code); p != nil {
		return p
	}
	return m.Content.Source(key)
}

// LinkTo returns a link from a page to the one with a key, or nil.
func (m *Map) LinkTo(key string, from Placed) *theme.Link {
	p := m.Shown(key, from.Language.Code)
	if p == nil {
		return nil
	}
	l := theme.Link{Title: p.Title, URL: Href(from.URL(), Placed{p, from.Language}.URL())}
	if e := m.Trees[from.Language.Code].Find(Placed{p, from.Language}.URL()); e != nil {
		l.Title = e.Title()
	}
	return &l
}

// Neighbours returns the pages before and after a page, in reading order or as its front matter or that of its source has
// them.
func (m *Map) Neighbours(at Placed) (prev, next *theme.Link) {
	p, source := at.Page, m.Content.Source(at.Page.Key)
	prev, next = m.Trees[at.Language.Code].neighbours(at.URL())
	return m.neighbour(cmp.Or(p.Prev, source.Prev), prev, at), m.neighbour(cmp.Or(p.Next, source.Next), next, at)
}

// neighbour returns the link that the front matter asks for, which may be nil, or else the one in reading order.
func (m *Map) neighbour(named *site.Named, inOrder *theme.Link, at Placed) *theme.Link {
	switch {
	case named == nil:
		return inOrder
	case named.Text == "":
		return nil
	}
	return m.LinkTo(named.Text, at)
}

// ChangedOn returns the day of a page's last change: that of the front matter, or else git's. It is
// zero if neither is known.
func (m *Map) ChangedOn(p *site.Page) time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return m.Changed[p.Source.Name]
}

// Checked returns the pages of a language that have blocks to check, in reading order. Hidden ones come last.
func (m *Map) Checked(l *site.Language) (pages []*Entry) {
	t := m.Trees[l.Code]
	if t == nil {
		return nil
	}
	for _, e := range slices.Concat(t.Order, t.hidden) {
		if len(e.Placed.Page.Blocks) > 0 {
			pages = append(pages, e)
		}
	}
	return pages
}

// Title returns the site's title, or that of the language's first page if the site has none.
func (m *Map) Title(l *site.Language) string {
	name := l.Name
	if home := m.Trees[l.Code].Home(); home != nil {
		name = home.Title
	}
	return cmp.Or(m.Content.Config.Title, name)
}

// Alternates returns the page in each language that it is translated into, including its own.
func (m *Map) Alternates(p *site.Page) (list []theme.Alternate) {
	real := m.Content.Translations(p.Key)
	if len(real) < 2 {
		return nil
	}
	for _, p := range real {
		list = append(list, theme.Alternate{Lang: p.Language.Code, URL: m.Absolute(p.URL)})
	}
	return append(list, theme.Alternate{Lang: "x-default", URL: m.Absolute(real[0].URL)})
}

// AlternatesAt returns the generated page at a path below that of each language.
func (m *Map) AlternatesAt(path string) (list []theme.Alternate) {
	if len(m.Content.Languages) < 2 {
		return nil
	}
	for _, l := range m.Content.Languages {
		list = append(list, theme.Alternate{Lang: l.Code, URL: m.Absolute(l.Code + "/" + path)})
	}
	return append(list, theme.Alternate{Lang: "x-default", URL: list[0].URL})
}

// AbsoluteLinks reports whether links are absolute, and so the same in all files.
func (m *Map) AbsoluteLinks() bool { return m.BaseURL != "" && !m.Offline }

// Absolute returns the address of a file, with the base URL if there is one.
func (m *Map) Absolute(to string) string { return m.BaseURL + Escape(to) }

// Link returns the address of a file of the site for a file below from that readers may copy
// elsewhere: absolute if the base URL is known.
func (m *Map) Link(from, to string) string {
	if m.AbsoluteLinks() {
		return m.Absolute(to)
	}
	return m.Near(from, to)
}

// Near returns the address of a file of the site relative to from, with index.html if the site opens
// from a folder.
func (m *Map) Near(from, to string) string {
	if m.Offline && (to == "" || strings.HasSuffix(to, "/")) {
		to += "index.html"
	}
	return Href(from, to)
}
