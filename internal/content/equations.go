package content

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// equations are the numbered equations of a page, by label.
type equations map[string]Equation

// An Equation is what a reference to one leads to.
type Equation struct {
	// Number is as it is shown there, in parentheses or not, or question marks.
	Number string
	// ID is the anchor, and empty where the page has no such label.
	ID string
}

// Equation returns what a reference of the page leads to.
func (p *Page) Equation(n *markdown.Reference) Equation { return p.equations[n] }

// number numbers the equations of the page as LaTeX does, and fills in the references.
func (p *pageParser) number(refs []*markdown.Reference) {
	known := equations{}
	last := 0
	for _, f := range p.page.Formulas {
		for i := range f.Rows {
			r := &f.Rows[i]
			if f.Display && r.Counted() {
				last++
				r.Number = strconv.Itoa(last)
			}
			p.labels(r, known)
		}
	}
	names := slices.Sorted(maps.Keys(known))
	for _, f := range p.page.Formulas {
		for i := range f.References {
			r := &f.References[i]
			r.Number = p.refer(known, names, r.Label, r.Span, r.Parentheses).Number
		}
	}
	p.page.equations = map[*markdown.Reference]Equation{}
	for _, n := range refs {
		p.page.equations[n] = p.refer(known, names, strings.TrimPrefix(n.Destination, "#"), n.Span, n.Parentheses)
	}
}

// labels gives the labels of a row their anchors.
func (p *pageParser) labels(r *markdown.Row, known equations) {
	number := r.Number
	if number == "" {
		number = r.Tag
	}
	for i := range r.Labels {
		l := &r.Labels[i]
		switch _, twice := known[l.Name]; {
		case twice:
			p.diags.Add(p.file.Warning(l.Start, l.Stop, fmt.Sprintf("the label %q stands twice in this page", l.Name), "references lead to the first"))
		case number == "":
			p.diags.Add(p.file.Warning(l.Start, l.Stop, fmt.Sprintf("the equation with the label %q has no number", l.Name), "make it a block of its own, without \\notag"))
		default:
			l.ID = p.uniqueID(strings.Join(strings.Fields(l.Name), "-"))
			p.page.anchors[l.ID] = true
			known[l.Name] = Equation{number, l.ID}
		}
	}
}

// refer returns what stands for a reference.
func (p *pageParser) refer(known equations, names []string, label string, at markdown.Span, parentheses bool) Equation {
	e, ok := known[label]
	if !ok {
		p.diags.Add(p.file.Warning(at.Start, at.Stop, fmt.Sprintf("no equation of this page has the label %q", label),
			diag.DidYouMean(label, names, `write \label{`+label+`} into the equation`)))
		e.Number = "??"
	}
	if parentheses {
		e.Number = "(" + e.Number + ")"
	}
	return e
}
