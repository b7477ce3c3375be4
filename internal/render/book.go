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

// Books returns all pages of each language, and its sections, as books. It must be called before the site is used by
// several goroutines.
func (s *Site) Books() (list []*Book) {
	s.booked = map[*nav.Entry]string{}
	for _, l := range s.content.Languages {
		if tree := s.nav.Trees[l.Code]; tree != nil && len(tree.Order) > 0 {
			list = append(list, printer{s}.books(&section{tree.Top, l, l.Code + "/" + printDir + "/"})...)
		}
	}
	return list
}

func (s printer) books(sec *section) (list []*Book) {
	if sec.entry.Parent == nil || sec.entry.Several() {
		list = append(list, s.book(sec))
	}
	for _, c := range sec.entry.Children {
		list = append(list, s.books(&section{c, sec.language, sec.url + c.Name + "/"})...)
	}
	return list
}

func (s printer) book(sec *section) *Book {
	t, top := s.theme.Text(sec.language.Code), sec.entry.Parent == nil
	name, title := sec.entry.Name, s.sectionTitle(sec)
	if top {
		name = title
	} else {
		title += " – " + s.nav.Title(sec.language)
	}
	if name = site.Slug(name); len(name) > 100 {
		name = "book"
	}
	s.booked[sec.entry] = sec.url + name + "-" + sec.language.Code
	b := &Book{Path: s.booked[sec.entry], URL: sec.url, BaseURL: s.options.BaseURL, Language: sec.language.Code, All: top, Title: title,
		Author: s.content.Config.Author, Changed: s.lastRun(),
		PageForm: t.Get("book_page", "n", "{n}")}
	for _, e := range sec.entry.Pages() {
		if day := s.nav.ChangedOn(e.Placed.Page); day.After(b.Changed) {
			b.Changed = day
		}
		b.Pages++
	}
	b.HTML = func() ([]byte, error) { return s.renderBook(sec) }
	return b
}

// lastRun returns when the newest result was found.
func (s printer) lastRun() (last time.Time) {
	for _, m := range s.reports.Machines {
		if m.Last.After(last) {
			last = m.Last
		}
	}
	return last
}

// renderBook makes the document of a book.
func (s printer) renderBook(sec *section) ([]byte, error) {
	view := theme.BookView{All: sec.entry.Parent == nil, Address: s.options.BaseURL, Author: s.content.Config.Author}
	pages, ids := []*nav.Entry(nil), map[string]string(nil)
	view.PrintView, pages, ids = s.printView(sec, maxBook, maxBookBytes)
	view.Title = s.sectionTitle(sec)
	part := sec.entry
	for i, e := range pages {
		body, err := s.printBody(sec, e.Placed, ids, 1, true)
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
	if day := s.lastRun(); !day.IsZero() {
		view.Results = &theme.Day{ISO: day.Format(time.DateOnly), Text: view.T.Date(day)}
	}
	return s.theme.Execute("book.html", view)
}

// partOf returns the entry right below a section that another entry is in.
func partOf(sec, e *nav.Entry) *nav.Entry {
	for e.Parent != nil && e.Parent != sec && e != sec {
		e = e.Parent
	}
	return e
}

// Add adds a file that was made of a book, unless the content has one of its name. The pages of the book link to it. It
// must be called before the site is used by several goroutines.
func (s *Site) Add(name string, data []byte) {
	(&planner{s}).publish(name, func() ([]byte, error) { return data, nil })
}

// downloads sets the links to the documents that contain a page: those of its section, and of its language.
func (s *Site) downloads(v *theme.PageView, at nav.Placed) {
	add := func(e *nav.Entry, title string) bool {
		name := s.booked[e] + ".pdf"
		found := s.files[name] != nil
		if found {
			v.Downloads = append(v.Downloads, theme.Link{Title: v.T.Get(title), URL: nav.Href(at.URL(), name)})
		}
		return found
	}
	for e, found := s.nav.Trees[at.Language.Code].Find(at.URL()), false; e != nil; e = e.Parent {
		if e.Parent == nil {
			add(e, "pdf_all")
		} else if !found {
			found = add(e, "pdf_section")
		}
	}
}
