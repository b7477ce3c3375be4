package render

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// Every page has a twin in Markdown, for programs that read and for readers who take the
// text along. It stands where https://llmstxt.org/ looks for it: at the page's address with
// index.html.md behind it. It is written of the nodes, not copied of the file, so that it is
// the Markdown that GitHub shows, whatever dialect the author writes: includes and code of
// files are in it, references have their numbers, {live} values are text, and under each
// block that runs stands what the machines found.

// twinFile is where the twin of a page is published.
func twinFile(p *content.Page) string { return p.URL + "index.html.md" }

// planTwins names the twins. A page that is shown in another language for want of a
// translation has one alone.
func (s *Site) planTwins() {
	for i, p := range s.content.Pages {
		s.publish(twinFile(p), func(s *Site) ([]byte, error) { return s.renderTwin(s.content.Pages[i]), nil })
	}
}

func (s *Site) renderTwin(p *content.Page) []byte {
	var b strings.Builder
	b.WriteString("---\n")
	asJSON := json.NewEncoder(&b)
	asJSON.SetEscapeHTML(false)
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": ")
			_ = asJSON.Encode(value) // a string of JSON is one of YAML, with a line's end behind it
		}
	}
	field("title", p.Title)
	field("description", p.Description)
	field("language", p.Language.Code)
	field("source", s.link(p.URL, p.URL))
	if day := s.changed(placed{p, p.Language}); day != nil {
		field("updated", day.ISO)
	}
	b.WriteString("---\n\n")
	b.WriteString(s.textOf(p, p.URL))
	return []byte(b.String())
}

// everywhere tells whether links are the same in all files: then a twin's text is too.
func (s *Site) everywhere() bool { return s.options.BaseURL != "" && !s.options.Offline }

// A sharedText is that of a twin which two files have: the twin, and the list of its language.
type sharedText struct {
	made  sync.Once
	text  atomic.Pointer[string]
	asked atomic.Int32
}

// get returns the text, made by the first who asks. brief lets it go when both have.
func (t *sharedText) get(brief bool, make func() string) string {
	t.made.Do(func() { t.text.Store(new(make())) })
	text := t.text.Load()
	if t.asked.Add(1) == 2 && brief {
		t.text.Store(nil)
	}
	if text == nil {
		return make()
	}
	return *text
}

// manyTexts has those texts of twins made once that stand in the list of a whole language too. These are not
// many, for that list is bounded.
func (s *Site) manyTexts() map[*content.Page]*sharedText {
	texts := map[*content.Page]*sharedText{}
	if s.content.Config.Without.Markdown || !s.everywhere() {
		return texts
	}
	for _, t := range s.nav {
		size := 0
		for _, e := range t.order {
			p := e.placed.page
			if e.placed.foreign() != "" {
				continue
			}
			if size += len(p.Source.Data); size > maxFull {
				break
			}
			texts[p] = &sharedText{}
		}
	}
	return texts
}

// textOf is the text of a page's twin in a file below from.
func (s *Site) textOf(p *content.Page, from string) string {
	if text := s.texts()[p]; text != nil {
		return text.get(s.options.Once, func() string { return s.twinText(p, "") })
	}
	return s.twinText(p, from)
}

// twinText is the page as Markdown in a file below from: its title, and its text.
func (s *Site) twinText(p *content.Page, from string) string {
	at := placed{p, p.Language}
	w := &twin{pageWriter: &pageWriter{placed: at, page: p, r: s, t: s.strings[p.Language.Code], parts: new(int)}, from: from}
	w.sanitise(w.rawLink, func(string) (int, int) { return 0, 0 })
	var parts []string
	if h, ok := firstSeen(p.Doc()).(*ast.Heading); !ok || h.Level != 1 {
		parts = append(parts, "# "+escaped(p.Title))
	}
	parts = append(parts, w.blocks(p.Doc())...)
	if list := w.worksAtEnd(); list != "" {
		parts = append(parts, list)
	}
	return joined(parts, "\n\n") + "\n"
}

