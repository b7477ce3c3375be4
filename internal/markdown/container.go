package markdown

import "github.com/yuin/goldmark/ast"

// A Container is a block between two lines of marks that has no node of its own:
// :::machines, /// html.
type Container struct {
	ast.BaseBlock
	// Name is what follows the marks, in lower case.
	Name string
	// Title is what stands behind the name, without the attributes in braces.
	Title Span
	// Tag opens the Element of /// html, if it names one.
	Tag, Element string
	// Opening and Closing are the extents of the marks and what is on their lines.
	Opening, Closing Span
}

// KindContainer is the kind of [Container].
var KindContainer = ast.NewNodeKind("GpudocsContainer")

// Kind implements ast.Node.
func (*Container) Kind() ast.NodeKind { return KindContainer }

// Dump implements ast.Node.
func (n *Container) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}
