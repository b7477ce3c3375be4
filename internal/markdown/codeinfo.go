package markdown

import "github.com/yuin/goldmark/ast"

// A CodeInfo is what a dialect says of a fence of code, in place of its info string: a cell of a
// notebook, code with options. Its fence is an [ast.FencedCodeBlock] with only the lines of the code.
type CodeInfo struct {
	// Language is that of the code, or empty.
	Language string
	// Attributes are named like those of a fence of gpudocs: name, title, hl_lines. Their spans are
	// offsets in the source.
	Attributes []Attribute
	// Part is the part of the attribute file that is shown.
	Part FilePart
	// Stop is where the line that closes the code ends, if the dialect knows it.
	Stop int
	// Cell is set for a cell of a notebook that runs.
	Cell bool
}

// A FilePart is a part of a file between the first lines that contain some texts. An empty text does
// not count. It begins with the line of StartAt or after that of StartAfter, and ends with the line of
// EndAt or before that of EndBefore.
type FilePart struct{ StartAt, StartAfter, EndAt, EndBefore string }

// codeInfoAttribute is the attribute of a fence's node that holds its [CodeInfo].
const codeInfoAttribute = "gpudocs.codeinfo"

// SetCodeInfo records what a dialect says of a fence.
func SetCodeInfo(n *ast.FencedCodeBlock, c *CodeInfo) { n.SetAttributeString(codeInfoAttribute, c) }

// CodeInfoOf returns what a dialect says of a fence, or nil.
func CodeInfoOf(n *ast.FencedCodeBlock) *CodeInfo {
	c, _ := n.AttributeString(codeInfoAttribute)
	info, _ := c.(*CodeInfo)
	return info
}