// link is the address of a file of the site in a file below from. It is absolute where the
// site's own is known: what is taken along works from anywhere.
func (s *Site) link(from, to string) string {
	if s.everywhere() {
		return s.absolute(to)
	}
	return s.near(from, to)
}

// near is the address of a file of the site relative to from, as a browser needs it that has only a folder.
func (s *Site) near(from, to string) string {
	if s.options.Offline && (to == "" || strings.HasSuffix(to, "/")) {
		to += "index.html"
	}
	return href(from, to)
}

// A twin writes nodes as Markdown. Its methods return text without a line's end behind it.
type twin struct {
	*pageWriter
	// from is the folder in which the links begin.
	from string
	// within is set where the page stands in another: footnotes are left out there.
	within bool
}

// address returns the link to where a link of the page leads: pages lead to pages' twins.
func (w *twin) address(t content.Target) string {
	switch {
	case t.External != "":
		if rawhtml.Dangerous(t.External) {
			return ""
		}
		return t.External
	case t.Picture != nil:
		return w.r.link(w.from, pictureFile(t.Picture))
	case t.Asset != "":
		return w.r.link(w.from, t.Asset) + t.Suffix
	case t.Made != "":
		return w.r.link(w.from, t.Made) + t.Suffix
	case t.Page == nil:
		return ""
	}
	to := t.Page
	if own := w.r.shown(to.Key, w.language.Code); own != nil && !t.OtherLanguage {
		to = own
	}
	if to.Source == w.page.Source && strings.HasPrefix(t.Suffix, "#") && !w.within {
		return t.Suffix
	}
	return w.r.link(w.from, twinFile(to)) + t.Suffix
}

func (w *twin) rawLink(destination string) string {
	if t, ok := w.page.RawTarget(destination); ok && !t.Missing {
		return w.address(t)
	}
	return destination
}

// part writes what an embed shows of another page, as a quotation below its title.
func (w *twin) part(e *markdown.Embed) string {
	part, ok := w.pageWriter.page.Part(e)
	link := "[" + escaped(part.Title) + "](" + destination(w.address(w.page.Target(e))) + ")"
	if !ok || !w.open(e) {
		return link
	}
	*w.parts++
	in := &twin{pageWriter: &pageWriter{placed: w.placed, page: part.Page, r: w.r, t: w.t, way: append(w.way[:len(w.way):len(w.way)], e), parts: w.parts}, from: w.from, within: true}
	in.sanitise(in.rawLink, w.raw.size)
	parts := []string{"**" + link + "**"}
	for _, n := range part.Blocks {
		parts = append(parts, in.block(n))
	}
	return prefixed(joined(parts, "\n\n"), "> ", "> ")
}

// machineTable is what :::machines shows.
func (w *twin) machineTable() string {
	view := w.machines()
	if len(view.Machines)+len(view.Unreadable) == 0 {
		return escaped(w.t.Get("summary_none"))
	}
	rows := [][]string{{w.t.Get("machine"), w.t.Get("fact_gpu"), w.t.Get("fact_driver"), "CUDA", w.t.Get("fact_system"), w.t.Get("fact_date")}}
	for _, m := range view.Machines {
		rows = append(rows, []string{m.Name, orDash(m.GPU), orDash(m.Driver), orDash(m.CUDA), orDash(m.OS), orDash(m.Date)})
	}
	for _, name := range view.Unreadable {
		rows = append(rows, []string{name, w.t.Get("machine_unreadable"), "–", "–", "–", "–"})
	}
	for _, r := range rows {
		for i := range r {
			r[i] = cell(escaped(r[i]))
		}
	}
	return table(rows, make([]string, len(rows[0])))
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// worksAtEnd is the list of what the page cites, unless its author has placed it.
func (w *twin) worksAtEnd() string {
	if w.listed || len(w.page.Cited) == 0 {
		return ""
	}
	return "## " + escaped(w.t.Get("references")) + "\n\n" + w.workList()
}

func (w *twin) workList() string {
	w.listed = true
	var list []string
	for _, work := range w.works() {
		list = append(list, "- "+w.entry(work)) // HTML within a line is Markdown too
	}
	return strings.Join(list, "\n")
}
