package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

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

// New returns what parses a page, to be shared by all pages of the same options.
// The renderer takes the nodes as they are and adds how they are written.
func New(o Options) goldmark.Markdown {
	md := goldmark.New(
		goldmark.WithParser(newParser()),
		goldmark.WithExtensions(extension.GFM, footnotes{}, extension.DefinitionList),
		goldmark.WithParserOptions(
			parser.WithAttribute(),
			parser.WithInlineParsers(
				util.Prioritized(liveParser{}, 90),
				util.Prioritized(embedParser{}, 90), // before the link parser (200), which also takes "!["
			),
		),
	)
	for _, e := range features(o) {
		e.Extend(md)
	}
	return md
}

// features are those that stand in files of their own.
func features(o Options) []goldmark.Extender {
	list := []goldmark.Extender{containers{obsidian: o.Dialects.Has(Obsidian)}, math{}, lineBreakFeature{}, imageFeature{}, figureFeature{}, referenceFeature{}, abbreviationFeature{}, emojiFeature{}}
	if o.Smart {
		list = append(list, punctuationFeature{o.Language})
	}
	if o.Citations {
		list = append(list, citations{})
	}
	if o.Dialects.Has(Obsidian) {
		list = append(list, obsidian(o)...)
	}
	if o.Dialects.Has(D2L) {
		list = append(list, d2l(o)...)
	}
	if o.Dialects.Has(MkDocs) {
		list = append(list, mkdocs(o)...)
	}
	return list
}
