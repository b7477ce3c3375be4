package markdown

import "github.com/yuin/goldmark/ast"

// A Fold tells whether a reader can fold a callout.
type Fold int

// The folds: not at all, and folded or open at first.
const (
	NoFold Fold = iota
	Folded
	Unfolded
)

// A Callout is a box in the text: a note, a warning. Its first child is a
// [CalloutTitle] where the author gave a title.
type Callout struct {
	ast.BaseBlock
	// Name is its kind in lower case, as the theme's texts know it: "note", "tip".
	// An author's own kind passes as it is; "details" is a fold and nothing else.
	Name string
	Fold Fold
	// Plain is set where the author wants no title at all: !!! note "".
	Plain bool
	// Opening is the extent of the lines or marks that open it, Closing of those
	// that close it; an empty Closing belongs to a form that needs none.
	Opening, Closing Span
}

// CalloutTitle is the line of text on a callout, with inline children.
type CalloutTitle struct{ ast.BaseBlock }

// Kinds of the nodes above.
var (
	KindCallout      = ast.NewNodeKind("GpudocsCallout")
	KindCalloutTitle = ast.NewNodeKind("GpudocsCalloutTitle")
)

// Kind implements ast.Node.
func (*Callout) Kind() ast.NodeKind { return KindCallout }

// Kind implements ast.Node.
func (*CalloutTitle) Kind() ast.NodeKind { return KindCalloutTitle }

// Dump implements ast.Node.
func (n *Callout) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}

// Dump implements ast.Node.
func (n *CalloutTitle) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
