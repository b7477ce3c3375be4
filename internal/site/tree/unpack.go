package tree

import (
	"encoding/binary"
	"slices"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// unpack builds the tree.
func (p *packed) unpack() *Tree {
	doc := ast.NewDocument()
	for key, value := range p.meta {
		doc.AddMeta(key, value)
	}
	r := &unpacker{packed: *p, tree: &Tree{Root: doc}}
	r.children(doc)
	doc.AddMeta(treeKey, r.tree)
	return r.tree
}

type unpacker struct {
	// packed holds what has not been read yet.
	packed
	tree *Tree
	at   int
	// room is memory for the next texts.
	room []ast.Text
}

// bytes reads n bytes.
func (r *unpacker) bytes(n int) []byte {
	b := r.code[:n]
	r.code = r.code[n:]
	return b
}

func (r *unpacker) uint() int {
	n, size := binary.Uvarint(r.code)
	r.code = r.code[size:]
	return int(n)
}

func (r *unpacker) offset() int {
	n, size := binary.Varint(r.code)
	r.code = r.code[size:]
	r.at += int(n)
	return r.at
}

func (r *unpacker) segment() text.Segment {
	start := r.offset()
	r.at += r.uint()
	return text.NewSegment(start, r.at)
}

func (r *unpacker) children(parent ast.Node) {
	for range r.uint() {
		parent.AppendChild(parent, r.node())
	}
}

func (r *unpacker) node() (n ast.Node) {
	first := r.bytes(1)[0]
	switch kind := first & kindMask; kind {
	case textNode:
		return r.text(first)
	case otherNode:
		n = copyNode(r.others[0])
		r.others = r.others[1:]
		r.tree.number(n)
	default:
		n = r.packedNode(kind, first)
	}
	r.children(n)
	return n
}

// manyTexts is the number of texts that are allocated at once.
const manyTexts = 64

func (r *unpacker) text(flags byte) *ast.Text {
	if len(r.room) == 0 {
		r.room = make([]ast.Text, min(r.texts, manyTexts))
		r.texts -= len(r.room)
	}
	n := &r.room[0]
	r.room = r.room[1:]
	n.Segment = r.segment()
	n.SetSoftLineBreak(flags&softBreak != 0)
	n.SetHardLineBreak(flags&hardBreak != 0)
	n.SetRaw(flags&rawText != 0)
	return n
}

// packedNode reads a node without its children.
func (r *unpacker) packedNode(kind, flags byte) ast.Node {
	n := newNode(kind, r.uint())
	n.SetPos(r.offset())
	if flags&hasID != 0 {
		n.SetAttributeString("id", slices.Clone(r.bytes(r.uint())))
	}
	if n.Type() != ast.TypeBlock {
		return n
	}
	n.SetBlankPreviousLines(flags&blankBefore != 0)
	lines := make([]text.Segment, r.uint())
	for i := range lines {
		lines[i] = r.segment()
	}
	if len(lines) > 0 {
		all := text.NewSegments()
		all.AppendAll(lines)
		n.SetLines(all)
	}
	return n
}

// newNode returns a node of a kind with the number that [kindOf] returned.
func newNode(kind byte, number int) ast.Node {
	switch kind {
	case codeSpanNode:
		return ast.NewCodeSpan()
	case emphasisNode:
		return ast.NewEmphasis(number)
	case paragraphNode:
		return ast.NewParagraph()
	case textBlockNode:
		return ast.NewTextBlock()
	case headingNode:
		return ast.NewHeading(number)
	case itemNode:
		return ast.NewListItem(number)
	}
	cell := extast.NewTableCell()
	cell.Alignment = extast.Alignment(number)
	return cell
}
