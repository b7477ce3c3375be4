package feeds

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/render/mdexport"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// ExportFile returns the name of the Markdown export of a page, which programs and readers can copy. It is the page's
// address followed by index.html.md, as in https://llmstxt.org/.
func ExportFile(p *site.Page) string { return p.URL + "index.html.md" }

// PlanExports adds the exports. A page that is also shown in languages without a translation has only one.
func (s *Site) PlanExports(publish func(name string, make func() ([]byte, error))) {
	for _, p := range s.Content.Pages {
		publish(ExportFile(p), func() ([]byte, error) { return s.renderExport(p), nil })
	}
}

func (s *Site) renderExport(p *site.Page) []byte {
	day := s.Nav.ChangedOn(p)
	var b strings.Builder
	b.WriteString("---\n")
	asJSON := json.NewEncoder(&b)
	asJSON.SetEscapeHTML(false)
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": ")
			_ = asJSON.Encode(value) // a JSON string is a YAML string; Encode ends the line
		}
	}
	field("title", p.Title)
	field("description", p.Description)
	field("language", p.Language.Code)
	field("source", s.Nav.Link(p.URL, p.URL))
	if !day.IsZero() {
		field("updated", day.Format(time.DateOnly))
	}
	b.WriteString("---\n\n")
	b.WriteString(s.exportText(p, p.URL))
	return []byte(b.String())
}

// exportText returns a page as Markdown for a file below from: its title, its text, and the works that it cites.
func (s *Site) exportText(p *site.Page, from string) string {
	w, text := newExportWriter(s, p, from), ""
	if page.Title(p) == nil {
		text = "# " + mdexport.Escape(p.Title) + "\n\n"
	}
	text += mdexport.Page(p, mdexport.Labels{Results: w.t.Get("machines"), Stored: w.t.Get("stored")}, w) + "\n"
	if works := w.Works(); works != "" {
		text += "\n" + works + "\n"
	}
	return text
}

func newExportWriter(s *Site, p *site.Page, from string) *exportWriter {
	t, facts := s.Theme.Text(p.Language.Code), page.FactsOf(s.Nav)
	return &exportWriter{
		root:    p,
		page:    p,
		facts:   facts,
		nav:     s.Nav,
		t:       t,
		results: s.Reports.Present(t, p.URL, s.Reports.Included(p)),
		labels:  page.NewLabels(facts, p.Language, t),
		works:   page.NewBibliography(p, facts, t),
		from:    from,
	}
}

// An exportWriter provides the export of a page with data of the site. It implements
// [mdexport.Site].
type exportWriter struct {
	root    *site.Page // the page of the export
	page    *site.Page // whose nodes are written: the root, or one that it embeds
	facts   page.Facts
	nav     *nav.Map
	t       text.Catalog
	results page.Results
	labels  page.Labels
	works   *page.Bibliography
	// listed is set if the list of works is written.
	listed bool
	// from is the folder in which the links begin.
	from string
	// toPages is set if links lead to pages instead of their exports.
	toPages bool
}

// Address implements [mdexport.Site]: pages lead to the exports of pages.
func (w *exportWriter) Address(t site.Target) string {
	switch {
	case t.External != "":
		return t.External
	case t.Picture != nil:
		return w.nav.Link(w.from, page.PictureFile(t.Picture))
	case t.Asset != "":
		return w.nav.Link(w.from, t.Asset) + t.Suffix
	case t.Generated != "":
		return w.nav.Link(w.from, t.Generated) + t.Suffix
	case t.Page == nil:
		return ""
	}
	to := t.Page
	if translated := w.facts.Shown(to.Key, w.root.Language.Code); translated != nil && !t.OtherLanguage {
		to = translated
	}
	if w.toPages {
		return w.nav.Link(w.from, to.URL) + t.Suffix
	}
	if to.Source == w.root.Source && strings.HasPrefix(t.Suffix, "#") {
		return t.Suffix
	}
	return w.nav.Link(w.from, ExportFile(to)) + t.Suffix
}

// Links implements [mdexport.Site].
func (w *exportWriter) Links(p *site.Page) *site.Links { return w.facts.Links(p) }

// Text implements [mdexport.Site].
func (w *exportWriter) Text(p *site.Page, n ast.Node) (string, bool) {
	if p.Source != w.page.Source { // a note that the page embeds cites works of its own
		v := *w
		v.page, v.works = p, page.NewBibliography(p, w.facts, w.t)
		w = &v
	}
	switch n := n.(type) {
	case *native.Live:
		return mdexport.Escape(cmp.Or(w.t.Amount(w.results.Live(w.page, n).Value), "—")), true
	case *markdown.Reference:
		if n.NamesExercise() {
			return "", true
		}
		return w.numbered(n), true
	case *markdown.Callout: // a solution that is withheld
		if w.page.SolutionsAfter.IsZero() {
			return "", true
		}
		return "*" + mdexport.Escape(w.t.Get("solution_comes", "date", w.t.Date(w.page.SolutionsAfter))) + "*", true
	case *markdown.Citation:
		return citedText(w.works, n, mdexport.Escape), true // the list at the page's end has the rest
	case *markdown.Bibliography:
		if !w.listed {
			return w.workList(), true
		}
	case *markdown.Container:
		if n.Name == "machines" {
			return w.machineList(), true
		}
		if n.Name == "my-gpu" { // a program has no GPU to name
			return "", true
		}
	}
	return "", false
}

