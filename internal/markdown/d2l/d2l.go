// Package d2l reads the dialect of d2lbook, https://book.d2l.ai/user/markdown.html.
//
// Three transformers run one after the other: labels and sizes move to what they belong to
// (placement.go), code for several frameworks becomes tabs (fence.go), and fences that list pages
// become lists of contents (toc.go).
package d2l

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Syntax is the dialect of d2lbook, https://book.d2l.ai/user/markdown.html.
var Syntax = markdown.Syntax{
	Dialect: markdown.D2L,
	Forms:   forms,
	Parsers: func(o markdown.Options) []parser.Option {
		return []parser.Option{
			parser.WithBlockParsers(util.Prioritized(tabBlocks{}, 90)), // before goldmark's own
			parser.WithInlineParsers( // before code spans (100) and links (200)
				util.Prioritized(directives{}, 80),
				util.Prioritized(slideMarks{}, 80),
			),
			parser.WithASTTransformers( // in this order, before footnotes (999) are moved
				util.Prioritized(placement{}, 500),
				util.Prioritized(frameworks{o.Run}, 510),
				util.Prioritized(tocFences{}, 520),
			),
		}
	},
	HTML: markdown.HTML{KindDirective: markdown.WriteNothing, KindSlideMark: markdown.WriteNothing},
}

// warn reports a mistake in a directive.
func warn(pc parser.Context, at markdown.Span, message, hint diag.Text) {
	markdown.Report(pc, markdown.Fault{Span: at, Rule: "directive", Message: message, Hint: hint})
}
