package markdown

import (
	"bufio"
	"bytes"
	"cmp"
	stdhtml "html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
)

// TextOptions control the form in which [Text] returns a text.
type TextOptions struct {
	// Glyphs replace punctuation; see [Glyphs].
	Glyphs []Glyph
	// Written keeps formulas as TeX and emoji as their codes.
	Written bool
	// Formula returns the formula to write instead of a formula. If nil, formulas are not replaced.
	Formula func(*Formula) *Formula
	// Reference returns the text of a reference. If nil, references are left out.
	Reference func(*Reference) string
	// Other returns the text of other nodes, which depends on the rest of the site. If nil, they are left out.
	Other func(ast.Node) string
}

// Text returns the text of a node without its markup. An image is left out, unless the node is an
// image itself: then its description is returned.
func Text(n ast.Node, source []byte, o TextOptions) string {
	var b strings.Builder
	_, describes := n.(*ast.Image)
	show := func(value []byte) { b.WriteString(Unescape(value)) }
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			if c.IsRaw() { // in a code span
				b.Write(c.Segment.Value(source))
			} else {
				Typeset(o.Glyphs, c.Segment, source, show, func(s string) { b.WriteString(s) })
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(source))
		case *Math:
			f := &c.Formula
			if o.Formula != nil {
				f = o.Formula(f)
			}
			tex := f.Plain
			if o.Written {
				tex = f.Typeset
			}
			b.WriteString(strings.TrimSpace(tex()))
		case Texter:
			b.WriteString(c.PlainText(o.Written))
		case *Reference:
			if o.Reference != nil {
				b.WriteString(o.Reference(c))
			}
		case *Embed: // a note in a heading is a link to it
			if !o.Written && MediumOf(c.File) == NoteMedium {
				b.WriteString(cmp.Or(c.Alt, c.File, c.Subpath()))
			}
		case *ast.Image:
			if !describes {
				return ast.WalkSkipChildren, nil
			}
		default:
			if o.Other != nil {
				b.WriteString(o.Other(c))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// Unescape resolves the backslash escapes and the entities of a text.
func Unescape(text []byte) string {
	if !bytes.ContainsAny(text, "\\&\x00") {
		return string(text)
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	html.DefaultWriter.Write(w, text)
	_ = w.Flush() // into memory
	return stdhtml.UnescapeString(b.String())
}

// RawHTML returns the HTML of a node as the author wrote it, or nothing if the node is not HTML.
func RawHTML(n ast.Node, source []byte) []byte {
	var b bytes.Buffer
	switch n := n.(type) {
	case *Container:
		b.WriteString(n.Tag)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.Write(s.Value(source))
		}
	case *ast.HTMLBlock:
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			b.Write(s.Value(source))
		}
		if n.HasClosure() {
			b.Write(n.ClosureLine.Value(source))
		}
	}
	return b.Bytes()
}
