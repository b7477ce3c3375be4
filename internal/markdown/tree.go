package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Replace replaces a block by another, which gets the position and, after its own, the children of
// the old one.
func Replace(old, block ast.Node) {
	block.SetPos(old.Pos())
	block.(interface{ SetBlankPreviousLines(bool) }).SetBlankPreviousLines(old.HasBlankPreviousLines())
	for c := old.FirstChild(); c != nil; c = old.FirstChild() {
		block.AppendChild(block, c)
	}
	old.Parent().ReplaceChild(old.Parent(), old, block)
}

// Within reports whether a node has an ancestor of a kind.
func Within(n ast.Node, kind ast.NodeKind) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == kind {
			return true
		}
	}
	return false
}

// TextBlock returns the text of a paragraph as a block without <p>.
func TextBlock(paragraph ast.Node) ast.Node {
	if paragraph.Kind() == ast.KindTextBlock {
		return paragraph
	}
	t := ast.NewTextBlock()
	t.SetPos(paragraph.Pos())
	t.SetLines(paragraph.Lines())
	for c := paragraph.FirstChild(); c != nil; c = paragraph.FirstChild() {
		t.AppendChild(t, c)
	}
	return t
}

// TrimmedLines returns lines without the blanks at their beginnings and at the end of the last,
// like goldmark's lines of a paragraph.
func TrimmedLines(lines *text.Segments, source []byte) *text.Segments {
	out := text.NewSegments()
	for i := range lines.Len() {
		l := lines.At(i)
		l = l.TrimLeftSpace(source)
		if i == lines.Len()-1 {
			l = l.TrimRightSpace(source)
		}
		if !l.IsEmpty() { // goldmark cannot read empty lines
			out.Append(l)
		}
	}
	return out
}
