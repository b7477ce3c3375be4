package pandoc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/figure"
)

// altAttribute is the attribute of an image's node that holds the place of its description.
const altAttribute = "gpudocs.alt"

// setImage sets the attributes that an image has in gpudocs: id, width, height, and the description.
func setImage(i *ast.Image, a markdown.Attributes, base int, source []byte) {
	markdown.Identify(i, a.ID, nil)
	a.Move(base)
	for _, item := range a.Items {
		switch value := strings.TrimSpace(item.Value); {
		case item.Name == "width" && figure.IsLength(value), item.Name == "height" && figure.IsPixels(value):
			i.SetAttributeString(item.Name, []byte(value))
		case (item.Name == "alt" || item.Name == "fig-alt") && item.HasValue:
			i.SetAttributeString(altAttribute, Value(item, source))
		}
	}
}

// captions makes figures of images alone in a paragraph, whose text is the caption, and of tables with a caption:
// https://pandoc.org/MANUAL.html#extension-implicit_figures, https://pandoc.org/MANUAL.html#extension-table_captions.
type captions struct{}

// Transform implements parser.ASTTransformer.
func (captions) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, n := range markdown.Find[*ast.Image](doc) {
		describeImage(n, reader.Source())
	}
	for _, n := range markdown.Find[*extast.Table](doc) {
		tableCaption(n, reader.Source())
	}
}

// describeImage makes a figure of an image that is alone in its paragraph and has a text, and sets its
// description.
func describeImage(i *ast.Image, source []byte) {
	alt := ""
	if at, ok := i.AttributeString(altAttribute); ok {
		at := at.(markdown.Span)
		alt = markdown.Unescape(source[at.Start:at.Stop])
		rest := i.Attributes()
		i.RemoveAttributes()
		for _, a := range rest {
			if string(a.Name) != altAttribute {
				i.SetAttribute(a.Name, a.Value)
			}
		}
	}
	p, ok := i.Parent().(*ast.Paragraph)
	switch id := markdown.TextAttribute(i, "id"); {
	case !ok, !i.HasChildren(), !alone(i, source):
	case id == "" && markdown.Within(p, markdown.KindFigure): // a part of a figure
		card, caption := &markdown.Card{Plain: true}, ast.NewParagraph()
		card.SetPos(p.Pos())
		caption.SetPos(i.Pos())
		if alt == "" {
			alt = markdown.Text(i, source, markdown.TextOptions{})
		}
		markdown.MoveChildren(i, caption)
		p.Parent().ReplaceChild(p.Parent(), p, card)
		card.AppendChild(card, p)
		card.AppendChild(card, caption)
	default:
		caption := &markdown.Caption{}
		caption.SetPos(i.Pos())
		markdown.MoveChildren(i, caption)
		if alt == "" {
			alt = strings.TrimSpace(markdown.Text(caption, source, markdown.TextOptions{}))
		}
		f := &markdown.Figure{Of: markdown.Image, ID: id}
		f.Width, f.Height = markdown.TextAttribute(i, "width"), markdown.TextAttribute(i, "height")
		i.RemoveAttributes()
		f.SetPos(p.Pos())
		p.Parent().ReplaceChild(p.Parent(), p, f)
		f.AppendChild(f, markdown.TextBlock(p))
		f.AppendChild(f, caption)
	}
	if alt != "" {
		i.RemoveChildren(i)
		i.AppendChild(i, ast.NewString([]byte(alt)))
	}
}

// alone reports whether nothing but an image is in its paragraph.
func alone(i *ast.Image, source []byte) bool {
	for c := i.Parent().FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); c != ast.Node(i) && (!ok || len(bytes.TrimSpace(t.Segment.Value(source))) > 0) {
			return false
		}
	}
	return true
}

// tableCaption makes a figure of a table and the paragraph after or before it that begins with a colon, ": text
// {#tbl-x}".
func tableCaption(t ast.Node, source []byte) {
	if t.Parent().Kind() == markdown.KindFigure {
		return
	}
	p := captionOf(t.NextSibling(), source)
	if p == nil {
		p = captionOf(t.PreviousSibling(), source)
	}
	if p == nil {
		return
	}
	f := &markdown.Figure{Of: markdown.Table}
	f.Wrap(t)
	p.Parent().RemoveChild(p.Parent(), p)
	for first, ok := p.FirstChild().(*ast.Text); ok; first, ok = p.FirstChild().(*ast.Text) { // after the colon
		s := first.Segment.WithStart(max(first.Segment.Start, p.Lines().At(0).Start+1))
		if first.Segment = s.TrimLeftSpace(source); !first.Segment.IsEmpty() || first.NextSibling() == nil {
			break
		}
		p.RemoveChild(p, first)
	}
	line := p.Lines().At(p.Lines().Len() - 1)
	rest, a := markdown.TrailingAttributes(line.Value(source))
	f.ID = a.ID
	stop := line.Start + len(bytes.TrimRight(rest, " \t"))
	for last, ok := p.LastChild().(*ast.Text); ok && last.Segment.Stop > stop; last, ok = p.LastChild().(*ast.Text) {
		if last.Segment.Start < stop {
			last.Segment = last.Segment.WithStop(stop)
			break
		}
		p.RemoveChild(p, last)
	}
	if p.HasChildren() {
		c := &markdown.Caption{}
		c.SetPos(p.Pos())
		markdown.MoveChildren(p, c)
		f.AppendChild(f, c)
	}
	if f.ID == "" && f.ChildCount() == 1 { // only widths of columns
		f.Parent().ReplaceChild(f.Parent(), f, t)
	}
}

// captionOf returns a paragraph that is a table's caption, or nil.
func captionOf(n ast.Node, source []byte) *ast.Paragraph {
	p, ok := n.(*ast.Paragraph)
	if !ok {
		return nil
	}
	if v := p.Lines().Value(source); len(v) < 2 || v[0] != ':' || v[1] != ' ' && v[1] != '\t' {
		return nil
	}
	return p
}
