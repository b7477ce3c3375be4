package content

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Figures, tables, listings and equations are counted page by page, each kind on
// its own. A page of documentation is read alone, and found by a search: a number
// that ran over the site would change on all pages behind a new figure, and would
// differ between languages that are not translated to the end.

// A Label is what a reference can lead to: a numbered thing, or a heading.
type Label struct {
	Kind markdown.Numbered
	// Number is empty for a section, and for a thing without one.
	Number string
	// Title is the heading's text, or the caption.
	Title string
	// ID is the anchor on its page.
	ID string

	pos int
	// given is set where the author wrote the label.
	given bool
}

// Number is what a figure of the page counts as, or 0: it has neither caption nor label.
func (p *Page) Number(f *markdown.Figure) int {
	if len(p.numbers) == 0 {
		return 0
	}
	return p.numbers[p.place(f)]
}

// numbered counts what the page numbers, and notes its labels.
func (p *pageParser) numbered(figures []*markdown.Figure) {
	counts := map[markdown.Numbered]int{}
	for _, f := range figures {
		caption, _ := f.LastChild().(*markdown.Caption)
		if caption == nil && f.ID == "" {
			continue
		}
		counts[f.Of]++
		if p.numbers == nil {
			p.numbers = map[*markdown.Figure]int{}
		}
		p.numbers[f] = counts[f.Of]
		if f.ID == "" {
			continue
		}
		l := Label{Kind: f.Of, Number: strconv.Itoa(counts[f.Of]), ID: f.ID, pos: f.Pos(), given: true}
		if caption != nil {
			l.Title = strings.TrimSpace(p.page.plainText(caption))
		}
		p.label(f.ID, l)
	}
	p.equations()
}

// label notes a label, unless it is taken: links lead to the first.
func (p *pageParser) label(name string, l Label) bool {
	if _, taken := p.page.labels[name]; taken {
		return false
	}
	p.page.labels[name] = l
	if _, taken := p.page.labelOf[l.ID]; l.ID != name && !taken {
		if p.page.labelOf == nil {
			p.page.labelOf = map[string]string{}
		}
		p.page.labelOf[l.ID] = name
	}
	return true
}

// anchorOf makes an id of a label: a blank would end it in an address.
func anchorOf(label string) string { return strings.Join(strings.Fields(label), "-") }

// equations numbers the equations of the page as LaTeX does.
func (p *pageParser) equations() {
	last := 0
	for _, f := range p.page.Formulas {
		for i := range f.Rows {
			r := &f.Rows[i]
			if f.Display && r.Counted() {
				last++
				r.Number = strconv.Itoa(last)
			}
			p.rowLabels(r)
		}
	}
}

// rowLabels gives the labels of a row their anchors.
func (p *pageParser) rowLabels(r *markdown.Row) {
	number := r.Number
	if number == "" {
		number = r.Tag
	}
	for i := range r.Labels {
		l := &r.Labels[i]
		if number == "" {
			p.diags.Add(p.file.Warning(l.Start, l.Stop, diag.Say("the equation with the label %q has no number", l.Name), diag.Say("make it a block of its own, without \\notag")))
			continue
		}
		id := p.uniqueID(anchorOf(l.Name))
		if !p.label(l.Name, Label{Kind: markdown.Equation, Number: number, ID: id, pos: l.Start, given: true}) {
			p.diags.Add(p.file.Warning(l.Start, l.Stop, diag.Say("the label %q stands twice in this page", l.Name), diag.Say("references lead to the first")))
			continue
		}
		l.ID = id
		p.page.anchors[id] = true
	}
}

// anchorLabel notes a label that stands behind nothing that can be counted: it
// leads to its place.
func (p *pageParser) anchorLabel(d *markdown.Directive) {
	if d.Placed || d.Name != "label" {
		return
	}
	d.Argument = anchorOf(d.Argument)
	p.given(d.Argument, d.Start, func(id string) { d.Argument = id })
	p.label(d.Argument, Label{ID: d.Argument, pos: d.Start, given: true})
}

// A Referred is what a [markdown.Reference] leads to.
type Referred struct {
	Label
	Target Target
	// Elsewhere is set where it is on another page than the reader.
	Elsewhere bool
}

// Referred returns what a reference of the page leads to; its Target is missing
// where nothing was found.
func (p *Page) Referred(n *markdown.Reference) Referred { return p.referred[p.place(n)] }

// reference finds what a reference leads to.
func (l *pageLinks) reference(n *markdown.Reference) Referred {
	label, anywhere := strings.CutPrefix(n.Destination, ":")
	if n.Parentheses || n.Bare { // \eqref and \ref are LaTeX's, which knows no addresses
		label, anywhere = strings.TrimPrefix(label, "#"), true
	}
	if anywhere {
		r := l.labelled(label, n.Span, n.Parentheses || n.Bare)
		l.page.Links = append(l.page.Links, Link{Destination: n.Destination, Target: r.Target, Start: n.Start, End: n.Stop})
		return r
	}
	t := l.resolve(n.Destination, n.Start, "page")
	r := Referred{Target: t, Elsewhere: t.Page != l.page.unlinked}
	switch fragment := t.Fragment(); {
	case t.Missing:
	case t.Page == nil:
		l.warnAt(n.Span, diag.Say("a link without a text must lead to a page"), diag.Say("write a text between its brackets"))
	case fragment == "":
		r.Label = Label{Kind: markdown.Section, Title: t.Page.Title}
		r.Elsewhere = false // the title says it
	default:
		r.Label = t.Page.byID(fragment)
		if t.Page.HasAnchor(fragment) {
			l.captioned(fragment, r, n.Span)
		}
	}
	return r
}

