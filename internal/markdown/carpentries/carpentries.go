// Package carpentries reads the dialect of the Carpentries' lessons, https://carpentries.github.io/sandpaper-docs/.
package carpentries

import (
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of the Carpentries' lessons.
var Syntax = markdown.Syntax{
	Parsers: func(markdown.Options) []parser.Option { return nil },
}
