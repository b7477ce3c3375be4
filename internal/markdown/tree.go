package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// BlockNode is the base of the blocks that goldmark does not define, and InlineNode that of inlines.
type (
	BlockNode  struct{ ast.BaseBlock }
	InlineNode struct{ ast.BaseInline }
)

// Dump implements ast.Node. It prints nothing: goldmark uses it for debugging only, and tests compare
// the outlines of package markdowntest.
func (*BlockNode) Dump([]byte, int) {}

// Dump implements ast.Node, like that of [BlockNode].
func (*InlineNode) Dump([]byte, int) {}

// Identify sets the id and the classes that are given on a node, in the form that goldmark uses for headings.
func Identify(n ast.Node, id string, classes []string) {
	if id != "" {
		n.SetAttributeString("id", []byte(id))
	}
	if len(classes) > 0 {
		n.SetAttributeString("class", []byte(strings.Join(classes, " ")))
	}
}

// Replace replaces a block by another, which gets the position and, after its own, the children of
// the old one.
func Replace(old, block ast.Node) {
	block.SetPos(old.Pos())
	block.(interface{ SetBlankPreviousLines(bool) }).SetBlankPreviousLines(old.HasBlankPreviousLines())
	MoveChildren(old, block)
	old.Parent().ReplaceChild(old.Parent(), old, block)
}

// MoveChildren appends the children of a node to those of another.
func MoveChildren(from, to ast.Node) {
	for c := from.FirstChild(); c != nil; c = from.FirstChild() {
		to.AppendChild(to, c)
	}
}

// Find returns the nodes of a type in a tree, in the order of the page.
func Find[T ast.Node](n ast.Node) (list []T) {
	for c := range Nodes(n) {
		if t, ok := c.(T); ok {
			list = append(list, t)
		}
	}
	return list
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
	MoveChildren(paragraph, t)
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
