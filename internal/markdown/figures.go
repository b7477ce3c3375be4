package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Figure is an image, a table or code with a caption. Its last child is a
// [Caption] if it has one.
type Figure struct {
	BlockNode
	// Of is the series in which it is counted: [Image], [Table], [Listing].
	Of Numbered
	// ID is the anchor for references, or empty if the author gave none. A figure with a caption or
	// an ID is numbered.
	ID string
	// Width and Height are the author's, as written: "400px", "60%", or empty.
	Width, Height string
	// CaptionOpening is the extent of the first line of the block after it that is its caption, or empty.
	CaptionOpening Span
}

// Caption is the text below a figure, with inline children.
type Caption struct {
	BlockNode
	// Quote is the quotation mark around the title of an image that became the caption; the same
	// mark within it is escaped. It is 0 for other captions.
	Quote byte
}

// NewCaption returns a caption with some lines.
func NewCaption(lines *text.Segments) *Caption {
	c := &Caption{}
	c.SetLines(lines)
	if lines.Len() > 0 {
		c.SetPos(lines.At(0).Start)
	}
	return c
}

// CaptionOf returns a caption of some lines, whose blanks around them do not count.
func CaptionOf(lines []text.Segment, source []byte) *Caption {
	all := text.NewSegments()
	for i, l := range lines {
		if next := bytes.IndexByte(source[l.Stop:], '\n'); i < len(lines)-1 && next >= 0 && (l.IsEmpty() || source[l.Stop-1] != '\n') {
			l.Stop += next + 1 // so that words of two lines are two
		}
		all.Append(l)
	}
	return NewCaption(TrimmedLines(all, source))
}

// AddCaption adds a caption of some lines to a figure, if there is a text.
func (f *Figure) AddCaption(lines []text.Segment, source []byte) {
	if c := CaptionOf(lines, source); c.Lines().Len() > 0 {
		f.AppendChild(f, c)
	}
}

// Wrap moves a block into a figure in its place, as its last child.
func (f *Figure) Wrap(block ast.Node) {
	f.SetPos(block.Pos())
	f.SetBlankPreviousLines(block.HasBlankPreviousLines())
	block.Parent().ReplaceChild(block.Parent(), block, f)
	f.AppendChild(f, block)
}

// Numbered is a series of numbers: figures, tables.
type Numbered string

// The series. The values are keys of the theme's texts.
const (
	Image    Numbered = "figure"
	Table    Numbered = "table"
	Listing  Numbered = "listing"
	Equation Numbered = "equation"
	Section  Numbered = "section"
)

// A Reference is replaced by the number of its target, "Figure 3", or by the title of a section. It
// is written as a link without text, [](#fig-x), or with :numref:, :eqref: or \eqref.
type Reference struct {
	InlineNode
	// Destination is an address like that of a link: "#fig-x", "other.md#fig-x". If it begins with
	// ":", it is a label, which is searched on all pages.
	Destination string
	// Parentheses shows only the number, in parentheses, as is usual for equations.
	Parentheses bool
	// Title shows the title or the caption instead of the number.
	Title bool
	// Bare shows only the number: \ref.
	Bare bool
	// Format is the text to show, if it is not empty. In it %s and {number} are the number, and {name} is
	// the title.
	Format string
	// Span is the whole text.
	Span
}

// Kinds of the nodes above.
var (
	KindFigure    = ast.NewNodeKind("GpudocsFigure")
	KindCaption   = ast.NewNodeKind("GpudocsCaption")
	KindReference = ast.NewNodeKind("GpudocsReference")
)

// Kind implements ast.Node.
func (*Figure) Kind() ast.NodeKind { return KindFigure }

// Kind implements ast.Node.
func (*Caption) Kind() ast.NodeKind { return KindCaption }

// Kind implements ast.Node.
func (*Reference) Kind() ast.NodeKind { return KindReference }
