// Package d2l reads the dialect of d2lbook, https://book.d2l.ai/user/markdown.html.
//
// Three transformers run one after the other: labels and sizes move to what they belong to
// (placement.go), code for several frameworks becomes tabs (fence.go), and fences that list pages
// become lists of contents (toc.go).
package d2l

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of d2lbook, https://book.d2l.ai/user/markdown.html.
var Syntax = markdown.Syntax{
	Extensions: func(o markdown.Options) []goldmark.Extender {
		return []goldmark.Extender{directives{}, tabBlocks{}, slideMarks{}, placement{}, frameworks{o.Run}, tocFences{}}
	},
	HTML: markdown.HTML{KindDirective: writeLabel, KindSlideMark: markdown.WriteNothing},
}

// Priorities of the transformers, in their order. Footnotes are moved to the end at 999.
const (
	placementPriority  = 500
	frameworksPriority = 510
	tocPriority        = 520
)

// blockParsers adds parsers of blocks before all of goldmark's own.
func blockParsers(md goldmark.Markdown, p ...parser.BlockParser) {
	for _, p := range p {
		md.Parser().AddOptions(parser.WithBlockParsers(util.Prioritized(p, 90)))
	}
}

// inlineParsers adds parsers of inlines before those of code spans (100) and links (200).
func inlineParsers(md goldmark.Markdown, p ...parser.InlineParser) {
	for _, p := range p {
		md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(p, 80)))
	}
}

// transform adds a transformer.
func transform(md goldmark.Markdown, t parser.ASTTransformer, priority int) {
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(t, priority)))
}
