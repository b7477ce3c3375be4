// Package carpentries reads the dialect of the Carpentries' lessons, https://carpentries.github.io/sandpaper-docs/.
// What pandoc reads is in package pandoc; here are the meanings of divs (div.go), and what is left of Jekyll in
// older lessons (jekyll.go).
package carpentries

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
)

// Syntax is the dialect of the Carpentries' lessons.
var Syntax = markdown.Syntax{
	Dialect:   markdown.Carpentries,
	Alone:     true,
	Extension: ".rmd",
	Forms:     forms,
	Parsers: func(markdown.Options) []parser.Option {
		return append(pandoc.Parsers(div),
			parser.WithBlockParsers(util.Prioritized(attributeLines, 70)),
		)
	},
	HTML: markdown.HTML{markdown.KindMarked: markdown.WriteMarked},
}
