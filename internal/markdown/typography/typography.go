// Package typography finds the typographic forms of punctuation in the language of the page:
// quotation marks, dashes, ellipses.
package typography

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is smart punctuation, for pages that enable it.
var Syntax = markdown.Syntax{Parsers: func(o markdown.Options) []parser.Option {
	if !o.Smart {
		return nil
	}
	return []parser.Option{parser.WithASTTransformers(util.Prioritized(punctuation{o.Language}, 1200))} // after all others
}}

// punctuation is smart punctuation:
//
//	"so" and 'so'   the quotation marks of the page's language
//	d'água, '90s    an apostrophe
//	1 -- 2, a---b   an en dash, an em dash
//	...             an ellipsis
//
// The tree is not changed, because ids, references and translations depend on it. The glyphs are a
// list beside it, by offset, which the renderer of text uses. goldmark's typographer inserts nodes
// without an offset into the tree, and does not support nesting.
type punctuation struct{ language string }

// Transform implements parser.ASTTransformer.
func (f punctuation) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	t := typesetter{source: reader.Source(), marks: marksOf(f.language)}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || n.FirstChild() == nil || n.FirstChild().Type() != ast.TypeInline {
			return ast.WalkContinue, nil
		}
		t.block(n)
		return ast.WalkSkipChildren, nil
	})
	if len(t.glyphs) > 0 {
		slices.SortFunc(t.glyphs, func(a, b markdown.Glyph) int { return cmp.Compare(a.Start, b.Start) }) // footnotes were moved
		markdown.SetGlyphs(doc, t.glyphs)
	}
}

// A quotation is a pair of marks.
type quotation struct{ open, closing string }

// quotations are the marks of a language, the outermost first. single are those for 'so'.
type quotations struct {
	double []quotation
	single quotation
}

var (
	english    = quotations{[]quotation{{"“", "”"}, {"‘", "’"}}, quotation{"‘", "’"}}
	angular    = quotations{[]quotation{{"«", "»"}, {"“", "”"}, {"‘", "’"}}, quotation{"‘", "’"}}
	byLanguage = map[string]quotations{"en": english, "pt": english, "es": angular}
)

// marksOf returns the marks of the languages of the interface. Spanish has « » outermost, then “ ”,
// then ‘ ’, as the academies recommend: https://www.rae.es/ortografía/las-comillas. pt is Brazilian
// Portuguese with “ ”; pt-pt has « », as Portuguese style guides recommend. Quotes of other
// languages stay as typed.
func marksOf(language string) quotations {
	if language == "pt-pt" {
		return angular
	}
	code, _, _ := strings.Cut(language, "-")
	return byLanguage[code]
}

// mark returns the mark for a quote of a depth.
func (m quotations) mark(c rune, depth int, closing bool) string {
	q := m.single
	if c == '"' && len(m.double) > 0 {
		q = m.double[depth%len(m.double)]
	}
	if closing {
		return q.closing
	}
	return q.open
}
