package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
)

// A Syntax is what a page may be written in beyond CommonMark: a dialect, or what
// every page may use.
type Syntax struct {
	// Extensions are the parsers and what works on the tree, for pages of some options.
	Extensions func(Options) []goldmark.Extender
	// HTML writes the nodes, but for those that only the site knows how to write.
	HTML HTML
}

// A Texter is an inline node that is text by itself and not by its children: it
// stands in titles, in search and in descriptions of images.
type Texter interface {
	ast.Node
	// PlainText returns the text as a reader sees it or, if written is set, as the
	// author typed it; ids of headings are made of the latter.
	PlainText(written bool) string
}

// Options say how a page is read.
type Options struct {
	Dialects Dialect
	// Language is the code of the page's language, for what its typography needs: "pt-br".
	Language string
	// Smart punctuation shows “so” for "so", by the language.
	Smart bool
	// Citations reads [@key]: the site has a bibliography.
	Citations bool
	// Run has what a dialect marks as a notebook's code run: D2L's .input fences.
	Run bool
}
