package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// A Syntax extends CommonMark: a dialect, or what every page may use.
type Syntax struct {
	// Dialect is 0 for what every page may use.
	Dialect Dialect
	// Alone is set if a page has the dialect without others of which this is set.
	Alone bool
	// Extension is that of pages in the dialect, ".qmd", if they have one of their own.
	Extension string
	// Forms are what indicates the dialect in a text.
	Forms []Form
	// Parsers returns the parsers and transformers for pages of some options, with their
	// priorities. The lowest comes first; goldmark's own are in its parser.DefaultBlockParsers,
	// parser.DefaultInlineParsers and extensions.
	Parsers func(Options) []parser.Option
	// HTML writes the nodes, except those that need the site.
	HTML HTML
}

// A Texter is an inline node whose text is not that of its children. The text is used for titles,
// search and descriptions of images.
type Texter interface {
	ast.Node
	// PlainText returns the text as readers see it or, if written is set, as the author typed it.
	// Ids of headings are derived from the latter.
	PlainText(written bool) string
}

// Options control how a page is parsed.
type Options struct {
	Dialects Dialect
	// Language is the code of the page's language, for typography: "pt-br".
	Language string
	// Smart replaces punctuation as is usual in the language: "so" becomes “so”.
	Smart bool
	// Citations enables [@key]. It is set if the site has a bibliography.
	Citations bool
	// Run makes code that a dialect marks as a notebook's runnable: D2L's .input fences.
	Run bool
	// Notebook is set for the pages of notebooks, in which formulas follow MathJax's rules.
	Notebook bool
}