// byID is the label with an anchor.
func (p *Page) byID(id string) Label {
	if l, ok := p.labels[id]; ok && l.ID == id {
		return l
	}
	if name, ok := p.labelOf[id]; ok {
		return p.labels[name]
	}
	return Label{ID: id}
}

// captioned warns of a reference to something that has neither number nor title.
func (l *pageLinks) captioned(label string, r Referred, at markdown.Span) {
	if r.Number == "" && r.Title == "" {
		l.warnAt(at, diag.Say("%q has no number and no title to show here", label),
			diag.Say("refer to a heading, an equation, or a figure or table with a caption; or write a link with a text"))
	}
}

func (l *pageLinks) warnAt(at markdown.Span, message, hint diag.Text) {
	d := l.page.Source.Warning(at.Start, at.Stop, message, hint)
	d.Rule = RuleAnchor
	l.diags.Add(d)
}

// labelled looks a label up: on the page, on those of its language, then on those
// of the others.
func (l *pageLinks) labelled(label string, at markdown.Span, equation bool) Referred {
	if own, ok := l.page.labels[label]; ok {
		r := Referred{Label: own, Target: Target{Page: l.page.unlinked, Suffix: "#" + own.ID}}
		l.captioned(label, r, at)
		return r
	}
	l.asksLabels = true
	places := l.byLabel[l.page.Language][label]
	for _, other := range l.site.Languages {
		if len(places) == 0 {
			places = l.byLabel[other][label]
		}
	}
	var pages []*Page
	for _, i := range places {
		pages = append(pages, l.looksAt(l.site.Pages[i]))
	}
	if len(pages) == 0 {
		l.unknownLabel(label, at, equation)
		return Referred{Target: Target{Missing: true}, Label: Label{Title: label}}
	}
	if len(pages) > 1 {
		var places []string
		for _, p := range pages {
			places = append(places, fmt.Sprintf("%s:%d", p.Source.Name, p.Source.Line(p.labels[label].pos)))
		}
		l.warnAt(at, diag.Say("the label %q stands on several pages: %s", label, strings.Join(places, ", ")), diag.Say("this leads to the first; give the others labels of their own"))
	}
	r := Referred{Label: pages[0].labels[label], Elsewhere: true}
	r.Target = Target{Page: pages[0], Suffix: "#" + r.ID}
	l.captioned(label, r, at)
	return r
}

func (l *pageLinks) unknownLabel(label string, at markdown.Span, equation bool) {
	known := func() []string { return l.hints.labels(l.page.Language, equation, l.resolver) }
	message := diag.Say("nothing in this language has the label %q", label)
	hint := diag.Say("a label is written :label:`%s`, or {#%s}", label, label)
	if equation {
		message, hint = diag.Say("no equation has the label %q", label), diag.Say(`write \label{%s} into the equation`, label)
	}
	l.warnAt(at, message, l.suggest.Suggest(label, known, hint))
}

// formulas fills in the references within formulas, which can be no links, where the page was
// parsed for this site.
func (l *pageLinks) formulas(parsed bool) {
	for _, f := range l.page.Formulas {
		for i := range f.References {
			r := &f.References[i]
			found := l.labelled(r.Label, r.Span, true)
			if _, own := l.page.labels[r.Label]; !own {
				l.numbers = true
			}
			if !parsed {
				continue // it has its number, and other sites have it too
			}
			if found.Number != "" {
				r.Number = found.Number
			}
			if r.Parentheses {
				r.Number = "(" + r.Number + ")"
			}
		}
	}
}

// A labelIndex has the places of the pages that have a label of the author's, by language,
// in the order of their paths.
type labelIndex map[*Language]map[string][]int

func newLabelIndex(pages []*Page) labelIndex {
	index := labelIndex{}
	for i, p := range pages {
		if index[p.Language] == nil {
			index[p.Language] = map[string][]int{}
		}
		for name, l := range p.labels {
			if l.given {
				index[p.Language][name] = append(index[p.Language][name], i)
			}
		}
	}
	return index
}

// headingLabel notes a heading, which references can name too.
func (p *pageParser) headingLabel(n *ast.Heading, id, title string) {
	p.label(id, Label{Kind: markdown.Section, Title: title, ID: id, pos: n.Pos(), given: p.byHand[n]})
}

// known is what a reference shows in a heading's text, as far as the page alone
// knows it: other pages are not read yet.
func (p *Page) known(n *markdown.Reference) string {
	l := p.labels[strings.TrimLeft(n.Destination, ":#")]
	switch {
	case l.Number == "":
		return l.Title
	case n.Parentheses:
		return "(" + l.Number + ")"
	}
	return l.Number
}

// sameLabels tells whether two pages have labels of the same names and kinds.
func sameLabels(a, b *Page) bool {
	return maps.Equal(a.givenLabels(), b.givenLabels())
}

func (p *Page) givenLabels() map[string]markdown.Numbered {
	given := map[string]markdown.Numbered{}
	for name, l := range p.labels {
		if l.given {
			given[name] = l.Kind
		}
	}
	return given
}
