package page

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Works are cited by author and year, as in APA style: numbers would tell readers nothing, and change
// with each work that is added.

// Work is a work as a page cites it.
type Work struct {
	*bibtex.Entry
	Authors, Year string
}

// A Bibliography is the list of works that a page cites.
type Bibliography struct {
	page  *site.Page
	site  *site.Site
	t     text.Catalog
	list  []*Work
	byKey map[string]*Work
}

// NewBibliography returns the bibliography of a page, with the texts t of its reader's language.
func NewBibliography(p *site.Page, s *site.Site, t text.Catalog) *Bibliography {
	return &Bibliography{page: p, site: s, t: t}
}

// Works returns the works that a page cites or, if it cites none, those that all pages of its language
// cite, by author and year. If author and year are equal, letters are added: 2015a, 2015b.
func (v *Bibliography) Works() []*Work {
	if v.byKey != nil {
		return v.list
	}
	v.byKey = map[string]*Work{}
	keys := slices.Clone(v.site.Links(v.page).Cited)
	if len(keys) == 0 {
		for _, p := range v.site.Pages {
			if p.Language == v.page.Language {
				keys = append(keys, v.site.Links(p).Cited...)
			}
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		e := v.site.Work(key)
		c := &Work{e, v.authors(e), v.year(e)}
		v.list, v.byKey[key] = append(v.list, c), c
	}
	slices.SortStableFunc(v.list, func(a, b *Work) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Authors), strings.ToLower(b.Authors)), cmp.Compare(a.Year, b.Year))
	})
	for from := 0; from < len(v.list); {
		to := from + 1
		for to < len(v.list) && v.list[to].Authors == v.list[from].Authors && v.list[to].Year == v.list[from].Year {
			to++
		}
		for i := from; to-from > 1 && i < to && i-from < 26; i++ {
			v.list[i].Year += string(rune('a' + i - from))
		}
		from = to
	}
	return v.list
}

// Work returns the work with a key, or nil.
func (v *Bibliography) Work(key string) *Work {
	v.Works()
	return v.byKey[key]
}

// authors returns the authors as a citation names them: the last names of two, or the first and "et
// al.".
func (v *Bibliography) authors(e *bibtex.Entry) string {
	names, others := bibtex.Names(cmp.Or(e.Fields["author"], e.Fields["editor"]))
	switch {
	case len(names) == 0:
		return cmp.Or(e.Text("title"), e.Key)
	case len(names) == 1 && !others:
		return names[0].Last
	case len(names) == 2 && !others:
		return v.t.Get("cite_and", "a", names[0].Last, "b", names[1].Last)
	}
	return v.t.Get("cite_others", "a", names[0].Last)
}

func (v *Bibliography) year(e *bibtex.Entry) string {
	year, _, _ := strings.Cut(cmp.Or(e.Text("year"), e.Text("date")), "-")
	return cmp.Or(year, v.t.Get("cite_no_date"))
}

// A citationWriter writes citations and the list of works.
type citationWriter struct {
	*writer
	*Bibliography
	// listed is set if the list is written.
	listed bool
}

// citation writes (Silva e Souza, 2020; Lee, 2021), each a link into the list.
func (v *citationWriter) citation(w util.BufWriter, _ []byte, n ast.Node) error {
	c := n.(*markdown.Citation)
	if v.Nav.Content.Config.Bibliography == "" {
		var keys []string
		for _, work := range c.Works {
			keys = append(keys, work.Key)
		}
		_, err := w.WriteString(`<span class="cite">[` + attribute(strings.Join(keys, "; ")) + `]</span>`)
		return err
	}
	_, _ = w.WriteString(`<span class="cite">`)
	if !c.Textual {
		_ = w.WriteByte('(')
	}
	for i, work := range c.Works {
		if i > 0 {
			_, _ = w.WriteString("; ")
		}
		v.cite(w, work, c.Textual)
	}
	if !c.Textual {
		_ = w.WriteByte(')')
	}
	_, err := w.WriteString(`</span>`)
	return err
}

func (v *citationWriter) cite(w io.StringWriter, work markdown.Work, textual bool) {
	if work.Before != "" {
		_, _ = w.WriteString(attribute(work.Before) + " ")
	}
	text := v.name(work.Key, textual)
	if text == "" {
		_, _ = w.WriteString(`<span class="missing-link" title="` + attribute(v.writer.t.Get("cite_missing")) + `">` + attribute(work.Key) + `</span>`)
	} else {
		_, _ = w.WriteString(`<a href="#` + workID(work.Key) + `">` + attribute(text) + `</a>`)
	}
	if work.After != "" {
		_, _ = w.WriteString(", " + attribute(work.After))
	}
}

