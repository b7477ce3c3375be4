package markdown

import "github.com/yuin/goldmark/ast"

// A Figure is an image, a table or code with a caption. Its last child is a
// [Caption] if it has one.
type Figure struct {
	ast.BaseBlock
	// Of is what it counts as: [Image], [Table], [Listing].
	Of Numbered
	// ID is the anchor that references lead to, and empty if the author gave none.
	// A figure with a caption or an ID is numbered.
	ID string
	// Width and Height are the author's, as written: "400px", "60%", or empty.
	Width, Height string
	// Behind is the extent of the first line of the block behind it that is its caption,
	// and empty if there is none.
	Behind Span
}

// Caption is the text below a figure, with inline children.
type Caption struct {
	ast.BaseBlock
	// Quote is the mark around the image's title that the caption is: one in it is
	// escaped. It is 0 for all other captions.
	Quote byte
}

// Numbered is a series in which things of one kind are counted.
type Numbered string

// What is counted. Its values are keys of the theme's texts.
const (
	Image    Numbered = "figure"
	Table    Numbered = "table"
	Listing  Numbered = "listing"
	Equation Numbered = "equation"
	Section  Numbered = "section"
)

// A Reference is a place in the text where the number of something stands, or the
// title of a section: "Figure 3". It comes of a link without a text, [](#fig-x),
// and of :numref:, :eqref: and \eqref.
type Reference struct {
	ast.BaseInline
	// Destination is an address as that of a link: "#fig-x", "other.md#fig-x". One
	// that begins with ":" is a label, to be looked for in all pages.
	Destination string
	// Parentheses puts the number alone in parentheses, as is usual for equations.
	Parentheses bool
	// Title shows the title or the caption instead of the number.
	Title bool
	// Bare leaves the number alone without them: \ref.
	Bare bool
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

// Dump implements ast.Node.
func (n *Figure) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Of": string(n.Of), "ID": n.ID}, nil)
}

// Dump implements ast.Node.
func (n *Caption) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Dump implements ast.Node.
func (n *Reference) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Destination": n.Destination}, nil)
}
