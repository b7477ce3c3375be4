package render

import (
	"html/template"
	"path"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
)

// A section, which is a folder of pages or all of a small site, has a page with all of its
// pages in reading order, to print or to save. It is rendered, as embedded notes are: each
// page by a writer of its own at the address of this one, and its ids get a prefix. Links
// between the pages lead to their places here.

// printDir is where they are published, below each language.
const printDir = "_print"

// printPrefix begins the ids of the pages: "_p.3", and "_p.3.x" for what is in them.
const printPrefix = "_p."

// A section's page shows so many pages, of so many bytes of Markdown, and names the rest;
// so that neither it nor the time to make it grows with the site.
const maxPrinted, maxPrintedBytes = 100, 1 << 20

// A section is what such a page shows.
type section struct {
	entry    int // its place in the tree
	language *content.Language
	url      string // "pt/_print/gpu/"
}

// A sectionKey names the entry of a section.
type sectionKey struct {
	language *content.Language
	entry    int
}

// entryOf is the section's place in the navigation; shown are those of its pages that it shows, left
// those that are only named.
func (s *Site) entryOf(sec *section) *entry { return s.nav[sec.language.Code].all[sec.entry] }

func (s *Site) printedOf(sec *section) (shown, left []*entry) {
	size := 0
	for _, p := range s.entryOf(sec).pages() {
		size += len(p.placed.page.Source.Data)
		if len(shown) >= maxPrinted || size > maxPrintedBytes {
			left = append(left, p)
		} else {
			shown = append(shown, p)
		}
	}
	return shown, left
}

// PrintView is the data of the template "print".
type PrintView struct {
	PageView
	// Note tells how many pages there are.
	Note  string
	Pages []PrintedPage
	// Left are pages that are only named, for their number.
	Left []Link
}

// PrintedPage is one page of the section. ID is that of its place, HeadingID that of its
// title, which may be empty. Lang is set where it is in another language.
type PrintedPage struct {
	ID, HeadingID, Lang string
	Title               string
	Heading, Body       template.HTML
	// URL leads to the page itself, Address is what stands on paper.
	URL, Address string
	Changed      *Day
	// HereNames are the machines of which it holds all, where there are others.
	HereNames string
}

func (s *Site) planPrint() {
	s.sections = map[sectionKey]*section{}
	if s.layouts.Lookup("print") == nil || s.content.Config.Without.Print {
		return
	}
	for _, l := range s.content.Languages {
		if nav := s.nav[l.Code]; nav != nil && len(nav.order) <= maxPrinted {
			s.planSection(nav.top, l, l.Code+"/"+printDir+"/")
		} else if nav != nil {
			for _, e := range nav.top.children {
				s.planSection(e, l, l.Code+"/"+printDir+"/"+e.name+"/")
			}
		}
	}
}

// planSection adds the page of an entry, and those of the sections in it.
func (s *Site) planSection(e *entry, l *content.Language, url string) {
	if len(e.children) == 0 {
		return
	}
	sec := &section{entry: e.id, language: l, url: url}
	if name := path.Join(url, "index.html"); s.files[name] == nil && e.several() {
		s.sections[sectionKey{l, e.id}] = sec
		s.files[name] = func(s *Site) ([]byte, error) {
			view, err := s.printView(sec)
			if err != nil {
				return nil, err
			}
			return s.execute("page.html", view)
		}
	}
	for _, c := range e.children {
		s.planSection(c, l, url+c.name+"/")
	}
}

// sectionOf is the innermost section that a page is in, or nil.
func (s *Site) sectionOf(at placed) *section {
	nav := s.nav[at.language.Code]
	i, ok := nav.at[at.url()]
	if !ok {
		return nil
	}
	for e := nav.order[i]; e != nil; e = e.parent {
		if sec := s.sections[sectionKey{at.language, e.id}]; sec != nil {
			return sec
		}
	}
	return nil
}

// printView is the section's page.
func (s *Site) printView(sec *section) (PageView, error) {
	o := own{path: strings.TrimPrefix(sec.url, sec.language.Code+"/"), title: "print_title", template: "print", hidden: true}
	view := PrintView{PageView: s.ownView(o, sec.language)}
	entry := s.entryOf(sec)
	pages, left := s.printedOf(sec)
	title := entry.title()
	if entry.parent == nil {
		title = s.title(sec.language)
	}
	view.Title = view.T.Get("print_title", "title", title)
	view.Heading = template.HTML(attribute(title))
	view.Note = view.T.Get("print_note", "n", strconv.Itoa(len(pages)+len(left)))
	s.printLanguages(&view.PageView, sec)
	for _, e := range left {
		view.Left = append(view.Left, e.link(sec.url))
	}
	ids := map[string]string{}
	for i, e := range pages {
		ids[e.placed.url()] = printPrefix + strconv.Itoa(i+1)
	}
	for _, e := range pages {
		p, err := s.printed(sec, e, ids)
		if err != nil {
			return PageView{}, err
		}
		view.Pages = append(view.Pages, p)
	}
	b := s.buffer()
	defer s.release(b)
	err := s.executeTo(b, "print", view)
	view.Body = template.HTML(b.String())
	return view.PageView, err
}

// printLanguages leads to the same section in the other languages, where they have one.
func (s *Site) printLanguages(v *PageView, sec *section) {
	for i, l := range s.content.Languages {
		same := l.Code + strings.TrimPrefix(sec.url, sec.language.Code)
		if s.files[same+"index.html"] == nil {
			v.Languages[i].URL = href(sec.url, s.homeURL(l))
		}
	}
}

// printed renders a page to stand in the section's.
func (s *Site) printed(sec *section, e *entry, ids map[string]string) (PrintedPage, error) {
	at := *e.placed
	p := at.page
	here := s.here(p) // as on the page, for what it says of the others comes from the page's files
	// Links begin at the section's page.
	frame := placed{&content.Page{Language: sec.language, URL: sec.url}, sec.language}
	w := &pageWriter{placed: frame, page: p, r: s, t: s.strings[sec.language.Code], parts: new(int), printed: ids, lot: lot{machines: here}}
	w.sanitise(w.rawAddress, w.rawSize)
	w.html = w.renderer()
	b := s.buffer()
	defer s.release(b)
	heading, err := w.split(b)
	if err != nil {
		return PrintedPage{}, err
	}
	id := ids[at.url()]
	out := PrintedPage{ID: id, Lang: at.foreign(), Title: p.Title, Heading: heading.html, Changed: s.changed(at),
		URL: href(sec.url, at.url()), Address: "/" + at.url(), Body: settle(b.Bytes(), id+".", href(sec.url, at.url()), 2)}
	if s.options.BaseURL != "" {
		out.Address = s.absolute(at.url())
	}
	if len(s.results.machines) > maxHere && speaks(p) {
		out.HereNames = s.machineNames(here)
	}
	if heading.id != "" {
		out.HeadingID = id + "." + heading.id
	}
	return out, nil
}
