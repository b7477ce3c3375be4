package figure

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// referenceParser reads a link without text, [](#fig-x) or [](other.md#tab-y), as a
// [markdown.Reference]. A link to another site stays a link.
type referenceParser struct{}

// Trigger implements parser.InlineParser.
func (referenceParser) Trigger() []byte { return []byte{'['} }

// maxAddress bounds an address, because goldmark calls the parser at every bracket.
const maxAddress = 2 << 10

var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*:|//)`)

// Parse implements parser.InlineParser.
func (referenceParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("[](")) {
		return nil
	}
	n := destination(line[3:min(len(line), maxAddress)])
	address, end := line[3:3+n], 3+n
	if n == 0 || end >= len(line) || line[end] != ')' {
		return nil
	}
	if address[0] == '<' {
		address = address[1 : n-1]
	}
	if len(address) == 0 || scheme.Match(address) {
		return nil
	}
	block.Advance(end + 1)
	r := &markdown.Reference{Destination: string(address), Span: markdown.Span{Start: segment.Start, Stop: segment.Start + end + 1}}
	r.SetPos(segment.Start)
	return r
}

// writeReference writes a link without text: only the site knows the number.
func writeReference(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<a href="`)
		_, _ = w.Write(util.EscapeHTML(util.URLEscape([]byte(n.(*markdown.Reference).Destination), true)))
		_, _ = w.WriteString(`"></a>`)
	}
	return ast.WalkContinue, nil
}
