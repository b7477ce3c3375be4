package content

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/diag"
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
	// Hidden are the lines that a reader opens to see.
	Hidden [][2]int
	// Numbers are those of the lines, where they are numbered.
	Numbers []int
	// Signs has '+', '-' or ' ' for each line of a diff. The signs are not in Code.
	Signs []byte
	// Notes are the marks of its annotations, in order.
	Notes []Note
	Code  string
	// Diagram is set where the code is that of a diagram.
	Diagram *Diagram
	// Block is set on a runnable block and a gpu block, Expect on an expected output.
	Block  *Block
	Expect *Expect
	// Cell is the cell of a notebook whose code this is, or nil.
	Cell *notebook.Cell
	// Missing is the file that the code should have come from, where there is none.
	Missing string

	// annotated tells that the author asked for annotations.
	annotated bool
	// origin is where the code stands, if that is another file.
	origin *origin
	// column tells that each line of a diff has a sign, if only a blank.
	column bool
	// lines are those of the code in the page.
	lines *text.Segments
}

// place is where bytes of a line of the code stand, counted from 0. ok is false
// for a line that is not there.
func (n *Fence) place(page *diag.File, line, from, to int) (file *diag.File, start, stop int, ok bool) {
	if n.origin != nil {
		if line >= len(n.origin.lines) {
			return nil, 0, 0, false
		}
		at := n.origin.file.Offset(n.origin.lines[line], 1) + n.origin.indent
		return n.origin.file, at + from, at + to, true
	}
	if line >= n.lines.Len() {
		return nil, 0, 0, false
	}
	segment := n.lines.At(line)
	at := segment.Start - segment.Padding
	if n.column || line < len(n.Signs) && n.Signs[line] != ' ' {
		at++ // behind the sign
	}
	return page, max(at+from, segment.Start), min(at+to, segment.Stop), true
}

// Diagram is the source of a Mermaid diagram in a fence.
type Diagram struct {
	Source string
	lines  []text.Segment
	word   text.Segment // what makes the fence a diagram
}

// Place returns where a line of the source, counted from 1, stands in the file: its
// text without the space around it. Another line is all of the source, and of an empty
// one the opening of its fence.
func (d *Diagram) Place(file []byte, line int) (start, stop int) {
	if len(d.lines) == 0 {
		return d.word.Start, d.word.Stop
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
