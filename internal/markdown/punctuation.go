package markdown

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// punctuationFeature is smart punctuation: what a typewriter's signs stand for.
//
//	"so" and 'so'   the quotation marks of the page's language
//	d'água, '90s    an apostrophe
//	1 -- 2, a---b   an en dash, an em dash
//	...             an ellipsis
//
// The tree stays as it is written, for ids, references and translations are made
// of it: what is shown in place of a sign is a list beside it, by offset, and the
// renderer of text looks there. goldmark's own typographer puts nodes without an
// offset into the tree, and knows no nesting.
type punctuationFeature struct{ language string }

// Extend implements goldmark.Extender.
func (f punctuationFeature) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(f, 1200))) // when all nodes are in their places
}

// A Glyph is what is shown for a part of the source.
type Glyph struct {
	Span
	Text string
}

const glyphsKey = "gpudocs.glyphs"

// Glyphs are those of a page, in the order of the source. A page that is read
// plainly has none.
func Glyphs(doc *ast.Document) []Glyph {
	if doc == nil {
		return nil
	}
	list, _ := doc.Meta()[glyphsKey].([]Glyph)
	return list
}

// Typeset calls show for the parts of a text between glyphs, and glyph for these.
func Typeset(glyphs []Glyph, s text.Segment, source []byte, show func([]byte), glyph func(string)) {
	i := sort.Search(len(glyphs), func(i int) bool { return glyphs[i].Start >= s.Start })
	for ; i < len(glyphs) && glyphs[i].Stop <= s.Stop; i++ {
		before := s.WithStop(glyphs[i].Start)
		show(before.Value(source))
		glyph(glyphs[i].Text)
		s = text.NewSegment(glyphs[i].Stop, s.Stop)
	}
	show(s.Value(source))
}

// Transform implements parser.ASTTransformer.
func (f punctuationFeature) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	t := typesetter{source: reader.Source(), marks: marksOf(f.language)}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || n.FirstChild() == nil || n.FirstChild().Type() != ast.TypeInline {
			return ast.WalkContinue, nil
		}
		t.block(n)
		return ast.WalkSkipChildren, nil
	})
	if len(t.glyphs) > 0 {
		slices.SortFunc(t.glyphs, func(a, b Glyph) int { return cmp.Compare(a.Start, b.Start) }) // footnotes were moved
		doc.AddMeta(glyphsKey, t.glyphs)
	}
}

// quotation is a pair of marks.
type quotation struct{ open, closing string }

// marks are the quotation marks of a language, the outermost first; single are
// those for 'so'.
type marks struct {
	double []quotation
	single quotation
}

var (
	english    = marks{[]quotation{{"“", "”"}, {"‘", "’"}}, quotation{"‘", "’"}}
	angular    = marks{[]quotation{{"«", "»"}, {"“", "”"}, {"‘", "’"}}, quotation{"‘", "’"}}
	byLanguage = map[string]marks{"en": english, "pt": english, "es": angular}
)

// marksOf knows the languages of the interface. Spanish has « » outermost, then
// “ ”, then ‘ ’, as the academies advise: https://www.rae.es/ortografía/las-comillas.
// Portuguese is that of Brazil, where “ ” are usual; pt-pt has the angular ones, as
// Portugal's style books do. Quotes of another language stay as they are typed.
func marksOf(language string) marks {
	if language == "pt-pt" {
		return angular
	}
	code, _, _ := strings.Cut(language, "-")
	return byLanguage[code]
}

// mark is what stands for a quote of a depth.
func (m marks) mark(c rune, depth int, closing bool) string {
	q := m.single
	if c == '"' && len(m.double) > 0 {
		q = m.double[depth%len(m.double)]
	}
	if closing {
		return q.closing
	}
	return q.open
}
