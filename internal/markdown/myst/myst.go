// Package myst reads the dialect of MyST and Jupyter Book, https://mystmd.org/guide.
package myst

import (
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of MyST and Jupyter Book.
var Syntax = markdown.Syntax{
	Parsers: func(markdown.Options) []parser.Option { return nil },
}
