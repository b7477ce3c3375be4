// Package quarto reads the dialect of Quarto, https://quarto.org/docs/authoring/markdown-basics.html.
package quarto

import (
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of Quarto.
var Syntax = markdown.Syntax{
	Parsers: func(markdown.Options) []parser.Option { return nil },
}
