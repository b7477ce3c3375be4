package render

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A section, which is a folder of pages or a whole small site, has a page with all of its pages in
// reading order, to print or to save. Like an embedded note, each page is rendered with its own writer at
// the address of the section's page, and its ids get a prefix. Links between the pages lead to their
// places there.

// printDir is the folder of these pages, below that of the language.
const printDir = "_print"

// A section's page shows at most so many pages, of so many bytes of Markdown, and only names the rest, so that
// neither its size nor the time to make it grows with the site.
const maxPrinted, maxPrintedBytes = 100, 1 << 20

// A printer makes pages and documents of sections.
type printer struct{ *Site }

// A section is an entry of the navigation that has such a page.
type section struct {
	entry    *nav.Entry
	language *site.Language
	url      string // "pt/_print/gpu/"
}

// printed returns the pages of the section that its page shows, and the rest, which it only names.
func (sec *section) printed(most, mostBytes int) (shown, omitted []*nav.Entry) {
	size := 0
	for _, p := range sec.entry.Pages() {
		size += len(p.Placed.Page.Source.Data)
		if len(shown) >= most || size > mostBytes {
			omitted = append(omitted, p)
		} else {
			shown = append(shown, p)
		}
	}
	return shown, omitted
}

// planPrint adds the pages of sections.
func (s *planner) planPrint() {
	if !s.theme.HasTemplate("print") || s.content.Config.Without.Print {
		return
	}
	for _, l := range s.content.Languages {
		if tree := s.nav.Trees[l.Code]; tree != nil && len(tree.Order) <= maxPrinted {
			s.planSection(tree.Top, l, l.Code+"/"+printDir+"/")
		} else if tree != nil {
			for _, e := range tree.Top.Children {
				s.planSection(e, l, l.Code+"/"+printDir+"/"+e.Name+"/")
			}
		}
	}
}

// planSection adds the page of a section, and those of the sections in it.
func (s *planner) planSection(e *nav.Entry, l *site.Language, url string) {
	if len(e.Children) == 0 {
		return
	}
	if name := url + "index.html"; s.files[name] == nil && e.Several() {
		sec := &section{e, l, url}
		s.sections[e] = sec
		s.add(name, func() ([]byte, error) { return printer{s.Site}.renderPrint(sec) })
	}
	for _, c := range e.Children {
		s.planSection(c, l, url+c.Name+"/")
	}
}

// sectionOf returns the innermost section that a page is in, or nil.
func (s *Site) sectionOf(at nav.Placed) *section {
	for e := s.nav.Trees[at.Language.Code].Find(at.URL()); e != nil; e = e.Parent {
		if sec := s.sections[e]; sec != nil {
			return sec
		}
	}
	return nil
}

// sectionTitle returns the title of the section.
func (s printer) sectionTitle(sec *section) string {
	if sec.entry.Parent == nil {
		return s.nav.Title(sec.language)
	}
	return sec.entry.Title()
}

// renderPrint makes the page of a section.
func (s printer) renderPrint(sec *section) ([]byte, error) {
	view, pages, ids := s.printView(sec, maxPrinted, maxPrintedBytes)
	for i, e := range pages {
		body, err := s.printBody(sec, e.Placed, ids, 2, false)
		if err != nil {
			return nil, err
		}
		view.Pages[i].PrintedBody = body
	}
	text, err := s.theme.Execute("print", view)
	if err != nil {
		return nil, err
	}
	view.PageView.Body = template.HTML(text)
	return s.theme.Execute("page.html", view.PageView)
}

// printView returns the view of a section of so many pages and bytes without their texts, its pages, and the ids that
// they have in it by their addresses.
func (s printer) printView(sec *section, most, mostBytes int) (theme.PrintView, []*nav.Entry, map[string]string) {
	o := generatedPage{path: strings.TrimPrefix(sec.url, sec.language.Code+"/"), title: "print_title", template: "print", hidden: true}
	view := theme.PrintView{PageView: s.generatedFrame(o, sec.language)}
	pages, omitted := sec.printed(most, mostBytes)
	title := s.sectionTitle(sec)
	view.Title = view.T.Get("print_title", "title", title)
	view.Heading = template.HTML(template.HTMLEscapeString(title))
	view.Note = view.T.Get("print_note", "n", strconv.Itoa(len(pages)+len(omitted)))
	s.sectionLanguages(&view.PageView, sec.url, sec.language)
	for _, e := range omitted {
		view.Omitted = append(view.Omitted, e.Link(sec.url))
	}
	ids := map[string]string{}
	for i, e := range pages {
		ids[e.Placed.URL()] = page.PrintPrefix + strconv.Itoa(i+1)
	}
	for _, e := range pages {
		printed := s.printedPage(sec, e, ids)
		printed.Measures = measures(s.reports.Present(view.T, sec.url, s.reports.Included(e.Placed.Page)), e.Placed.Page, view.PageView, printed.ID+".")
		view.Pages = append(view.Pages, printed)
		view.Numbered = view.Numbered || printed.Number != ""
		if s.mentionsMachines(e.Placed.Page) {
			view.Deferred = s.deferred(sec.url, sec.language.Code)
		}
	}
	return view, pages, ids
}

// sectionLanguages sets the links of a section's page to languages: to the same address, or else to their
// home pages.
func (s *Site) sectionLanguages(v *theme.PageView, url string, of *site.Language) {
	for i, l := range s.content.Languages {
		same := l.Code + strings.TrimPrefix(url, of.Code)
		if s.files[same+"index.html"] == nil {
			same = s.homeURL(l)
		}
		v.Languages[i].URL = nav.Href(url, same)
	}
}

// printedPage returns the data of a page of the section without its text.
func (s printer) printedPage(sec *section, e *nav.Entry, ids map[string]string) theme.PrintedPage {
	at := *e.Placed
	out := theme.PrintedPage{ID: ids[at.URL()], Lang: at.Foreign(), Dir: contentDir(s.theme, at), Title: e.Title(), Number: e.Number, Changed: s.changed(at),
		URL: nav.Href(sec.url, at.URL()), Address: "/" + at.URL()}
	if s.options.BaseURL != "" {
		out.Address = s.nav.Absolute(at.URL())
	}
	return out
}

// printBody renders the text of a page for a section, with its headings below a level. On paper nothing can be chosen
// or unfolded.
func (s printer) printBody(sec *section, at *nav.Placed, ids map[string]string, level int, forPrint bool) (out theme.PrintedBody, err error) {
	// Links begin at the section's page.
	frame := nav.Placed{Page: &site.Page{Language: sec.language, URL: sec.url}, Language: sec.language}
	in := s.input(frame, at.Page, s.reports.Included(at.Page)) // the machines are those on the page
	in.Anchors, in.ForPrint = ids, forPrint
	prefix := ids[at.URL()] + "."
	body, err := page.RenderWithin(s.ctx, in, prefix, nav.Href(sec.url, at.URL()), level)
	if err != nil {
		return out, err
	}
	out = theme.PrintedBody{Heading: body.Heading, Body: body.HTML}
	if body.HeadingID != "" {
		out.HeadingID = prefix + body.HeadingID
	}
	return out, nil
}
