package obsidian

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Anchor is ^id at the end of a block, or on a separate line after one. The node is placed before
// the block that it names, or first in an item of a list.
type Anchor struct {
	markdown.BlockNode
	// Name is the id without ^.
	Name string
	// Span is the id with ^.
	markdown.Span
}

// KindAnchor is the kind of [Anchor].
var KindAnchor = ast.NewNodeKind("GpudocsAnchor")

// Kind implements ast.Node.
func (*Anchor) Kind() ast.NodeKind { return KindAnchor }

// ID returns the anchor for links: the name with ^, which distinguishes it from the ids of
// headings.
func (n *Anchor) ID() string { return "^" + n.Name }

// Block returns the block that the anchor names, or nil.
func (n *Anchor) Block() ast.Node {
	if item, ok := n.Parent().(*ast.ListItem); ok && item.FirstChild() == ast.Node(n) {
		return item
	}
	for next := n.NextSibling(); next != nil; next = next.NextSibling() {
		if next.Kind() != KindAnchor {
			return next
		}
	}
	return nil
}

// blockMark is a ^id until moveAnchors turns it into an anchor.
type blockMark struct {
	markdown.InlineNode
	name string
	markdown.Span
}

var kindBlockMark = ast.NewNodeKind("GpudocsBlockMark")

// Kind implements ast.Node.
func (*blockMark) Kind() ast.NodeKind { return kindBlockMark }

// blockIDs reads ids of blocks, https://help.obsidian.md/links. They consist of letters, digits and
// hyphens, follow a blank or an embedded file, and end their block.
type blockIDs struct{}

func (blockIDs) Trigger() []byte { return []byte{'^'} }

var blockIDForm = lazyregexp.New(`^\^([A-Za-z0-9-]+)\s*$`)

func (blockIDs) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	if _, embed := parent.LastChild().(*markdown.Embed); !embed && before != ' ' && before != '\t' && before != '\n' {
		return nil
	}
	switch parent.Kind() {
	case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading:
	default:
		return nil
	}
	line, segment := block.PeekLine()
	m := blockIDForm.FindSubmatch(line)
	if m == nil || segment.Stop < parent.Lines().At(parent.Lines().Len()-1).Stop {
		return nil
	}
	n := &blockMark{name: string(m[1]), Span: markdown.Span{Start: segment.Start, Stop: segment.Start + 1 + len(m[1])}}
	n.SetPos(segment.Start)
	block.Advance(len(line))
	return n
}

// moveAnchors moves anchors before their blocks, and what follows a comment after it. A paragraph
// that shows nothing is removed.
type moveAnchors struct{}

func (moveAnchors) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var marks []*blockMark
	var comments []*Comment
	var commented, rows []ast.Node // paragraphs, and rows of tables
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *blockMark:
			marks = append(marks, n)
		case *Comment:
			comments = append(comments, n)
		case *InlineComment:
			switch p := n.Parent(); {
			case p.FirstChild() != ast.Node(n):
			case p.Kind() == ast.KindParagraph:
				commented = append(commented, p)
			case p.Kind() == extast.KindTableCell && p.PreviousSibling() == nil:
				rows = append(rows, p.Parent())
			}
		}
	}
	for _, n := range comments {
		for last := n.LastChild(); last != nil; last = n.LastChild() {
			n.Parent().InsertAfter(n.Parent(), n, last)
		}
	}
	for _, p := range commented {
		replaceByComment(p, reader.Source())
	}
	for _, row := range rows {
		dropCommentRow(row, reader.Source())
	}
	for _, n := range marks {
		moveAnchor(n, reader.Source())
	}
}

// replaceByComment replaces a paragraph that contains only comments by them.
func replaceByComment(p ast.Node, source []byte) {
	block := &Comment{Span: p.FirstChild().(*InlineComment).Span, Closed: true}
	for c := p.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *InlineComment:
			block.Stop = c.Stop
		case *ast.Text:
			if len(bytes.TrimSpace(c.Value(source))) > 0 {
				return
			}
		default:
			return
		}
	}
	block.SetPos(block.Start)
	p.Parent().ReplaceChild(p.Parent(), p, block)
}

// dropCommentRow removes a row that contains only a comment from its table. It is a line of comment
// directly below the table.
func dropCommentRow(row ast.Node, source []byte) {
	if row.Kind() != extast.KindTableRow {
		return // the head
	}
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		for c := cell.FirstChild(); c != nil; c = c.NextSibling() {
			t, ok := c.(*ast.Text)
			if c.Kind() != KindInlineComment && (!ok || len(bytes.TrimSpace(t.Value(source))) > 0) {
				return
			}
		}
	}
	row.Parent().RemoveChild(row.Parent(), row)
}

func moveAnchor(n *blockMark, source []byte) {
	anchor := &Anchor{Name: n.name, Span: n.Span}
	anchor.SetPos(n.Start)
	block := n.Parent()
	parent := block.Parent()
	before := n.PreviousSibling()
	block.RemoveChild(block, n)
	if block.ChildCount() == 0 && block.Kind() != ast.KindHeading { // on a separate line
		if named := block.PreviousSibling(); named != nil {
			parent.InsertBefore(parent, named, anchor)
			parent.RemoveChild(parent, block)
		} else {
			parent.ReplaceChild(parent, block, anchor)
		}
		return
	}
	if t, ok := before.(*ast.Text); ok {
		t.Segment = t.Segment.TrimRightSpace(source)
		t.SetSoftLineBreak(false)
		t.SetHardLineBreak(false)
	}
	parent.InsertBefore(parent, block, anchor)
}

// writeAnchor writes an anchor as HTML.
func writeAnchor(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering { // an id consists of letters, digits and hyphens
		_, _ = w.WriteString(`<span class="anchor" id="` + n.(*Anchor).ID() + `"></span>`)
	}
	return ast.WalkContinue, nil
}
