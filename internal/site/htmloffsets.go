package site

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// HTMLOffsets translates offsets in the text of raw HTML to offsets in the page. Calls of
// [HTMLOffsets.At] must be in increasing order.
type HTMLOffsets struct {
	pos    int // of the node
	lines  []text.Segment
	before int // length of the text before the first of the lines
}

// NewHTMLOffsets returns the offsets of a node with raw HTML.
func NewHTMLOffsets(n ast.Node) *HTMLOffsets {
	p := &HTMLOffsets{pos: n.Pos()}
	switch n := n.(type) {
	case *ast.RawHTML:
		p.lines = n.Segments.Sliced(0, n.Segments.Len())
	case *ast.HTMLBlock:
		p.lines = n.Lines().Sliced(0, n.Lines().Len())
		if n.HasClosure() {
			p.lines = append(slices.Clip(p.lines), n.ClosureLine)
		}
	}
	return p // a container's tag is generated
}

// At returns the offset in the page of an offset in the HTML.
func (p *HTMLOffsets) At(offset int) int {
	for len(p.lines) > 0 {
		s := p.lines[0]
		size := s.Padding + s.Len()
		if offset < p.before+size || len(p.lines) == 1 {
			return s.Start + max(0, offset-p.before-s.Padding)
		}
		p.before += size
		p.lines = p.lines[1:]
	}
	return p.pos
}
