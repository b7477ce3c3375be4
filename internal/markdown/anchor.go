package markdown

import "github.com/yuin/goldmark/ast"

// An Anchor is a place in the text that references on any page can name: a label that belongs to
// nothing which has an id. It shows nothing. In a heading it is another label of the heading.
type Anchor struct {
	InlineNode
	Name string
	Span
}

// A Bibliography is the place of the list of works that the page cites.
type Bibliography struct {
	InlineNode
	Span
}

// Kinds of the nodes above.
var (
	KindAnchor       = ast.NewNodeKind("GpudocsAnchor")
	KindBibliography = ast.NewNodeKind("GpudocsBibliography")
)

// Kind implements ast.Node.
func (*Anchor) Kind() ast.NodeKind { return KindAnchor }

// Kind implements ast.Node.
func (*Bibliography) Kind() ast.NodeKind { return KindBibliography }
