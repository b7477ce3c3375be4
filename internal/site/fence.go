package site

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An Annotation is a mark in code, such as # (1), that refers to an item of the list after the
// block.
type Annotation struct {
	// Line counts from 0. From and To are the bytes of the line that the mark replaces: with (1)!
	// those of the whole comment.
	Line, From, To int
	Number         int
	// ID is the HTML id of the mark, and Item that of its item in the list.
	ID, Item string
}

// An AnnotationBacklink is the link at the end of an annotation that leads back to its mark.
type AnnotationBacklink struct {
	ast.BaseInline
	Mark   string
	Number int
}

// KindAnnotationBacklink is the kind of [AnnotationBacklink].
var KindAnnotationBacklink = ast.NewNodeKind("GpudocsNoteBack")

// Kind implements ast.Node.
func (*AnnotationBacklink) Kind() ast.NodeKind { return KindAnnotationBacklink }

// Dump implements ast.Node.
func (n *AnnotationBacklink) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Mark": n.Mark}, nil)
}

// An Origin is the file that the code of a fence was taken from.
type Origin struct {
	File *diag.File
	// Lines are the numbers of the code's lines, counted from 1. Indent is the indentation that was
	// removed from them, in bytes.
	Lines  []int
	Indent int
}

// A Fence is a fenced block. It replaces goldmark's node.
type Fence struct {
	ast.BaseBlock
	// Language is the first word of the info string, as written.
	Language string
	Title    string
	// Tab is the tab's title if the block is part of a tab group.
	Tab string
	// Marked are the ranges of lines to mark, counted from 1.
	Marked [][2]int
	// Hidden are the ranges of lines that are collapsed.
	Hidden [][2]int
	// Numbers are the numbers of the lines, or nil if they are not shown.
	Numbers []int
	// Signs has '+', '-' or ' ' for each line of a diff. The signs are not in Code.
	Signs []byte
	// Annotations are the marks in the code, in order.
	Annotations []Annotation
	Code        string
	// Diagram is set if the code is a diagram.
	Diagram *Diagram
	// Block is set for a runnable block and a gpu block, Expect for an expected output.
	Block  *Block
	Expect *Expect
	// Cell is the notebook's cell that the code comes from, or nil.
	Cell *notebook.Cell
	// Missing is the file that the code should have come from, if it does not exist.
	Missing string
	// Stop is the offset in the page's source of the end of the closing mark, or 0 if the block is
	// not closed.
	Stop int

	// Origin is the file that the code was taken from, or nil if it is written on the page.
	Origin *Origin
}

// Diagram is the source of a Mermaid diagram in a fence.
type Diagram struct {
	Source string
	Lines  []text.Segment
	Word   text.Segment // what makes the fence a diagram
}

// Place returns the offsets of a line of the source, counted from 1, without the space around it.
// For any other line it returns those of the whole source, or of the word mermaid if the source is
// empty.
func (d *Diagram) Place(file []byte, line int) (start, stop int) {
	if len(d.Lines) == 0 {
		return d.Word.Start, d.Word.Stop
	}
	if line < 1 || line > len(d.Lines) {
		return d.Lines[0].Start, d.Lines[len(d.Lines)-1].Stop
	}
	s := d.Lines[line-1]
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
