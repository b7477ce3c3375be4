package myst

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// lines reads what stands on a line of its own: (label)= before a block, a % comment, a +++ break between
// the cells of a notebook.
type lines struct{ markdown.BlockParser }

// A target is the line (label)=, until it is known what it belongs to.
type target struct {
	markdown.BlockNode
	name string
	at   markdown.Span
}

var kindTarget = ast.NewNodeKind("GpudocsTarget")

// Kind implements ast.Node.
func (*target) Kind() ast.NodeKind { return kindTarget }

// Trigger implements parser.BlockParser.
func (lines) Trigger() []byte { return []byte{'(', '%', '+'} }

// The labels and the text after +++ are bounded, as those of links are.
var (
	targetForm = lazyregexp.New(`^\(([^()\s][^()\n]{0,500})\)=$`)
	breakForm  = lazyregexp.New(`^\+\+\+(?:\s|\{|\^|$)`)
)

// targetsKey is the key of the targets of the page.
var targetsKey = parser.NewContextKey()

// Open implements parser.BlockParser.
func (lines) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := targetForm.FindSubmatch(line)
	d, inside := parent.(*Directive)
	inCard := inside && strings.HasSuffix(d.Name, "card") // where +++ is before its footer
	if m == nil && line[0] != '%' && (inCard || !breakForm.Match(line)) {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	if m == nil {
		return &markdown.Container{Name: "hidden", Opening: markdown.Span{Start: from, Stop: from + len(line)}}, parser.NoChildren
	}
	n := &target{name: labelOf(string(m[1])), at: markdown.Span{Start: from, Stop: from + len(line)}}
	all, _ := pc.Get(targetsKey).([]*target)
	pc.Set(targetsKey, append(all, n))
	return n, parser.NoChildren
}

// Close implements parser.BlockParser.
func (lines) Close(n ast.Node, _ text.Reader, _ parser.Context) {
	if n.Kind() == markdown.KindContainer && n.Parent() != nil { // it shows nothing
		n.Parent().RemoveChild(n.Parent(), n)
	}
}

// placeTargets gives the targets of the page to the blocks after them, the last first: of several before a
// block, the one directly before it is its id.
func placeTargets(pc parser.Context) {
	all, _ := pc.Get(targetsKey).([]*target)
	for i := len(all) - 1; i >= 0; i-- {
		if n := all[i]; n.Parent() != nil {
			n.place(n.NextSibling())
		}
	}
}

// place labels a block. What has no id of its own gets an anchor before it.
func (n *target) place(block ast.Node) {
	anchor := &markdown.Anchor{Name: n.name, Span: n.at}
	anchor.SetPos(n.at.Start)
	parent := n.Parent()
	placed := false
	switch b := block.(type) {
	case *ast.Heading:
		if _, placed = b.AttributeString("id"); !placed {
			b.SetAttributeString("id", []byte(n.name))
		} else {
			b.InsertBefore(b, b.FirstChild(), anchor)
		}
		placed = true
	case *ast.Paragraph:
		b.InsertBefore(b, b.FirstChild(), anchor)
		placed = true
	case *markdown.Figure:
		if placed = b.ID == "" || b.ID == n.name; placed {
			b.ID = n.name
		}
	case *markdown.MathBlock:
		b.AddLabel(markdown.Label{Name: n.name, Span: n.at})
		placed = true
	case *extast.Table, *ast.FencedCodeBlock:
		f := &markdown.Figure{Of: markdown.Listing, ID: n.name}
		if block.Kind() == extast.KindTable {
			f.Of = markdown.Table
		}
		f.Wrap(block)
		placed = true
	case *markdown.Callout, *markdown.Tab, *markdown.Tabs:
		id, has := b.AttributeString("id")
		if placed = !has || string(id.([]byte)) == n.name; placed {
			b.SetAttributeString("id", []byte(n.name))
		}
	}
	if placed {
		parent.RemoveChild(parent, n)
		return
	}
	p := ast.NewTextBlock()
	p.SetPos(n.at.Start)
	p.AppendChild(p, anchor)
	parent.ReplaceChild(parent, n, p)
}
