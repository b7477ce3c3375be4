package markdown

import "github.com/yuin/goldmark/ast"

// An Element is an HTML element that its author marked as containing Markdown: <div markdown>,
// <details markdown="1">. Its first child is the opening tag and its last the closing one, both
// HTML blocks; see https://python-markdown.github.io/extensions/md_in_html/.
type Element struct {
	BlockNode
	// Name is the name in its tags.
	Name string
}

// KindElement is the kind of [Element].
var KindElement = ast.NewNodeKind("GpudocsElement")

// Kind implements ast.Node.
func (*Element) Kind() ast.NodeKind { return KindElement }
