package markdown

import (
	"sort"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Glyph is the text that is shown for a part of the source.
type Glyph struct {
	Span
	Text string
}

const glyphsKey = "gpudocs.glyphs"

// Glyphs returns the glyphs of a page, in the order of the source. There are none without smart
// punctuation.
func Glyphs(doc *ast.Document) []Glyph {
	if doc == nil {
		return nil
	}
	list, _ := doc.Meta()[glyphsKey].([]Glyph)
	return list
}

// SetGlyphs sets the glyphs of a page, in the order of the source.
func SetGlyphs(doc *ast.Document, list []Glyph) { doc.AddMeta(glyphsKey, list) }

// Typeset calls glyph for each glyph in a text, and show for the parts between them.
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
