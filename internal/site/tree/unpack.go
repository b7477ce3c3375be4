package tree

import (
	"encoding/binary"

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
	r := &unpacker{packed: p, code: p.code, kept: p.kept, ids: p.ids, attributes: p.attributes, tree: &Tree{Root: doc}, texts: p.texts}
	r.children(doc)
	doc.AddMeta(treeKey, r.tree)
	return r.tree
}

type unpacker struct {
	*packed
	// The parts of packed that are not read yet.
	code       []byte
	kept       []ast.Node
	ids        []string
	attributes [][]ast.Attribute
	texts      int

	tree *Tree
	at   int
	// room is memory for the next texts.
	room []ast.Text
}

func (r *unpacker) byte() byte {
	b := r.code[0]
	r.code = r.code[1:]
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

func (r *unpacker) children(parent ast.Node) {
	for range r.uint() {
		parent.AppendChild(parent, r.node())
	}
}

func (r *unpacker) node() ast.Node {
	first := r.byte()
	if first&textNode != 0 {
		return r.text(first)
	}
	n := r.begun(first)
	r.tree.number(n)
	r.children(n)
	return n
}

// begun returns the next node without its children.
func (r *unpacker) begun(kind byte) ast.Node {
	switch kind {
	case codeSpanNode:
		return inline(r, ast.NewCodeSpan())
	case emphasisNode:
		n := inline(r, ast.NewEmphasis(0))
		n.Level = r.uint()
		return n
	case paragraphNode:
		return block(r, ast.NewParagraph())
	case textBlockNode:
		return block(r, ast.NewTextBlock())
	case headingNode:
		n := block(r, ast.NewHeading(0))
		n.Level = r.uint()
		return n
	case listNode:
		n := block(r, ast.NewList(0))
		n.Marker = r.byte()
		n.IsTight = r.uint() == 1
		n.Start = r.uint()
		return n
	case itemNode:
		n := block(r, ast.NewListItem(0))
		n.Offset = r.uint()
		return n
	case cellNode:
		n := block(r, extast.NewTableCell())
		n.Alignment = extast.Alignment(r.uint())
		return n
	}
	n := copyNode(r.kept[0])
	r.kept = r.kept[1:]
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
	n.Segment = r.segment(flags)
	n.SetSoftLineBreak(flags&softBreak != 0)
	n.SetHardLineBreak(flags&hardBreak != 0)
	n.SetRaw(flags&rawText != 0)
	return n
}

func (r *unpacker) segment(flags byte) text.Segment {
	s := text.Segment{Start: r.offset(), ForceNewline: flags&newlineText != 0}
	s.Stop = s.Start + r.uint()
	if flags&paddedText != 0 {
		s.Padding = r.uint()
	}
	r.at = s.Stop
	return s
}

// inline reads the properties of all nodes, and block also those of blocks.
func inline[N ast.Node](r *unpacker, n N) N {
	r.base(n)
	return n
}

func block[N ast.Node](r *unpacker, n N) N {
	n.SetBlankPreviousLines(r.base(n)&blankBefore != 0)
	count := r.uint()
	if count == 0 {
		return n
	}
	lines := make([]text.Segment, count)
	for i := range lines {
		lines[i] = r.segment(r.byte())
	}
	all := text.NewSegments()
	all.AppendAll(lines)
	n.SetLines(all)
	return n
}

func (r *unpacker) base(n ast.Node) (flags byte) {
	flags = r.byte()
	if flags&hasPos != 0 {
		n.SetPos(r.offset())
	}
	if flags&hasID != 0 {
		n.SetAttributeString("id", []byte(r.ids[0]))
		r.ids = r.ids[1:]
	}
	if flags&hasAttributes != 0 {
		for _, a := range r.attributes[0] {
			n.SetAttribute(a.Name, a.Value)
		}
		r.attributes = r.attributes[1:]
	}
	return flags
}
