package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A Grid shows its children beside each other, as far as the window has room: columns, cards.
type Grid struct {
	BlockNode
	// Columns is how many are in a row at most. If it is 0, as many as fit.
	Columns int
}

// A Card is a box in a [Grid] or in the text.
type Card struct {
	BlockNode
	// Plain leaves out the box: it is a column of text.
	Plain bool
	// Twelfths is the width that it takes of its grid, or 0 for that of a column.
	Twelfths int
	// Linked makes the link in the title cover the whole card.
	Linked bool
}

// A CardPart is the title, the header or the footer of a [Card]. It contains blocks.
type CardPart struct {
	BlockNode
	// Name is "title", "header" or "footer".
	Name string
}

// Kinds of the nodes above.
var (
	KindGrid     = ast.NewNodeKind("GpudocsGrid")
	KindCard     = ast.NewNodeKind("GpudocsCard")
	KindCardPart = ast.NewNodeKind("GpudocsCardPart")
)

// Kind implements ast.Node.
func (*Grid) Kind() ast.NodeKind { return KindGrid }

// Kind implements ast.Node.
func (*Card) Kind() ast.NodeKind { return KindCard }

// Kind implements ast.Node.
func (*CardPart) Kind() ast.NodeKind { return KindCardPart }

// Title returns the title of the card, or nil.
func (n *Card) Title() ast.Node {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if part, ok := c.(*CardPart); ok && part.Name == "title" {
			return part
		}
	}
	return nil
}

// TermID returns the id of a term in a glossary, and its label. Case does not matter in references.
func TermID(term string) string {
	return "term-" + strings.Join(strings.Fields(strings.ToLower(term)), "-")
}
