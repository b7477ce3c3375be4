package content

import (
	"strconv"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/notebook"
	"github.com/gpudocs/gpudocs/internal/require"
)

// The nodes that gpudocs adds to goldmark's. A renderer finds in them all that
// it needs; none of them is changed after Load.

// Fence is a fenced block, in the place of goldmark's own node.
type Fence struct {
	ast.BaseBlock
	// Language is the first word of the info string, as written.
	Language string
	Title    string
	// Tab is the tab's title where the block is part of a tab group.
	Tab string
	// Marked are the lines to mark, counted from 1, first and last.
	Marked [][2]int
	Code   string
	// Block is set on a runnable block and a gpu block, Expect on an expected output.
	Block  *Block
	Expect *Expect
	// Cell is the cell of a notebook whose code this is, or nil.
	Cell *notebook.Cell
}

// Tabs groups neighbouring Fence nodes. Each child with a Tab begins a tab.
type Tabs struct{ ast.BaseBlock }

// Container is a ::: block. Name is what follows the colons.
type Container struct {
	ast.BaseBlock
	Name string

	colons int
	closed bool
}

// Live is {live}`machine.fact`: a value of a machine in a sentence.
type Live struct {
	ast.BaseInline
	Machine, Fact string
	// Start and Stop are the offsets of the whole text, for diagnostics.
	Start, Stop int
}

// Embed is ![[file|width]], as Obsidian writes an image.
type Embed struct {
	ast.BaseInline
	File string
	// Width is in pixels, and 0 where none is given.
	Width       int
	Start, Stop int
}

// Kinds of the nodes above.
var (
	KindFence     = ast.NewNodeKind("GpudocsFence")
	KindTabs      = ast.NewNodeKind("GpudocsTabs")
	KindContainer = ast.NewNodeKind("GpudocsContainer")
	KindLive      = ast.NewNodeKind("GpudocsLive")
	KindEmbed     = ast.NewNodeKind("GpudocsEmbed")
)

// Kind implements ast.Node.
func (*Fence) Kind() ast.NodeKind { return KindFence }

// IsRaw implements ast.Node: the text of a code block is not Markdown.
func (*Fence) IsRaw() bool { return true }

// Kind implements ast.Node.
func (*Tabs) Kind() ast.NodeKind { return KindTabs }

// Kind implements ast.Node.
func (*Container) Kind() ast.NodeKind { return KindContainer }

// Kind implements ast.Node.
func (*Live) Kind() ast.NodeKind { return KindLive }

// Kind implements ast.Node.
func (*Embed) Kind() ast.NodeKind { return KindEmbed }

// Dump implements ast.Node.
func (n *Fence) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Language": n.Language, "Code": strconv.Quote(n.Code)}, nil)
}

// Dump implements ast.Node.
func (n *Tabs) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Dump implements ast.Node.
func (n *Container) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}

// Dump implements ast.Node.
func (n *Live) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Machine": n.Machine, "Fact": n.Fact}, nil)
}

// Dump implements ast.Node.
func (n *Embed) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"File": n.File}, nil)
}

// LiveFacts are what {live} can show of a machine, beside the values that
// expectations capture.
func LiveFacts() []string {
	return append(require.Facts(), "gpu", "os", "arch", "cpu", "date", "passed", "failed", "skipped")
}
