package typography

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// NewTextRenderer returns a renderer of text.
func NewTextRenderer() *TextRenderer { return &TextRenderer{html.NewConfig()} }

// A TextRenderer writes text with its glyphs. It accepts goldmark's own options: XHTML, hard wraps.
type TextRenderer struct{ html.Config }

// RegisterFuncs implements renderer.NodeRenderer.
func (r *TextRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindText, r.text)
}

// text writes text as goldmark does, with the glyphs of smart punctuation.
func (r *TextRenderer) text(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Text)
	if n.IsRaw() {
		r.Writer.RawWrite(w, n.Segment.Value(source))
	} else {
		markdown.Typeset(markdown.Glyphs(n.OwnerDocument()), n.Segment, source, func(b []byte) { r.Writer.Write(w, b) },
			func(s string) { _, _ = w.WriteString(s) })
	}
	switch {
	case n.HardLineBreak() || (n.SoftLineBreak() && r.HardWraps):
		if r.XHTML {
			_, _ = w.WriteString("<br />\n")
		} else {
			_, _ = w.WriteString("<br>\n")
		}
	case n.SoftLineBreak():
		_ = w.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}
