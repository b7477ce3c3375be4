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

// sectionOf returns a section by its entry.
func sectionOf(e *nav.Entry, l *site.Language) *section {
	url := ""
	for at := e; at.Parent != nil; at = at.Parent {
		url = at.Name + "/" + url
	}
	return &section{e, l, l.Code + "/" + printDir + "/" + url}
}

// printClaims are the pages of sections.
func printClaims(in *inputs) (claims []claim) {
	if !in.theme.HasTemplate("print") || in.content.Config.Without.Print {
		return nil
	}
	for _, l := range in.content.Languages {
		if tree := in.nav.Trees[l.Code]; tree != nil && len(tree.Order) <= maxPrinted {
			claims = append(claims, sectionClaims(tree.Top, l)...)
		} else if tree != nil {
			for _, e := range tree.Top.Children {
				claims = append(claims, sectionClaims(e, l)...)
			}
		}
	}
	return claims
}

// sectionClaims are the page of a section, and those of the sections in it.
func sectionClaims(e *nav.Entry, l *site.Language) (claims []claim) {
	if len(e.Children) > 0 && e.Several() {
		sec := sectionOf(e, l)
		claims = append(claims, claim{
			name:    sec.url + "index.html",
			make:    func(p *Plan) ([]byte, error) { return p.renderPrint(sec) },
			section: sec,
		})
	}
	for _, c := range e.Children {
		claims = append(claims, sectionClaims(c, l)...)
	}
	return claims
}

// printedIn returns the innermost section that a page is in, or nil.
func (p *Plan) printedIn(at nav.Placed) *section {
	for e := p.nav.Trees[at.Language.Code].Find(at.URL()); e != nil; e = e.Parent {
		if sec := p.sections[e]; sec != nil {
			return sec
		}
	}
	return nil
}

// sectionTitle returns the title of the section.
func (in *inputs) sectionTitle(sec *section) string {
	if sec.entry.Parent == nil {
		return in.nav.Title(sec.language)
	}
	return sec.entry.Title()
}

// renderPrint makes the page of a section.
func (p *Plan) renderPrint(sec *section) ([]byte, error) {
	view, pages, ids := p.printView(sec, maxPrinted, maxPrintedBytes)
	for i, e := range pages {
		body, err := p.printBody(sec, e.Placed, ids, 2, false)
		if err != nil {
			return nil, err
		}
		view.Pages[i].PrintedBody = body
	}
	text, err := p.theme.Execute("print", view)
	if err != nil {
		return nil, err
	}
	view.PageView.Body = template.HTML(text)
	return p.theme.Execute("page.html", view.PageView)
}

// printView returns the view of a section of so many pages and bytes without their texts, its pages, and the ids that
// they have in it by their addresses.
func (p *Plan) printView(sec *section, most, mostBytes int) (theme.PrintView, []*nav.Entry, map[string]string) {
	o := generatedPage{path: strings.TrimPrefix(sec.url, sec.language.Code+"/"), title: "print_title", template: "print", hidden: true}
	view := theme.PrintView{PageView: p.generatedFrame(o, sec.language)}
	pages, omitted := sec.printed(most, mostBytes)
	title := p.sectionTitle(sec)
	view.Title = view.T.Get("print_title", "title", title)
	view.Heading = template.HTML(template.HTMLEscapeString(title))
	view.Note = view.T.Get("print_note", "n", strconv.Itoa(len(pages)+len(omitted)))
	p.sectionLanguages(&view.PageView, sec.url, sec.language)
	for _, e := range omitted {
		view.Omitted = append(view.Omitted, e.Link(sec.url))
	}
	ids := map[string]string{}
	for i, e := range pages {
		ids[e.Placed.URL()] = page.PrintPrefix + strconv.Itoa(i+1)
	}
	for _, e := range pages {
		printed := p.printedPage(sec, e, ids)
		printed.Measures = measures(p.reports.Present(view.T, sec.url, p.reports.Included(e.Placed.Page)), e.Placed.Page, view.PageView,
			printed.ID+".")
		view.Pages = append(view.Pages, printed)
		view.Numbered = view.Numbered || printed.Number != ""
		if p.mentionsMachines(e.Placed.Page) {
			view.Deferred = p.deferred(sec.url, sec.language.Code)
		}
	}
	return view, pages, ids
}

// sectionLanguages sets the links of a section's page to languages: to the same address, or else to their
// home pages.
func (p *Plan) sectionLanguages(v *theme.PageView, url string, of *site.Language) {
	for i, l := range p.content.Languages {
		same := l.Code + strings.TrimPrefix(url, of.Code)
		if p.files[same+"index.html"] == nil {
			same = p.homeURL(l)
		}
		v.Languages[i].URL = nav.Href(url, same)
	}
}

// printedPage returns the data of a page of the section without its text.
func (p *Plan) printedPage(sec *section, e *nav.Entry, ids map[string]string) theme.PrintedPage {
	at := *e.Placed
	out := theme.PrintedPage{ID: ids[at.URL()], Lang: at.Foreign(), Dir: contentDir(p.theme, at), Title: e.Title(), Number: e.Number,
		Changed: p.changed(at),
		URL:     nav.Href(sec.url, at.URL()), Address: "/" + at.URL()}
	if p.options.BaseURL != "" {
		out.Address = p.nav.Absolute(at.URL())
	}
	return out
}

// printBody renders the text of a page for a section, with its headings below a level. On paper nothing can be chosen
// or unfolded.
func (p *Plan) printBody(sec *section, at *nav.Placed, ids map[string]string, level int, forPrint bool) (out theme.PrintedBody, err error) {
	// Links begin at the section's page.
	frame := nav.Placed{Page: &site.Page{Language: sec.language, URL: sec.url}, Language: sec.language}
	in := p.input(frame, at.Page, p.reports.Included(at.Page)) // the machines are those on the page
	in.Anchors, in.ForPrint = ids, forPrint
	prefix := ids[at.URL()] + "."
	body, err := page.RenderWithin(p.ctx, in, prefix, nav.Href(sec.url, at.URL()), level)
	if err != nil {
		return out, err
	}
	out = theme.PrintedBody{Heading: body.Heading, Body: body.HTML}
	if body.HeadingID != "" {
		out.HeadingID = prefix + body.HeadingID
	}
	return out, nil
}
