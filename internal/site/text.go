package site

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// PlainText returns the text of a node as readers see it, without markup: formulas in letters and
// signs.
func (p *Page) PlainText(n ast.Node) string { return OneLine(p.text(n, markdown.TextOptions{})) }

// WrittenText returns the text of a node as it is written: quotes are typed, emoji are their codes
// and formulas TeX. Ids are derived from it as GitHub does.
func (p *Page) WrittenText(n ast.Node) string {
	return strings.TrimSpace(p.text(n, markdown.TextOptions{Written: true}))
}

func (p *Page) text(n ast.Node, o markdown.TextOptions) string {
	if o.Reference == nil {
		o.Reference = p.referenceText
	}
	if !o.Written {
		o.Glyphs = markdown.Glyphs(n.OwnerDocument())
	}
	return markdown.Text(n, p.Source.Data, o)
}

// Text returns the text of a node of the page as readers see it, without markup: formulas in
// letters and signs. Images and values of machines are left out.
func (l *Links) Text(n ast.Node) string { return l.TextWith(n, markdown.TextOptions{}) }

// TextWith is like Text, with the texts of references and other nodes that the options have.
func (l *Links) TextWith(n ast.Node, o markdown.TextOptions) string {
	o.Formula = l.Formula
	return OneLine(l.Page.text(n, o))
}

// OneLine returns a text in the form that titles, lists and feeds need: on one line, without
// control characters and characters that change the text direction. Headings can contain them as
// HTML references.
func OneLine(s string) string {
	if strings.ContainsAny(s, "\n\r\v\f\u0085\u2028\u2029") {
		s = strings.Join(strings.Fields(s), " ")
	}
	for {
		found := invisible.In(s, false)
		if len(found) == 0 {
			return s
		}
		var b strings.Builder
		at := 0
		for _, f := range found {
			b.WriteString(s[at:f.At])
			at = f.At + len(string(f.Rune))
		}
		s = b.String() + s[at:]
	}
}
