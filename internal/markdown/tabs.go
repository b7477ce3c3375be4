package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Tabs is a group of which one [Tab] is visible at a time. Once the page is parsed, all its
// children are Tab nodes.
type Tabs struct{ BlockNode }

// A Tab contains blocks. Its first child is a [TabTitle], except for a fence with tab=.
// Neighbouring tabs form a group.
type Tab struct {
	BlockNode
	// Title is the title as written.
	Title string
	// Names are the frameworks that the tab is for, which can be several: "mxnet", "pytorch". Its
	// code runs in sessions of these names.
	Names []string
	// Selected marks the tab that is visible initially. By default it is the first.
	Selected bool
	// Apart begins a new group even after another tab.
	Apart bool
	// Opening and Closing are the extents of the marks, both empty for a fence with tab=.
	Opening, Closing Span
}

// TabTitle is the title of a tab, with inline children.
type TabTitle struct{ BlockNode }

// Kinds of the nodes above.
var (
	KindTabs     = ast.NewNodeKind("GpudocsTabs")
	KindTab      = ast.NewNodeKind("GpudocsTab")
	KindTabTitle = ast.NewNodeKind("GpudocsTabTitle")
)

// Kind implements ast.Node.
func (*Tabs) Kind() ast.NodeKind { return KindTabs }

// Kind implements ast.Node.
func (*Tab) Kind() ast.NodeKind { return KindTab }

// Kind implements ast.Node.
func (*TabTitle) Kind() ast.NodeKind { return KindTabTitle }

// SetTitle makes a part of the source the title of a tab.
func (n *Tab) SetTitle(s Span, source []byte) {
	n.Title = string(source[s.Start:s.Stop])
	t := &TabTitle{}
	if s.Start < s.Stop {
		t.Lines().Append(text.NewSegment(s.Start, s.Stop))
	}
	t.SetPos(s.Start)
	n.AppendChild(n, t)
}
