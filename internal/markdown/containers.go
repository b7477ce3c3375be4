package markdown

import "github.com/yuin/goldmark/ast"

// A Container is a block between two lines of marks without a more specific node: :::machines.
type Container struct {
	BlockNode
	// Name is the word after the marks, in lower case.
	Name string
	// Title is the text after the name, without the attributes in braces.
	Title Span
	// Tag is the opening tag of the Element that shows it, if there is one.
	Tag, Element string
	// Opening and Closing are the extents of the marks with the rest of their lines.
	Opening, Closing Span
}

// KindContainer is the kind of [Container].
var KindContainer = ast.NewNodeKind("GpudocsContainer")

// KindCell is the kind of a cell of a notebook while its page is parsed.
var KindCell = ast.NewNodeKind("GpudocsCell")

// Kind implements ast.Node.
func (*Container) Kind() ast.NodeKind { return KindContainer }
