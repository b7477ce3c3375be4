package content

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/notebook"
	"github.com/gpudocs/gpudocs/internal/require"
)

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
	// Diagram is set where the code is that of a diagram.
	Diagram *Diagram
	// Block is set on a runnable block and a gpu block, Expect on an expected output.
	Block  *Block
	Expect *Expect
	// Cell is the cell of a notebook whose code this is, or nil.
	Cell *notebook.Cell
}

// Diagram is the source of a Mermaid diagram in a fence.
type Diagram struct {
	Source string
	lines  []text.Segment
}

// Place returns where a line of the source, counted from 1, stands in the file: its
// text without the space around it. Another line is all of the source.
func (d *Diagram) Place(file []byte, line int) (start, stop int) {
	if len(d.lines) == 0 {
		return 0, 0
	}
	if line < 1 || line > len(d.lines) {
		return d.lines[0].Start, d.lines[len(d.lines)-1].Stop
	}
	s := d.lines[line-1]
	s = s.TrimLeftSpace(file)
	s = s.TrimRightSpace(file)
	return s.Start, s.Stop
}

// KindFence is the kind of [Fence].
var KindFence = ast.NewNodeKind("GpudocsFence")

// Kind implements ast.Node.
func (*Fence) Kind() ast.NodeKind { return KindFence }

// IsRaw implements ast.Node: the text of a code block is not Markdown.
func (*Fence) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *Fence) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Language": n.Language, "Code": strconv.Quote(n.Code)}, nil)
}

// LiveFacts are what {live} can show of a machine, beside the values that
// expectations capture.
func LiveFacts() []string {
	return append(require.Facts(), "gpu", "os", "arch", "cpu", "date", "passed", "failed", "skipped")
}
