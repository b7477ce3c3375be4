package mkdocs

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A mark is what the transformer removes from the text, after it has done what the mark says: an
// attribute list, an icon, a tag of Jinja.
type mark struct {
	markdown.InlineNode
	markdown.Span
	// attributes are those of a list. If ofBlock is set, they belong to the block and not to the
	// node before.
	attributes *markdown.Attributes
	ofBlock    bool
	// name is the part of an icon that is its name.
	name markdown.Span
}

var kindMark = ast.NewNodeKind("GpudocsMkDocsMark")

// Kind implements ast.Node.
func (*mark) Kind() ast.NodeKind { return kindMark }

// attributeLists reads the attributes after a link, code or emphasis, and those on the last line of
// a block:
//
//	[Install](install.md){ .md-button }
//
//	Some text
//	{: #id .class }
//
// https://python-markdown.github.io/extensions/attr_list/. Those of images are available on every
// page.
type attributeLists struct{}

// Trigger implements parser.InlineParser.
func (attributeLists) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (attributeLists) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	a, ok := markdown.ParseAttributes(line, 0)
	if _, image := parent.LastChild().(*ast.Image); !ok || image || a.ID == "" && a.Classes == nil &&
		!slices.ContainsFunc(a.Items, func(i markdown.Attribute) bool { return i.HasValue }) {
		return nil
	}
	before := block.PrecendingCharacter()
	t, isText := parent.LastChild().(*ast.Text)
	begins := parent.LastChild() == nil || isText && (t.SoftLineBreak() || t.HardLineBreak()) // a line
	n := &mark{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + a.Stop}, attributes: &a}
	n.SetPos(segment.Start)
	n.ofBlock = (begins || parent.Kind() == extast.KindTableCell && util.IsSpaceRune(before)) && util.IsBlank(line[a.Stop:])
	if !n.ofBlock && util.IsSpaceRune(before) {
		return nil
	}
	if n.ofBlock { // only on the last line
		at, position := block.Position()
		block.AdvanceLine()
		more, _ := block.PeekLine()
		block.SetPosition(at, position)
		if more != nil {
			return nil
		}
	}
	block.Advance(a.Stop)
	return n
}

// apply gives the attributes to the node or block they belong to. It returns false if they belong to nothing.
func (n *mark) apply() bool {
	to := n.PreviousSibling()
	switch {
	case n.ofBlock:
		if t, ok := to.(*ast.Text); ok {
			t.SetSoftLineBreak(false)
		}
		block := n.Parent()
		if to == nil && block.PreviousSibling() != nil && block.Kind() != extast.KindTableCell {
			block = block.PreviousSibling() // a line of its own below a table or a list
		} else if block.Kind() == ast.KindTextBlock && block.Parent().Kind() == ast.KindListItem {
			block = block.Parent()
		}
		n.give(block)
		return true
	case to == nil || to.Kind() == ast.KindText || to.Kind() == ast.KindString:
		return false
	}
	n.give(to)
	return true
}

// buttons are Material's classes of links that look like buttons, and those of gpudocs.
var buttons = map[string]string{"md-button": "button", "md-button--primary": "button-primary"}

// give sets the id, the classes and a link's title. Other attributes have no effect.
func (n *mark) give(to ast.Node) {
	var classes []string
	for _, c := range n.attributes.Classes {
		if name, ok := buttons[c]; ok && to.Kind() == ast.KindLink {
			c = name
		}
		if c != "annotate" { // the notes are the list that follows
			classes = append(classes, c)
		}
	}
	if classes != nil {
		if given, ok := to.AttributeString("class"); ok {
			classes = append([]string{string(given.([]byte))}, classes...)
		}
	}
	markdown.Identify(to, "", classes)
	if _, has := to.AttributeString("id"); !has {
		markdown.Identify(to, n.attributes.ID, nil)
	}
	if link, ok := to.(*ast.Link); ok && len(link.Title) == 0 {
		link.Title = []byte(n.attributes.Get("title"))
	}
}
