package commonmark

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// lineBreaks drops the blanks before a hard line break, as CommonMark requires (examples 226
// and 635). goldmark leaves some with GFM's autolinks, whose parser is called at every blank and
// splits the text there.
type lineBreaks struct{}

// Transform implements parser.ASTTransformer.
func (lineBreaks) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, t := range markdown.Find[*ast.Text](doc) {
		before, ok := t.PreviousSibling().(*ast.Text)
		if ok && t.HardLineBreak() && t.Segment.Len() == 0 && !before.SoftLineBreak() && !before.HardLineBreak() {
			before.Segment = before.Segment.TrimRightSpace(reader.Source())
		}
	}
}
