package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Tabs is a group of which one [Tab] is seen at a time. Its children are Tab
// nodes alone once the page is read.
type Tabs struct{ ast.BaseBlock }

// A Tab holds blocks of any kind. Its first child is a [TabTitle], but for a fence
// with tab=. Neighbouring tabs are one group.
type Tab struct {
	ast.BaseBlock
	// Title is the title as text, as it is written.
	Title string
	// Names are those of a dialect, for one tab can stand for several: "mxnet",
	// "pytorch". Code in it runs in sessions of these names.
	Names []string
	// Selected is the tab that is seen at first, else it is the first.
	Selected bool
	// Apart begins a new group, though a tab stands before it.
	Apart bool
	// Opening and Closing are the extents of its marks in the source, both empty
	// for a fence with tab=.
	Opening, Closing Span
}

// TabTitle is the text on a tab, with inline children.
type TabTitle struct{ ast.BaseBlock }

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

// Dump implements ast.Node.
func (n *Tabs) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Dump implements ast.Node.
func (n *Tab) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Title": n.Title}, nil)
}

// Dump implements ast.Node.
func (n *TabTitle) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// SetTitle gives a tab the text of a part of the source as its title.
func (n *Tab) SetTitle(s Span, source []byte) {
	n.Title = string(source[s.Start:s.Stop])
	t := &TabTitle{}
	if s.Start < s.Stop {
		t.Lines().Append(text.NewSegment(s.Start, s.Stop))
	}
	t.SetPos(s.Start)
	n.AppendChild(n, t)
}
