// Package formula reads math: $...$ and \(...\) in a line of text, $$...$$, \[...\],
// the environments of AMS and ```math as blocks.
package formula

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is math in every page.
var Syntax = markdown.Syntax{Extensions: func(markdown.Options) []goldmark.Extender { return []goldmark.Extender{math{}} }}

// math is the feature.
type math struct{}

// Extend implements goldmark.Extender. Math stands before the parsers of emphasis and links,
// because TeX is full of their characters.
func (math) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(
		parser.WithInlineParsers(util.Prioritized(mathParser{}, 90)),
		parser.WithBlockParsers(util.Prioritized(mathBlockParser{}, 95)),
		parser.WithASTTransformers(util.Prioritized(mathFences{}, 500)),
	)
}