// name returns the authors and the year of a work, or "" if there is none with that key.
func (v *Bibliography) name(key string, textual bool) string {
	known := v.Work(key)
	switch {
	case known == nil:
		return ""
	case textual:
		return known.Authors + " (" + known.Year + ")"
	}
	return known.Authors + ", " + known.Year
}

// Text returns the authors and years of a citation, escaped by a function.
func (v *Bibliography) Text(c *markdown.Citation, escape func(string) string) string {
	var works []string
	for _, work := range c.Works {
		text := strings.TrimSpace(work.Before + " " + cmp.Or(v.name(work.Key, c.Textual), work.Key))
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

// workID returns the anchor of a work in the list. Ids of the author never begin with a dot.
func workID(key string) string { return "_ref." + attribute(key) }

// place writes the list of references where the author has placed it.
func (v *citationWriter) place(w util.BufWriter, _ []byte, _ ast.Node) error {
	if !v.listed {
		v.referenceList(w)
	}
	return nil
}

// writeAnchor writes a place that references name.
func writeAnchor(w util.BufWriter, _ []byte, n ast.Node) error {
	_, err := w.WriteString(`<span id="` + attribute(n.(*markdown.Anchor).Name) + `"></span>`)
	return err
}

// referenceList writes the works in the order of their authors.
func (v *citationWriter) referenceList(w io.StringWriter) {
	v.listed = true
	if len(v.Works()) == 0 {
		return
	}
	_, _ = w.WriteString("<ul class=\"references\">\n")
	for _, work := range v.Works() {
		_, _ = w.WriteString(`<li id="` + workID(work.Key) + `">` + v.Entry(work) + "</li>\n")
	}
	_, _ = w.WriteString("</ul>\n")
}

// references writes the list at the end of the page, with a heading, unless the author has placed it.
func (v *citationWriter) references(w io.StringWriter) {
	if v.listed || len(v.links.Cited) == 0 {
		return
	}
	_, _ = w.WriteString(`<section class="references-end" aria-labelledby="_refs"><h2 id="_refs">` + attribute(v.writer.t.Get("references")) + "</h2>\n")
	v.referenceList(w)
	_, _ = w.WriteString("</section>\n")
}

// Entry returns a work in the list: authors (year). title. where it appeared. address.
func (v *Bibliography) Entry(work *Work) string {
	parts := []string{sentence(fullNames(work.Entry) + " (" + work.Year + ")")}
	title, container := attribute(work.Text("title")), cmp.Or(work.Text("journal"), work.Text("journaltitle"), work.Text("booktitle"))
	if container == "" {
		title = "<cite>" + title + "</cite>"
	}
	if work.Text("title") != "" && fullNames(work.Entry) != attribute(work.Text("title")) {
		parts = append(parts, sentence(title))
	}
	if container != "" {
		parts = append(parts, sentence("<cite>"+attribute(container)+"</cite>"+issue(work.Entry)))
	}
	if by := cmp.Or(work.Text("publisher"), work.Text("school"), work.Text("institution"), work.Text("howpublished")); by != "" &&
		!strings.Contains(by, "://") {
		parts = append(parts, sentence(attribute(by)))
	}
	if address := work.Address(); address != "" && !rawhtml.Dangerous(address) {
		shown := strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
		parts = append(parts, `<a href="`+attribute(address)+`">`+attribute(shown)+`</a>`)
	}
	return strings.Join(parts, " ")
}

// sentence returns text with exactly one full stop at its end.
func sentence(s string) string {
	if bare := strings.TrimSuffix(s, "</cite>"); strings.HasSuffix(bare, ".") || strings.HasSuffix(bare, "?") || strings.HasSuffix(bare, "!") {
		return s
	}
	return s + "."
}

// fullNames returns all authors: "Silva, Ana; Souza, Rui".
func fullNames(e *bibtex.Entry) string {
	names, others := bibtex.Names(cmp.Or(e.Fields["author"], e.Fields["editor"]))
	var list []string
	for _, n := range names {
		if n.First != "" {
			n.Last += ", " + n.First
		}
		list = append(list, n.Last)
	}
	all := strings.Join(list, "; ")
	if others {
		all += " et al."
	}
	return attribute(cmp.Or(all, e.Text("title"), e.Key))
}

// issue returns ", 12(3), 4–9".
func issue(e *bibtex.Entry) string {
	s := ""
	if volume := e.Text("volume"); volume != "" {
		s = ", " + volume
	}
	if number := e.Text("number"); number != "" {
		s += "(" + number + ")"
	}
	if pages := strings.ReplaceAll(e.Text("pages"), "-", "–"); pages != "" {
		s += ", " + strings.ReplaceAll(pages, "––", "–")
	}
	return attribute(s)
}
