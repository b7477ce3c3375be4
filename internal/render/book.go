package render

import (
	"cmp"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Book is a section, or all pages of a language, as one HTML document without a script. Others make a PDF
// of it, and add that with [Site.Add].
type Book struct {
	// Path is that of its files, without the ending.
	Path string
	// URL is the address that links in it begin at, BaseURL that of the site, or empty.
	URL, BaseURL string
	Language     string
	// All is set if it has all pages of the language.
	All           bool
	Title, Author string
	// Changed is when the newest of its pages and results was made, or zero if that is not known.
	Changed time.Time
	// Pages counts its pages.
	Pages int
	// PageForm is the text of a reference to the page {n}.
	PageForm string
	// HTML makes the document.
	HTML func() ([]byte, error)
}

// A book has at most so many pages, of so many bytes of Markdown, and names the rest.
const maxBook, maxBookBytes = 3000, 64 << 20

// Books returns all pages of each language, and its sections, as books.
func (s *Site) Books() (list []*Book) {
	for _, l := range s.plan.content.Languages {
		if tree := s.plan.nav.Trees[l.Code]; tree != nil && len(tree.Order) > 0 {
			list = append(list, s.plan.books(tree.Top, l)...)
		}
	}
	return list
}

func (p *Plan) books(e *nav.Entry, l *site.Language) (list []*Book) {
	if e.Parent == nil || e.Several() {
		list = append(list, p.book(sectionOf(e, l)))
	}
	for _, c := range e.Children {
		list = append(list, p.books(c, l)...)
	}
	return list
}

// bookPath returns the path of the files of a book, without the ending.
func (in *inputs) bookPath(sec *section) string {
	name := sec.entry.Name
	if sec.entry.Parent == nil {
		name = in.sectionTitle(sec)
	}
	if name = site.Slug(name); len(name) > 100 {
		name = "book"
	}
	return sec.url + name + "-" + sec.language.Code
}

func (p *Plan) book(sec *section) *Book {
	b := &Book{
		Path:     p.bookPath(sec),
		URL:      sec.url,
		BaseURL:  p.options.BaseURL,
		Language: sec.language.Code,
		All:      sec.entry.Parent == nil,
		Title:    p.sectionTitle(sec),
		Author:   p.content.Config.Author,
		Changed:  p.lastRun(),
		PageForm: p.theme.Text(sec.language.Code).Get("book_page", "n", "{n}"),
		HTML:     func() ([]byte, error) { return p.renderBook(sec) },
	}
	if !b.All {
		b.Title += " – " + p.nav.Title(sec.language)
	}
	for _, e := range sec.entry.Pages() {
		if day := p.nav.ChangedOn(e.Placed.Page); day.After(b.Changed) {
			b.Changed = day
		}
		b.Pages++
	}
	return b
}

// lastRun returns when the newest result was found.
func (in *inputs) lastRun() (last time.Time) {
	for _, m := range in.reports.Machines {
		if m.Last.After(last) {
			last = m.Last
		}
	}
	return last
}

// renderBook makes the document of a book.
func (p *Plan) renderBook(sec *section) ([]byte, error) {
	view := theme.BookView{All: sec.entry.Parent == nil, Address: p.options.BaseURL, Author: p.content.Config.Author}
	pages, ids := []*nav.Entry(nil), map[string]string(nil)
	view.PrintView, pages, ids = p.printView(sec, maxBook, maxBookBytes)
	view.Title = p.sectionTitle(sec)
	part := sec.entry
	for i, e := range pages {
		body, err := p.printBody(sec, e.Placed, ids, 1, true)
		if err != nil {
			return nil, err
		}
		view.Pages[i].PrintedBody = body
		entry := theme.BookEntry{ID: view.Pages[i].ID, Title: cmp.Or(e.Title(), e.Name, "–")}
		for _, h := range contents(e.Placed.Page) {
			if h.Level == 2 && h.Text != "" {
				entry.Entries = append(entry.Entries, theme.BookEntry{ID: entry.ID + "." + h.ID, Title: h.Text})
			}
		}
		list := &view.Contents
		if p := partOf(sec.entry, e); p != e && p.Placed == nil {
			if p != part {
				part, view.Contents = p, append(view.Contents, theme.BookEntry{Title: p.Title()})
			}
			list = &view.Contents[len(view.Contents)-1].Entries
		}
		*list = append(*list, entry)
	}
	if day := p.lastRun(); !day.IsZero() {
		view.Results = &theme.Day{ISO: day.Format(time.DateOnly), Text: view.T.Date(day)}
	}
	return p.theme.Execute("book.html", view)
}

// partOf returns the entry right below a section that another entry is in.
func partOf(sec, e *nav.Entry) *nav.Entry {
	for e.Parent != nil && e.Parent != sec && e != sec {
		e = e.Parent
	}
	return e
}

// Add adds files that were made of books, by their names, unless the content has one of that name. The pages of a book link to
// its files. It must be called before the site is used by several goroutines.
func (s *Site) Add(documents map[string][]byte) {
	in := *s.plan.inputs
	in.documents = documents
	s.use(&in)
}

// downloads sets the links to the documents that contain a page: those of its section, and of its language.
func (p *Plan) downloads(v *theme.PageView, at nav.Placed) {
	if len(p.documents) == 0 {
		return
	}
	add := func(e *nav.Entry, title string) bool {
		name := p.bookPath(sectionOf(e, at.Language)) + ".pdf"
		found := p.files[name] != nil
		if found {
			v.Downloads = append(v.Downloads, theme.Link{Title: v.T.Get(title), URL: nav.Href(at.URL(), name)})
		}
		return found
	}
	for e, found := p.nav.Trees[at.Language.Code].Find(at.URL()), false; e != nil; e = e.Parent {
		if e.Parent == nil {
			add(e, "pdf_all")
		} else if !found {
			found = add(e, "pdf_section")
		}
	}
}
