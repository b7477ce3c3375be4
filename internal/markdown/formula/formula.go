// Package formula reads math: $...$ and \(...\) in a line of text, $$...$$, \[...\],
// the environments of AMS and ```math as blocks.
package formula

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is math in every page. Its parsers come before those of emphasis and links, because TeX is
// full of their characters.
var Syntax = markdown.Syntax{Parsers: func(o markdown.Options) []parser.Option {
	label := labelForm
	if o.Dialects.Has(markdown.MyST) {
		label = mystLabelForm
	}
	return []parser.Option{
		parser.WithInlineParsers(util.Prioritized(mathParser{dollarsOf(o)}, 90)),
		parser.WithBlockParsers(util.Prioritized(mathBlockParser{label: label}, 95)),
		parser.WithASTTransformers(util.Prioritized(mathFences{}, 500)),
	}
}}
