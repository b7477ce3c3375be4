package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// d2l are the features of d2lbook, https://book.d2l.ai/user/markdown.html.
func d2l(o Options) []goldmark.Extender {
	return []goldmark.Extender{
		directives{},
		tabBlocks{},
		slideMarks{},
		placement{},
		frameworks{o.Run},
		tocFences{},
	}
}

// Priorities of what works on the whole page, in its order: footnotes are moved to
// the end at 999.
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

// transform adds what works on the whole page.
func transform(md goldmark.Markdown, t parser.ASTTransformer, priority int) {
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(t, priority)))
}
