// Package quarto reads the dialect of Quarto, https://quarto.org/docs/authoring/markdown-basics.html. What pandoc
// reads is in package pandoc; here are the meanings of divs (div.go), references (reference.go) and
// shortcodes (shortcode.go).
package quarto

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
)

// Syntax is the dialect of Quarto.
var Syntax = markdown.Syntax{
	Dialect:   markdown.Quarto,
	Alone:     true,
	Extension: ".qmd",
	Forms:     forms,
	Parsers: func(o markdown.Options) []parser.Option {
		return append(pandoc.Parsers(div),
			parser.WithBlockParsers(util.Prioritized(pageBreaks, 70)),
			parser.WithInlineParsers(
				util.Prioritized(shortcodeParser{}, 75),
				util.Prioritized(referenceParser{citations: o.Citations}, 75), // before citations (80)
			))
	},
	HTML: markdown.HTML{markdown.KindMarked: markdown.WriteMarked},
}
