// Package pandoc reads what the dialects that are written for pandoc share,
// https://pandoc.org/MANUAL.html#pandocs-markdown: fenced divs (div.go), spans and attributes (span.go),
// cells and code with attributes (cell.go, option.go), captions (caption.go).
package pandoc

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Parsers returns the parsers of both dialects. div returns the node that replaces a div.
func Parsers(div func(d *Div) ast.Node) []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(
			util.Prioritized(htmlParser{parser.NewHTMLBlockParser()}, 899),        // before goldmark's (900)
			util.Prioritized(Divs(div), 84),                                       // before figures (85) and containers (90)
			util.Prioritized(fenceParser{parser.NewFencedCodeBlockParser()}, 690), // before goldmark's (700)
		),
		parser.WithInlineParsers(
			util.Prioritized(spanParser{}, 180),     // before links (200)
			util.Prioritized(attributeParser{}, 94), // before those of images (95)
		),
		parser.WithASTTransformers(
			util.Prioritized(spanJoiner{}, 80),
			util.Prioritized(captions{}, 90), // before figures are completed (100)
		),
	}
}

// WarnOnce reports a warning once for each message of a page.
func WarnOnce(pc parser.Context, at markdown.Span, message, hint diag.Text) {
	markdown.ReportOnce(pc, message.String(), markdown.Fault{Span: at, Message: message, Hint: hint})
}
