package markdown

import "github.com/yuin/goldmark/ast"

// Tabs is a group of which one [Tab] is seen at a time. Its children are Tab
// nodes alone.
type Tabs struct{ ast.BaseBlock }

// A Tab holds blocks of any kind.
type Tab struct {
	ast.BaseBlock
	Title string
	// Names are those of a dialect, for one tab can stand for several: "mxnet",
	// "pytorch". Code in it runs in sessions of these names.
	Names []string
	// Opening and Closing are the extents of its marks in the source, both empty
	// for a fence with tab=.
	Opening, Closing Span
}

// Kinds of the nodes above.
var (
	KindTabs = ast.NewNodeKind("GpudocsTabs")
	KindTab  = ast.NewNodeKind("GpudocsTab")
)

// Kind implements ast.Node.
func (*Tabs) Kind() ast.NodeKind { return KindTabs }

// Kind implements ast.Node.
func (*Tab) Kind() ast.NodeKind { return KindTab }

// Dump implements ast.Node.
func (n *Tabs) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Dump implements ast.Node.
func (n *Tab) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Title": n.Title}, nil)
}
