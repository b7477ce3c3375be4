package content

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// terminal takes the HTML out of a block that FastAPI's pages show as a terminal:
// without their script a reader would see the tags.
func (p *pageParser) terminal(n *ast.FencedCodeBlock, f *Fence) {
	if f.Block == nil && f.Expect == nil && p.page.Dialects.Has(markdown.MkDocs) && markdown.InTerminal(n, p.file.Data) {
		f.Code = markdown.TerminalText(f.Code)
	}
}
