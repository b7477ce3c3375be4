package page

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// numberBlocks numbers the figures and statements of the page, and adds their labels and those of
// tabs, cards and terms. It also joins exercises and their solutions.
func numberBlocks(p *site.Page, blocks []ast.Node) (numbers map[ast.Node]int, diags diag.List) {
	numbers = map[ast.Node]int{}
	var e exercises
	counts := map[markdown.Numbered]int{}
	for _, n := range blocks {
		if c, ok := n.(*markdown.Callout); ok {
			e.add(p, c)
		}
		l := site.Label{ID: markdown.ID(n), Pos: n.Pos(), ByAuthor: !rawhtml.ReservedID(markdown.ID(n))}
		title, counted := n, false
		switch n := n.(type) {
		case *markdown.Figure:
			l.Kind, l.ID, title = n.Of, n.ID, captionOf(n.LastChild(), markdown.KindCaption)
			counted = title != nil || n.ID != ""
		case *markdown.Callout:
			title, counted = captionOf(n.FirstChild(), markdown.KindCalloutTitle), n.Counted
			if n.Statement {
				l.Kind = markdown.Numbered(n.Name)
			}
			if n.Name == markdown.Solution {
				title = nil // it may give the solution away
			}
		case *markdown.Tab:
			title = captionOf(n.FirstChild(), markdown.KindTabTitle)
		case *markdown.Card:
			title = n.Title()
		case *markdown.Tabs, *markdown.Grid:
			title = nil
		}
		if counted {
			counts[l.Kind]++
			numbers[n] = counts[l.Kind]
			l.Number = strconv.Itoa(counts[l.Kind])
		}
		if l.ID == "" {
			continue
		}
		if title != nil {
			l.Title = strings.TrimSpace(p.PlainText(title))
		}
		addLabel(p, l.ID, l)
	}
	return numbers, e.join(p)
}

// captionOf returns a child of a block if it is of the kind of a caption or title.
func captionOf(child ast.Node, kind ast.NodeKind) ast.Node {
	if child != nil && child.Kind() == kind {
		return child
	}
	return nil
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
			diags.Add(p.Source.Warning(l.Start, l.Stop, diag.Say("links.equation-unnumbered", "name", l.Name)))
		case taken:
			diags.Add(p.Source.Warning(l.Start, l.Stop, diag.Say("links.label-duplicate", "name", l.Name)))
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
