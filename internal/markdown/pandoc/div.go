package pandoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// A Div is a fenced div that has ended:
//
//	::: {#id .class key=value}     or ::: class
//	any Markdown
//	:::
//
// https://pandoc.org/MANUAL.html#extension-fenced_divs. A line of three or more colons closes the
// innermost div.
type Div struct {
	*container.Block
	Source  []byte
	Context parser.Context
}

// Divs parses divs. node returns the node that replaces one, like that of a [container.Form]. Names of
// gpudocs' own containers mean those, unless node knows them.
func Divs(node func(d *Div) ast.Node) parser.BlockParser {
	return divParser{&container.Form{Mark: ':', AnyEnd: true, NewNode: func(b *container.Block, source []byte, pc parser.Context) ast.Node {
		return node(&Div{b, source, pc})
	}}}
}

type divParser struct{ *container.Form }

// divLine matches the first line up to the attributes, or with a word in their place.
var divLine = lazyregexp.New(`^(:{3,})[ \t]*(?:([^\s{}:][^\s{}]*?)[ \t]*(?:\{|:*$)|\{)`)

// Open implements parser.BlockParser.
func (p divParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := divLine.FindSubmatchIndex(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	b := &container.Block{Form: p.Form, Marks: m[3], Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	if line[m[1]-1] == '{' {
		a, ok := markdown.ParseAttributes(line, m[1]-1)
		if !ok || strings.Trim(string(line[a.Stop:]), ": \t") != "" {
			return nil, parser.NoChildren
		}
		a.Move(from)
		b.Given, b.NameAt = a, markdown.Span{Start: from + a.Start, Stop: from + a.Stop}
	}
	if m[4] >= 0 {
		b.NameAt = markdown.Span{Start: from + m[4], Stop: from + m[5]}
		b.Given.Classes = append([]string{string(line[m[4]:m[5]])}, b.Given.Classes...)
	}
	if len(b.Given.Classes) > 0 {
		b.Name = strings.ToLower(b.Given.Classes[0])
	}
	if b.Name == "figure" || b.Name == "include" || !b.Begin(pc) { // gpudocs' own
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return b, parser.HasChildren
}

// htmlParser is goldmark's parser of raw HTML, of which a line of a div is no part.
type htmlParser struct{ parser.BlockParser }

// Continue implements parser.BlockParser.
func (p htmlParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if t := node.(*ast.HTMLBlock).HTMLBlockType; t == ast.HTMLBlockType6 || t == ast.HTMLBlockType7 {
		if line, _ := reader.PeekLine(); strings.HasPrefix(strings.TrimLeft(string(line), " "), ":::") {
			return parser.Close
		}
	}
	return p.BlockParser.Continue(node, reader, pc)
}

// Has reports whether the div has a class.
func (d *Div) Has(class string) bool { return slices.Contains(d.Given.Classes, class) }

// Statement returns the div as a statement of a name.
func (d *Div) Statement(name string) *markdown.Callout {
	return d.described(markdown.NewStatement(name, d.Opening, d.Closing))
}

// Callout returns the div as a callout. Its title is the attribute title, or the heading that begins it.
func (d *Div) Callout(name string, fold markdown.Fold) *markdown.Callout {
	return d.described(&markdown.Callout{Name: name, Fold: fold, Opening: d.Opening, Closing: d.Closing})
}

// described gives a callout the title and the id of the div.
func (d *Div) described(n *markdown.Callout) *markdown.Callout {
	if at, ok := d.value("title"); ok {
		n.SetTitle(at)
	} else {
		TakeTitle(d.Block, n)
	}
	markdown.Identify(n, d.Given.ID, nil)
	return n
}

// TakeTitle makes the heading that begins a block the title of a callout, with its id.
func TakeTitle(block ast.Node, n *markdown.Callout) {
	h, ok := block.FirstChild().(*ast.Heading)
	if !ok {
		return
	}
	if id, ok := h.AttributeString("id"); ok {
		text, isText := id.([]byte) // goldmark reads {id=5} as a number
		if !isText {
			text = fmt.Append(nil, id)
		}
		n.SetAttributeString("id", text)
	}
	block.RemoveChild(block, h)
	if h.Lines().Len() > 0 {
		t := &markdown.CalloutTitle{}
		t.SetLines(h.Lines())
		t.SetPos(h.Pos())
		n.InsertBefore(n, n.FirstChild(), t)
	}
}

// value returns the place of the value of an attribute, without its quotation marks.
func (d *Div) value(name string) (at markdown.Span, ok bool) {
	for _, a := range d.Given.Items {
		if a.Name == name && a.Value != "" {
			return Value(a, d.Source), true
		}
	}
	return at, false
}

// Value returns the place of the value of an attribute, without its quotation marks.
func Value(a markdown.Attribute, source []byte) markdown.Span {
	at := markdown.Span{Start: a.Start + len(a.Name) + 1, Stop: a.Stop}
	if c := source[at.Start]; c == '"' || c == '\'' {
		at.Start, at.Stop = at.Start+1, at.Stop-1
	}
	return at
}

// Tabs returns the div as a group of tabs, whose titles are the headings of the level of the first.
func (d *Div) Tabs() ast.Node {
	group := &markdown.Tabs{}
	markdown.Identify(group, d.Given.ID, nil)
	level := 0
	for c := d.FirstChild(); c != nil; c = d.FirstChild() {
		h, ok := c.(*ast.Heading)
		switch {
		case ok && h.Lines().Len() > 0 && (level == 0 || h.Level == level):
			level = h.Level
			line := h.Lines().At(0)
			t := &markdown.Tab{Opening: markdown.Span{Start: h.Pos(), Stop: line.Stop}}
			t.SetPos(h.Pos())
			t.SetTitle(markdown.Extent(string(line.Value(d.Source)), line.Start), d.Source)
			d.RemoveChild(d.Block, h)
			group.AppendChild(group, t)
		case group.LastChild() == nil || level == 0:
			group.AppendChild(group, c) // before the first tab
		default:
			group.LastChild().AppendChild(group.LastChild(), c)
		}
	}
	if level == 0 { // no tabs after all
		markdown.MoveChildren(group, d.Block)
		return d.Plain()
	}
	return group
}

// Plain returns the div as a container that shows its content. An id is an anchor.
func (d *Div) Plain() ast.Node {
	c := d.Block.Plain()
	if d.Given.ID != "" {
		c.Tag, c.Element = `<div id="`+strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace(d.Given.ID)+`">`, "div"
	}
	return c
}

// NativeOrPlain returns the node for a div that a dialect does not know: the container of gpudocs of that name, or a
// plain one.
func (d *Div) NativeOrPlain() ast.Node {
	if d.NameAt.Stop > d.NameAt.Start && d.Source[d.NameAt.Start] != '{' && nativeNames[d.Name] {
		return container.Colons.NewNode(d.Block, d.Source, d.Context)
	}
	return d.Plain()
}

var nativeNames = func() map[string]bool {
	names := map[string]bool{"machines": true, "my-gpu": true, "tabs": true, markdown.Exercise: true, markdown.Solution: true}
	for _, n := range markdown.CalloutNames() {
		names[n] = true
	}
	return names
}()

// LeftOut reports whether the div is not shown on a page of a website.
func (d *Div) LeftOut() bool { return leftOut(d.Given) }

// Nothing removes the content of a div that is not shown.
func (d *Div) Nothing() ast.Node {
	d.RemoveChildren(d.Block)
	return d.Block.Plain()
}

// Grid returns the div as a grid of columns. A div in it is a column.
func (d *Div) Grid(columns int) ast.Node {
	g := &markdown.Grid{Columns: columns}
	markdown.Identify(g, d.Given.ID, nil)
	for c := d.FirstChild(); c != nil; {
		next := c.NextSibling()
		if div, ok := c.(*markdown.Container); ok && div.Tag == "" {
			markdown.Replace(div, &markdown.Card{Plain: true})
		}
		c = next
	}
	return g
}

// Figure returns the div as a figure of a series, in a grid if it has columns. Its last paragraph is the
// caption.
func (d *Div) Figure(of markdown.Numbered, columns int) ast.Node {
	f := &markdown.Figure{Of: of, ID: d.Given.ID}
	var lines []text.Segment
	if p, ok := d.LastChild().(*ast.Paragraph); ok && d.ChildCount() > 1 &&
		!strings.HasPrefix(strings.TrimSpace(string(p.Lines().Value(d.Source))), "![") {
		d.RemoveChild(d.Block, p)
		lines = p.Lines().Sliced(0, p.Lines().Len())
	}
	for _, name := range []string{"fig-cap", "tbl-cap", "lst-cap", "title"} {
		if at, ok := d.value(name); ok && len(lines) == 0 {
			lines = []text.Segment{text.NewSegment(at.Start, at.Stop)}
		}
	}
	if columns > 0 {
		g := d.Grid(columns)
		g.RemoveAttributes()
		markdown.MoveChildren(d.Block, g)
		f.AppendChild(f, g)
	}
	markdown.MoveChildren(d.Block, f)
	f.AddCaption(lines, d.Source)
	return f
}
