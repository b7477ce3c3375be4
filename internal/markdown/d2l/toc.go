package d2l

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// tocFences reads toc fences, and of eval_rst fences what Markdown can express: a toctree, and raw
// HTML.
type tocFences struct{}

// Transform implements parser.ASTTransformer.
func (tocFences) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	for _, f := range markdown.Find[*ast.FencedCodeBlock](doc) {
		switch string(f.Language(source)) {
		case "toc":
			f.Parent().ReplaceChild(f.Parent(), f, contents(f, 0, source))
		case "eval_rst":
			restructuredText(f, source, pc)
		}
	}
}

// contents reads the lines of a list from the given one on:
//
//	```toc
//	:maxdepth: 2
//
//	chapter/index
//	other
//	```
func contents(f *ast.FencedCodeBlock, from int, source []byte) *markdown.Contents {
	n := &markdown.Contents{Opening: markdown.Span{Start: f.Info.Segment.Start, Stop: f.Info.Segment.Stop}}
	n.SetPos(f.Pos())
	n.SetBlankPreviousLines(f.HasBlankPreviousLines())
	for i := from; i < f.Lines().Len(); i++ {
		s := f.Lines().At(i)
		if option := bytes.HasPrefix(bytes.TrimSpace(s.Value(source)), []byte(":")); !option {
			n.AddLine(s, source)
		}
	}
	return n
}

var rstDirective = lazyregexp.New(`^\.\. ([a-z]+)::[ \t]*(\S*)`)

// restructuredText reads a fence of reStructuredText. What Markdown cannot express is shown as code.
func restructuredText(f *ast.FencedCodeBlock, source []byte, pc parser.Context) {
	for i := range f.Lines().Len() {
		s := f.Lines().At(i)
		line := bytes.TrimSpace(s.Value(source))
		if len(line) == 0 {
			continue
		}
		m := rstDirective.FindSubmatch(line)
		switch {
		case m != nil && string(m[1]) == "toctree":
			f.Parent().ReplaceChild(f.Parent(), f, contents(f, i+1, source))
			return
		case m != nil && string(m[1]) == "raw" && string(m[2]) == "html":
			html := ast.NewHTMLBlock(ast.HTMLBlockType6)
			html.SetPos(f.Pos())
			lines := text.NewSegments()
			lines.AppendAll(f.Lines().Sliced(i+1, f.Lines().Len()))
			html.SetLines(lines)
			f.Parent().ReplaceChild(f.Parent(), f, html)
			return
		}
		warn(pc, markdown.Span{Start: s.Start, Stop: s.Start + len(line)},
			diag.Say("markdown.restructuredtext-unsupported"), diag.Say("markdown.restructuredtext-unsupported-hint"))
		return
	}
}
