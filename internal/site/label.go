package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Figures, tables, listings, theorems and equations are numbered page by page, each kind separately. Pages of
// documentation are read one at a time and found by search. Numbers across the site would change on
// all pages after a new figure, and would differ between languages that are not fully translated.

// A Label is a possible target of a reference: a numbered element or a heading.
type Label struct {
	Kind markdown.Numbered
	// Number is empty for a section and for an element without a number.
	Number string
	// Title is the heading's text, or the caption.
	Title string
	// ID is the element's anchor on its page.
	ID string

	Pos int
	// ByAuthor is set if the author wrote the label.
	ByAuthor bool
}

// Number returns the number of a figure or a statement, or 0 if it is not counted.
func (p *Page) Number(n ast.Node) int {
	if len(p.Numbers) == 0 {
		return 0
	}
	return p.Numbers[p.nodeNumber(n)]
}

// A ResolvedReference is the target of a [markdown.Reference].
type ResolvedReference struct {
	Label
	Target Target
	// OnOtherPage is set if the target is not on the page of the reference.
	OnOtherPage bool
}

// Reference returns what a reference of the page leads to. Its Target is missing if nothing was
// found.
func (l *Links) Reference(n *markdown.Reference) ResolvedReference {
	return l.ResolvedReferences[l.Page.nodeNumber(n)]
}

// LabelAt returns the label of an anchor.
func (p *Page) LabelAt(id string) Label {
	if l, ok := p.Labels[id]; ok && l.ID == id {
		return l
	}
	if name, ok := p.LabelByAnchor[id]; ok {
		return p.Labels[name]
	}
	return Label{ID: id}
}

// Formula returns a formula of the page with the numbers of the equations that it refers to.
func (l *Links) Formula(f *markdown.Formula) *markdown.Formula {
	if len(f.References) == 0 {
		return f
	}
	numbered := *f
	numbered.References = slices.Clone(f.References)
	for i := range numbered.References {
		r := &numbered.References[i]
		r.Number = cmp.Or(l.EquationNumbers[r.Start], r.Number)
	}
	return &numbered
}

// referenceText returns the text of a reference in a heading, as far as the page alone determines
// it: other pages are not known yet.
func (p *Page) referenceText(n *markdown.Reference) string {
	l := p.Labels[strings.TrimLeft(n.Destination, ":#")]
	switch {
	case l.Number == "":
		return l.Title
	case n.Parentheses:
		return "(" + l.Number + ")"
	}
	return l.Number
}
