package myst

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// gridDirectives are grids, cards and buttons, those of sphinx-design included.
var gridDirectives = map[string]directive{
	"grid": {node: grid}, "card-carousel": {node: grid},
	"grid-item": {node: gridItem}, "card": {node: card}, "grid-item-card": {node: card},
	"button": {node: button}, "button-link": {node: button}, "button-ref": {node: button},
}

// grid returns a grid. Of "1 2 2 3", the columns in windows of four widths, the largest counts.
func grid(d *Directive) ast.Node {
	n := &markdown.Grid{}
	for _, word := range strings.Fields(d.argument()) {
		if columns, err := strconv.Atoi(word); err == nil && columns <= 12 {
			n.Columns = max(n.Columns, columns)
		}
	}
	d.describe(n, d.classes())
	return n
}

// gridItem returns a column.
func gridItem(d *Directive) ast.Node {
	n := &markdown.Card{Plain: true, Twelfths: twelfths(d)}
	d.describe(n, d.classes())
	return n
}

// twelfths returns the last number of the option columns, which is that of wide windows.
func twelfths(d *Directive) (n int) {
	for _, word := range strings.Fields(d.option("columns")) {
		if w, err := strconv.Atoi(word); err == nil && w >= 1 && w <= 12 {
			n = w
		}
	}
	return n
}

// card returns a card. In its body a line ^^^ ends the header, and +++ begins the footer.
func card(d *Directive) ast.Node {
	n := &markdown.Card{Twelfths: twelfths(d)}
	d.describe(n, d.classes())
	header, footer := d.cardPart("header"), d.cardPart("footer")
	if at := divider(d, "^^^"); at != nil {
		header = partOf("header", d.FirstChild(), at)
		d.RemoveChild(d, at)
	}
	if at := divider(d, "+++"); at != nil {
		footer = partOf("footer", at.NextSibling(), nil)
		d.RemoveChild(d, at)
	}
	if header != nil {
		n.AppendChild(n, header)
	}
	title := &markdown.CardPart{Name: "title"}
	if d.Argument.Start < d.Argument.Stop {
		title.AppendChild(title, markdown.TextBlock(paragraph(d.Argument)))
	}
	if o, has := d.find("link"); has {
		n.Linked = true
		if !title.HasChildren() && header != nil && header.ChildCount() == 1 && header.FirstChild().Lines().Len() > 0 {
			title, header = header, nil // the header is the text of the link
			title.Name = "title"
		}
		d.linkTitle(title, o)
	}
	if title.HasChildren() {
		n.AppendChild(n, title)
	}
	markdown.MoveChildren(d, n)
	if footer != nil {
		n.AppendChild(n, footer)
	}
	return n
}

// cardPart returns the header or the footer of an option, or nil.
func (d *Directive) cardPart(name string) *markdown.CardPart {
	o, _ := d.find(name)
	if o.Value == "" {
		return nil
	}
	t := ast.NewTextBlock()
	t.SetPos(o.Lines[0].Start)
	t.Lines().AppendAll(o.Lines)
	part := &markdown.CardPart{Name: name}
	part.SetPos(t.Pos())
	part.AppendChild(part, t)
	return part
}

// divider returns the paragraph of a directive that is a line of marks, or nil. One that is the first or
// last line of a paragraph becomes a paragraph of its own.
func divider(d *Directive, marks string) ast.Node {
	for c := d.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != ast.KindParagraph {
			continue
		}
		lines := c.Lines()
		for i := range lines.Len() {
			l := lines.At(i)
			if strings.TrimSpace(string(l.Value(d.source))) != marks {
				continue
			}
			at := paragraph(markdown.Span{Start: l.Start, Stop: l.Stop})
			d.InsertAfter(d, c, at)
			if i+1 < lines.Len() {
				rest := ast.NewParagraph()
				rest.SetPos(lines.At(i + 1).Start)
				rest.Lines().AppendAll(lines.Sliced(i+1, lines.Len()))
				d.InsertAfter(d, at, rest)
			}
			if lines.SetSliced(0, i); i == 0 {
				d.RemoveChild(d, c)
			} else {
				last := lines.At(i - 1)
				lines.Set(i-1, last.TrimRightSpace(d.source))
			}
			return at
		}
	}
	return nil
}

// partOf returns a part of a card with the children of its directive from first up to end.
func partOf(name string, first, end ast.Node) *markdown.CardPart {
	part := &markdown.CardPart{Name: name}
	for c := first; c != nil && c != end; {
		next := c.NextSibling()
		part.AppendChild(part, c)
		c = next
	}
	return part
}

// linkTitle makes the title of a card the link of an option. Without a title it is that of the page.
func (d *Directive) linkTitle(part *markdown.CardPart, o markdown.Option) {
	t := part.FirstChild()
	if t == nil {
		t = ast.NewTextBlock()
		t.SetPos(d.Opening.Start)
		part.AppendChild(part, t)
	}
	d.afterInlines(func() {
		at := markdown.Span{Start: o.Stop - len(o.Value), Stop: o.Stop}
		switch {
		case len(markdown.Find[*ast.Link](t)) > 0: // it has one
		case t.HasChildren() || strings.Contains(o.Value, "://"):
			t.AppendChild(t, link(t, o.Value, at))
		default:
			t.AppendChild(t, &markdown.Reference{Destination: o.Value, Title: true, Span: at})
		}
	})
}

// button returns a link to its argument. Its body is the text.
func button(d *Directive) ast.Node {
	target := d.argument()
	if d.Name == "button-ref" {
		target = "#" + target
	}
	text, _ := d.FirstChild().(*ast.Paragraph)
	if text == nil {
		text = paragraph(markdown.Span{Start: d.Opening.Start})
		d.InsertBefore(d, d.FirstChild(), text)
	}
	d.afterInlines(func() {
		l := link(text, target, d.Argument)
		markdown.Identify(l, "", []string{"button"})
		text.AppendChild(text, l)
	})
	return nil
}