// numbered is what a reference leads to, by its number or its title.
func (w *exportWriter) numbered(n *markdown.Reference) string {
	r := w.facts.Links(w.page).Reference(n)
	text := w.labels.ReferenceText(n, r)
	if r.OnOtherPage && r.Number != "" && r.Target.Page != nil {
		text = w.t.Get("number_elsewhere", "what", text, "page", w.labels.TitleOf(r.Target.Page))
	}
	text = mdexport.Escape(text)
	if address := w.Address(r.Target); address != "" {
		text = "[" + text + "](" + mdexport.Destination(address) + ")"
	}
	return text
}

// citedText returns the authors and years of a citation, escaped by a function.
func citedText(list *page.Bibliography, c *markdown.Citation, escape func(string) string) string {
	var works []string
	for _, work := range c.Works {
		text := work.Key
		if known := list.Work(work.Key); known != nil {
			text = known.Authors + ", " + known.Year
			if c.Textual {
				text = known.Authors + " (" + known.Year + ")"
			}
		}
		text = strings.TrimSpace(work.Before + " " + text)
		if work.After != "" {
			text += ", " + work.After
		}
		works = append(works, escape(text))
	}
	if c.Textual {
		return strings.Join(works, "; ")
	}
	return "(" + strings.Join(works, "; ") + ")"
}

// Works returns the list of the works that the page cites, under a heading, unless it is there already.
func (w *exportWriter) Works() string {
	if w.listed || len(w.facts.Links(w.root).Cited) == 0 {
		return ""
	}
	return "## " + mdexport.Escape(w.t.Get("references")) + "\n\n" + w.workList()
}

func (w *exportWriter) workList() string {
	w.listed = true
	var list []string
	for _, work := range w.works.Works() {
		list = append(list, "- "+w.works.Entry(work)) // HTML within a line is Markdown too
	}
	return strings.Join(list, "\n")
}

// machineList is what :::machines shows, a line for each machine.
func (w *exportWriter) machineList() string {
	view := w.results.Table()
	var list []string
	for _, m := range view.Machines {
		line := "- " + mdexport.Escape(m.Name) + ": "
		for i, fact := range [][2]string{{w.t.Get("fact_gpu"), m.GPU}, {w.t.Get("fact_driver"), m.Driver}, {"CUDA", m.CUDA}, {w.t.Get("fact_system"), m.OS}, {w.t.Get("fact_date"), m.Date}} {
			if i > 0 {
				line += "; "
			}
			line += mdexport.Escape(fact[0] + " " + cmp.Or(fact[1], "–"))
		}
		list = append(list, line)
	}
	for _, name := range view.Unreadable {
		list = append(list, "- "+mdexport.Escape(name)+": "+mdexport.Escape(w.t.Get("machine_unreadable")))
	}
	return cmp.Or(strings.Join(list, "\n"), mdexport.Escape(w.t.Get("summary_none")))
}

// Results implements [mdexport.Site].
func (w *exportWriter) Results(f *site.Fence) *mdexport.Results {
	b := page.ResultBlock(f)
	if b == nil {
		return nil
	}
	p := w.results.Panel(b)
	r := &mdexport.Results{Summary: p.Summary, Omitted: p.Omitted, Trouble: standing.Named(p.Status).Trouble()}
	for _, v := range p.Results {
		m := mdexport.Result{Machine: v.Label, Status: v.StatusText, Details: []string{v.Date, v.GPU, v.Reason, v.Build}}
		if v.Stale {
			note := w.t.Get("stale_note")
			if v.WasText != "" {
				note += " " + w.t.Get("stale_was", "was", v.WasText)
			}
			m.Notes = append(m.Notes, note)
		}
		if v.Status == standing.Altered.String() {
			m.Notes = append(m.Notes, w.t.Get("altered_note"))
		}
		for _, row := range v.Rows {
			m.Rows = append(m.Rows, mdexport.Row{Want: row.Want, Status: row.StatusText, Found: w.t.Amount(row.Found), Reason: row.Reason})
		}
		for _, c := range v.Combinations {
			n := len(v.Parameters)
			m.Rows = append(m.Rows, mdexport.Row{Want: assignments(v.Parameters, c.Cells[:n]), Status: c.StatusText, Found: assignments(v.Values, c.Cells[n:]), Reason: c.Reason})
		}
		for _, c := range v.Captures {
			m.Rows = append(m.Rows, mdexport.Row{Want: c.Name, Found: strings.TrimSpace(c.Value + " " + c.Unit)})
		}
		r.Machines = append(r.Machines, m)
	}
	return r
}

// assignments returns names with their values: "n=1024 dtype=float32".
func assignments(names, values []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name + "=" + values[i]
	}
	return strings.Join(list, " ")
}
