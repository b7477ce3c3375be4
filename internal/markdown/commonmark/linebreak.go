package commonmark

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lineBreakFeature drops the blanks before a hard line break, as CommonMark requires (examples 226
// and 635). goldmark leaves some with GFM's autolinks, whose parser is called at every blank and
// splits the text there.
type lineBreakFeature struct{}

// Extend implements goldmark.Extender.
func (f lineBreakFeature) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(f, 50)))
}

// Transform implements parser.ASTTransformer.
func (lineBreakFeature) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, ok := n.(*ast.Text)
		if !ok || !entering || !t.HardLineBreak() || t.Segment.Len() > 0 {
			return ast.WalkContinue, nil
		}
		if before, ok := t.PreviousSibling().(*ast.Text); ok && !before.SoftLineBreak() && !before.HardLineBreak() {
			before.Segment = before.Segment.TrimRightSpace(reader.Source())
		}
		return ast.WalkContinue, nil
	})
}
