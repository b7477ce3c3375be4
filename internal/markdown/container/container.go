// Package container reads blocks between two lines of marks, which can be nested:
//
//	:::note Title {attributes}
//	any Markdown
//	:::
//
// A [Form] determines the mark, what may follow the name, and which node a container becomes.
// [Colons] is the form of every page; dialects add theirs.
package container

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Form is one syntax of containers, and the block parser for it.
type Form struct {
	markdown.BlockParser
	// Mark is the character that begins the first and the last line, three times or more.
	Mark byte
	// Header reads the text after the name, at an offset of the source, and reports whether this is
	// a container at all.
	Header func(b *Block, rest []byte, at int) bool
	// NewNode returns the node that replaces a block. Its children come before those of the block.
	NewNode func(b *Block, source []byte, pc parser.Context) ast.Node
	// Options makes lines directly below the first that are indented by four options instead of
	// text.
	Options bool
	// Aliases accepts the other names of a callout's kind without a warning.
	Aliases bool
	// MustEnd makes a container that is not closed an error instead of a warning.
	MustEnd bool
	// AnyEnd lets a line of any number of marks, at least three, close the innermost container.
	AnyEnd bool
}

// A Block is a container while it is read:
//
//	:::name Title {attributes}
//	any Markdown
//	:::
//
// When it ends, the node for its name replaces it. A container with more marks can contain others.
type Block struct {
	markdown.BlockNode
	Form *Form
	// Name is the word after the marks, in lower case, and NameAt its place.
	Name   string
	NameAt markdown.Span
	// Marks is the number of marks that open it. Closed is set when as many have closed it.
	Marks  int
	Closed bool
	// Title is the text after the name, without the attributes in braces, which are Given.
	Title markdown.Span
	Given markdown.Attributes
	// Options are the lines of options below the first line.
	Options []text.Segment
	// Opening and Closing are the extents of the marks with the rest of their lines.
	Opening, Closing markdown.Span

	inText bool // no more options can follow
}

var kindBlock = ast.NewNodeKind("GpudocsOpenContainer")

// Kind implements ast.Node.
func (*Block) Kind() ast.NodeKind { return kindBlock }

// openContainers is the key of the open containers, the innermost last. A line of marks closes the
// innermost of its length.
var openContainers = parser.NewContextKey()

// EndAll forgets the open containers, at the end of a notebook's cell.
func EndAll(pc parser.Context) { pc.Set(openContainers, []*Block(nil)) }

// maxNesting bounds how deep containers and elements are nested; the next one is text. Each line is
// offered to all that are open, so a page of nothing but opening marks would take forever.
const maxNesting = 32

var nestingKey = parser.NewContextKey()

// Nest counts a block that begins (+1) or ends (-1). It reports whether the block may begin.
func Nest(pc parser.Context, n int) bool {
	now, _ := pc.Get(nestingKey).(int)
	if now+n > maxNesting {
		return false
	}
	pc.Set(nestingKey, now+n)
	return true
}

// containerLine matches the line that opens a container: marks, a name, the rest.
var containerLine = lazyregexp.New(`^[:/]{3,}[ \t]*([\p{L}\p{N}][\p{L}\p{N}_-]*)(.*)$`)

// Trigger implements parser.BlockParser.
func (f *Form) Trigger() []byte { return []byte{f.Mark} }

// Open implements parser.BlockParser.
func (f *Form) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := containerLine.FindSubmatchIndex(line)
	if m == nil || Leading(line, f.Mark) != bytes.IndexFunc(line, notMark) {
		f.stray(line, from, pc)
		return nil, parser.NoChildren
	}
	b := &Block{Form: f, Name: strings.ToLower(string(line[m[2]:m[3]])), Marks: Leading(line, f.Mark)}
	b.NameAt = markdown.Span{Start: from + m[2], Stop: from + m[3]}
	b.Opening = markdown.Span{Start: from, Stop: from + len(line)}
	if !f.Header(b, line[m[4]:m[5]], from+m[4]) || !b.Begin(pc) {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return b, parser.HasChildren
}

// Begin records that a container is open, and reports whether it may be.
func (b *Block) Begin(pc parser.Context) bool {
	if !Nest(pc, +1) {
		return false
	}
	open, _ := pc.Get(openContainers).([]*Block)
	pc.Set(openContainers, append(open, b))
	return true
}

// stray reports a line of marks that closes nothing.
func (f *Form) stray(line []byte, from int, pc parser.Context) {
	marks := bytes.TrimRight(line, " \t\r\n")
	if n := Leading(line, f.Mark); n >= 3 && n == len(marks) {
		markdown.Warn(pc, markdown.Span{Start: from, Stop: from + n},
			diag.Say("markdown.container-end-alone"), diag.Say("markdown.container-end-alone-hint"))
	}
}

// Continue implements parser.BlockParser.
func (f *Form) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	b := node.(*Block)
	line, segment := reader.PeekLine()
	if f.Options && !b.inText {
		if width, _ := util.IndentWidth(line, reader.LineOffset()); width >= 4 && !util.IsBlank(line) {
			b.Options = append(b.Options, segment)
			b.Opening.Stop = segment.Stop - len(line) + len(bytes.TrimRight(line, " \t\r\n"))
			reader.AdvanceToEOL()
			return parser.Continue
		}
		b.inText = true
	}
	return b.Continue(reader, pc)
}

// Continue reads a line, which may be the last of the container.
func (b *Block) Continue(reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	if !b.ends(line, reader.LineOffset(), pc) {
		return parser.Continue | parser.HasChildren
	}
	b.Closed = true
	b.Closing = markdown.Extent(string(line), segment.Start-segment.Padding)
	reader.AdvanceToEOL()
	return parser.Close
}

// ends reports whether a line of marks closes this container.
func (b *Block) ends(line []byte, offset int, pc parser.Context) bool {
	if width, _ := util.IndentWidth(line, offset); width > 3 {
		return false
	}
	line = bytes.TrimSpace(line)
	n := Leading(line, b.Form.Mark)
	if n < 3 || n != len(line) {
		return false
	}
	if last := pc.LastOpenedBlock().Node; last != nil && last.Kind() == ast.KindFencedCodeBlock {
		return false
	}
	open, _ := pc.Get(openContainers).([]*Block)
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Form.Mark == b.Form.Mark && (open[i].Marks == n || open[i].Form.AnyEnd) {
			return open[i] == b
		}
	}
	return false
}

// Close implements parser.BlockParser.
func (f *Form) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	b := node.(*Block)
	b.End(pc)
	b.SetPos(b.Opening.Start)
	if !b.Closed {
		line := strings.Repeat(string(f.Mark), b.Marks)
		markdown.Report(pc, markdown.Fault{
			Span:    b.Opening,
			Error:   f.MustEnd,
			Message: diag.Say("markdown.container-not-closed", "line", line[:3]),
			Hint:    diag.Say("markdown.container-end-hint", "line", line),
		})
	}
	markdown.Replace(b, f.NewNode(b, reader.Source(), pc))
}

// End records that a container is no longer open.
func (b *Block) End(pc parser.Context) {
	Nest(pc, -1)
	open, _ := pc.Get(openContainers).([]*Block)
	if n := len(open); n > 0 && open[n-1] == b {
		pc.Set(openContainers, open[:n-1])
	}
}

// Leading counts how often a character is repeated at the beginning of a line.
func Leading(line []byte, mark byte) (n int) {
	for n < len(line) && line[n] == mark {
		n++
	}
	return n
}

func notMark(r rune) bool { return r != ':' && r != '/' }
