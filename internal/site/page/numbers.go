package page

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// numberFigures numbers the figures of the page, and adds their labels.
func numberFigures(p *site.Page, figures []*markdown.Figure) (numbers map[*markdown.Figure]int) {
	numbers = map[*markdown.Figure]int{}
	counts := map[markdown.Numbered]int{}
	for _, f := range figures {
		caption, _ := f.LastChild().(*markdown.Caption)
		if caption == nil && f.ID == "" {
			continue
		}
		counts[f.Of]++
		numbers[f] = counts[f.Of]
		if f.ID == "" {
			continue
		}
		l := site.Label{Kind: f.Of, Number: strconv.Itoa(counts[f.Of]), ID: f.ID, Pos: f.Pos(), ByAuthor: true}
		if caption != nil {
			l.Title = strings.TrimSpace(p.PlainText(caption))
		}
		addLabel(p, f.ID, l)
	}
	return numbers
}

// numberEquations numbers the equations of the page as LaTeX does, and adds their labels.
func numberEquations(p *site.Page, ids *ids) (diags diag.List) {
	last := 0
	for _, f := range p.Formulas {
		for i := range f.Rows {
			r := &f.Rows[i]
			if f.Display && r.Counted() {
				last++
				r.Number = strconv.Itoa(last)
			}
			diags.Add(addRowLabels(p, ids, r)...)
		}
	}
	return diags
}

// addRowLabels adds the labels in a row of an equation, and sets their ids.
func addRowLabels(p *site.Page, ids *ids, r *markdown.Row) (diags diag.List) {
	number := cmp.Or(r.Number, r.Tag)
	for i := range r.Labels {
		l := &r.Labels[i]
		_, taken := p.Labels[l.Name]
		switch {
		case number == "":
			diags.Add(p.Source.Warning(l.Start, l.Stop, diag.Say("links.equation-unnumbered", "name", l.Name), diag.Say("links.equation-unnumbered-hint")))
		case taken:
			diags.Add(p.Source.Warning(l.Start, l.Stop, diag.Say("links.label-duplicate", "name", l.Name), diag.Say("links.label-duplicate-hint")))
		default:
			l.ID = ids.derive(anchorOf(l.Name))
			addLabel(p, l.Name, site.Label{Kind: markdown.Equation, Number: number, ID: l.ID, Pos: l.Start, ByAuthor: true})
		}
	}
	return diags
}

// addLabel adds a label, unless the page has it: references lead to the first.
func addLabel(p *site.Page, name string, l site.Label) {
	if _, taken := p.Labels[name]; taken {
		return
	}
	p.Labels[name] = l
	if _, taken := p.LabelByAnchor[l.ID]; l.ID != name && !taken {
		if p.LabelByAnchor == nil {
			p.LabelByAnchor = map[string]string{}
		}
		p.LabelByAnchor[l.ID] = name
	}
}

// anchorOf derives an id from a label. A blank would end it in an address.
func anchorOf(label string) string { return strings.Join(strings.Fields(label), "-") }
