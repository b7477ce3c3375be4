package page

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// numberFigures numbers the figures of the page, and records their labels.
func (p *pageParser) numberFigures(figures []*markdown.Figure) {
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
		l := site.Label{Kind: f.Of, Number: strconv.Itoa(counts[f.Of]), ID: f.ID, Pos: f.Pos(), ByAuthor: true}
		if caption != nil {
			l.Title = strings.TrimSpace(p.page.PlainText(caption))
		}
		p.addLabel(f.ID, l)
	}
	p.numberEquations()
}

// addLabel adds a label, unless it exists: references lead to the first.
func (p *pageParser) addLabel(name string, l site.Label) bool {
	if _, taken := p.page.Labels[name]; taken {
		return false
	}
	p.page.Labels[name] = l
	if _, taken := p.page.LabelByAnchor[l.ID]; l.ID != name && !taken {
		if p.page.LabelByAnchor == nil {
			p.page.LabelByAnchor = map[string]string{}
		}
		p.page.LabelByAnchor[l.ID] = name
	}
	return true
}

// anchorOf derives an id from a label. A blank would end it in an address.
func anchorOf(label string) string { return strings.Join(strings.Fields(label), "-") }

// numberEquations numbers the equations of the page as LaTeX does.
func (p *pageParser) numberEquations() {
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

// rowLabels sets the anchors of the labels in a row.
func (p *pageParser) rowLabels(r *markdown.Row) {
	number := r.Number
	if number == "" {
		number = r.Tag
	}
	for i := range r.Labels {
		l := &r.Labels[i]
		if number == "" {
			p.diags.Add(p.file.Warning(l.Start, l.Stop, diag.Say("links.equation-label-no-number", "name", l.Name), diag.Say("links.equation-label-no-number-hint")))
			continue
		}
		id := p.uniqueID(anchorOf(l.Name))
		if !p.addLabel(l.Name, site.Label{Kind: markdown.Equation, Number: number, ID: id, Pos: l.Start, ByAuthor: true}) {
			p.diags.Add(p.file.Warning(l.Start, l.Stop, diag.Say("links.label-stands-twice", "name", l.Name), diag.Say("links.label-stands-twice-hint")))
			continue
		}
		l.ID = id
		p.page.Anchors[id] = true
	}
}

// recordAnchorLabel records a label that follows nothing with a number. References lead to its
// position.
func (p *pageParser) recordAnchorLabel(d *d2l.Directive) {
	if d.Placed || d.Name != "label" {
		return
	}
	d.Argument = anchorOf(d.Argument)
	p.recordID(d.Argument, d.Start, func(id string) { d.Argument = id })
	p.addLabel(d.Argument, site.Label{ID: d.Argument, Pos: d.Start, ByAuthor: true})
}

// addHeadingLabel adds a heading as a target of references.
func (p *pageParser) addHeadingLabel(n *ast.Heading, id, title string) {
	p.addLabel(id, site.Label{Kind: markdown.Section, Title: title, ID: id, Pos: n.Pos(), ByAuthor: p.authorIDs[n]})
}
