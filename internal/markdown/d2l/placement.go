package d2l

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/figure"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// placement applies labels and sizes to what precedes them: a heading, an image, a table, an
// equation. An image alone in its paragraph becomes a figure with its text as the caption, as
// Pandoc does for d2lbook. A paragraph that begins with a colon is the caption of the table after
// it.
type placement struct{}

// Transform implements parser.ASTTransformer.
func (placement) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	p := placer{source: reader.Source(), pc: pc}
	var blocks []ast.Node
	for n := range markdown.Nodes(doc) {
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *extast.Table:
			blocks = append(blocks, n)
		}
	}
	for _, n := range blocks {
		switch n := n.(type) {
		case *extast.Table:
			p.table(n)
		case *ast.Heading:
			p.within(n, n)
		default:
			p.paragraph(n)
		}
	}
	for _, d := range markdown.Find[*Directive](doc) {
		if !d.Placed && d.Name == labelName {
			d.Parent().ReplaceChild(d.Parent(), d, &markdown.Anchor{Name: d.Argument, Span: d.Span})
		}
	}
}

type placer struct {
	source []byte
	pc     parser.Context
}

// paragraph places the directives in a paragraph, and removes the paragraph if it contained nothing
// else.
func (p *placer) paragraph(n ast.Node) {
	if p.figures(n) {
		return
	}
	before := n.PreviousSibling()
	p.within(n, before)
	if p.empty(n) && n.Parent() != nil {
		p.removeParagraph(n, before)
	}
}

// removeParagraph removes a paragraph that contains only directives, which are moved to a place where
// they show nothing.
func (p *placer) removeParagraph(n, before ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if d, ok := c.(*Directive); ok && !d.Placed || c.Kind() == markdown.KindBibliography {
			return // an anchor, or the place of the bibliography
		}
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if d, ok := c.(*Directive); ok && before != nil {
			moveHidden(d, before)
		}
		c = next
	}
	n.Parent().RemoveChild(n.Parent(), n)
}

// moveHidden moves a directive next to its target, to a place where it shows nothing.
func moveHidden(d *Directive, target ast.Node) {
	if f, ok := target.Parent().(*markdown.Figure); ok { // of a table
		target = f
	}
	if c, ok := target.LastChild().(*markdown.Caption); ok {
		target = c
	}
	switch target.(type) {
	case *ast.Heading, *markdown.Figure, *markdown.Caption:
		target.AppendChild(target, d)
	}
}

// within places the directives among the inlines of a block. before is the block that precedes its
// first word.
func (p *placer) within(n, before ast.Node) {
	target := before
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if d, ok := c.(*Directive); ok {
			p.place(d, target)
		} else if !p.blank(c) && n.Kind() != ast.KindHeading {
			target = c
		}
	}
}

// blank reports whether an inline shows nothing.
func (p *placer) blank(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Text:
		return len(bytes.TrimSpace(n.Segment.Value(p.source))) == 0
	case *Directive, *SlideMark, *markdown.Bibliography:
		return true
	}
	return false
}

// empty reports whether a paragraph shows nothing.
func (p *placer) empty(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if !p.blank(c) {
			return false
		}
	}
	return true
}

// place applies a directive to its target.
func (p *placer) place(d *Directive, target ast.Node) {
	switch t := target.(type) {
	case *ast.Heading:
		d.Placed = d.Name == labelName && giveID(t, d.Argument)
	case *markdown.Figure:
		d.Placed = applyTo(t, d)
	case *extast.Table, *ast.FencedCodeBlock, *ast.CodeBlock:
		if d.Name == labelName {
			d.Placed = applyTo(wrap(t), d)
		}
	case *markdown.MathBlock:
		d.Placed = addLabel(&t.Formula, d)
	case *markdown.Math:
		d.Placed = t.Display && addLabel(&t.Formula, d)
	case *ast.Paragraph: // that ends with an equation
		if last, ok := p.lastOf(t).(*markdown.Math); ok && last.Display {
			d.Placed = addLabel(&last.Formula, d)
		}
	}
	if d.Placed || d.Name == labelName {
		return
	}
	message, hint := diag.Say("markdown.role-without-image", "name", d.Name), diag.Say("markdown.role-without-image-hint")
	if d.Name == eqlabelName {
		message, hint = diag.Say("markdown.role-without-equation", "name", d.Name), diag.Say("markdown.role-without-equation-hint")
	} else if _, figure := target.(*markdown.Figure); figure {
		message = diag.Say("markdown.role-argument-invalid", "argument", d.Argument, "name", d.Name)
		hint = diag.Say("markdown.role-argument-invalid-hint")
	}
	warn(p.pc, d.Span, message, hint)
}

func (p *placer) lastOf(n ast.Node) ast.Node {
	c := n.LastChild()
	for c != nil && p.blank(c) {
		c = c.PreviousSibling()
	}
	return c
}

func giveID(n *ast.Heading, id string) bool {
	if _, has := n.AttributeString("id"); has {
		return false
	}
	n.SetAttributeString("id", []byte(id))
	return true
}

// cssLength removes blanks and fractions, which are usual in LaTeX: "300.5 px".
func cssLength(s string) string {
	s = strings.ReplaceAll(s, " ", "")
	number := strings.TrimRight(s, "%pxPX")
	whole, _, _ := strings.Cut(number, ".")
	return whole + strings.ToLower(s[len(number):])
}

// applyTo applies a directive to a figure, and reports whether the directive is known.
func applyTo(f *markdown.Figure, d *Directive) bool {
	switch d.Name {
	case labelName:
		if f.ID != "" {
			return false
		}
		f.ID = d.Argument
	case widthName:
		f.Width = cssLength(d.Argument)
		return figure.IsLength(f.Width)
	case heightName:
		f.Height = cssLength(d.Argument)
		return figure.IsPixels(f.Height)
	default:
		return false
	}
	return true
}

// addLabel labels an equation, and reports whether the directive is such a label.
func addLabel(f *markdown.Formula, d *Directive) bool {
	if d.Name != eqlabelName && d.Name != labelName {
		return false
	}
	f.AddLabel(markdown.Label{Name: d.Argument, Span: d.Span})
	return true
}

// wrap moves a block into a figure of its series.
func wrap(n ast.Node) *markdown.Figure {
	f := &markdown.Figure{Of: markdown.Listing}
	if n.Kind() == extast.KindTable {
		f.Of = markdown.Table
	}
	f.Wrap(n)
	return f
}

// figures makes figures of a paragraph of images, each with its directives.
func (p *placer) figures(n ast.Node) bool {
	images, directives := 0, 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.Image:
			images++
		case *Directive:
			directives++
		default:
			if !p.blank(c) {
				return false
			}
		}
	}
	if n.Kind() != ast.KindParagraph || images == 0 || images > 1 && directives == 0 || !p.isFigure(n) {
		return false
	}
	var now *markdown.Figure
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch c := c.(type) {
		case *ast.Image:
			now = p.figure(c)
			n.Parent().InsertBefore(n.Parent(), n, now)
		case *Directive:
			p.place(c, now)
			moveHidden(c, now)
		}
		c = next
	}
	n.Parent().RemoveChild(n.Parent(), n)
	return true
}

// isFigure reports whether a paragraph begins with an image that has a text or a directive.
func (p *placer) isFigure(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if i, ok := c.(*ast.Image); ok {
			return i.HasChildren() || c.NextSibling() != nil
		}
		if !p.blank(c) || c.Kind() == KindDirective {
			return false
		}
	}
	return false
}

// figure makes a figure of an image. Its text is the caption and, without markup, the description.
func (p *placer) figure(i *ast.Image) *markdown.Figure {
	f := &markdown.Figure{Of: markdown.Image}
	f.SetPos(i.Pos())
	caption := &markdown.Caption{}
	markdown.MoveChildren(i, caption)
	i.AppendChild(i, ast.NewString([]byte(strings.TrimSpace(markdown.Text(caption, p.source, markdown.TextOptions{})))))
	holder := ast.NewTextBlock()
	holder.SetPos(i.Pos())
	holder.AppendChild(holder, i)
	f.AppendChild(f, holder)
	if caption.HasChildren() {
		f.AppendChild(f, caption)
	}
	return f
}

var captionForm = lazyregexp.New(`^:[ \t]*[^\s:` + "`" + `]`)

// table takes the directives in the last row of a table, which GFM makes of the line after it, and
// the caption before it.
func (p *placer) table(t *extast.Table) {
	directives := p.lastRow(t)
	caption := p.tableCaption(t)
	if len(directives) == 0 && caption == nil {
		return
	}
	f := wrap(t)
	for _, d := range directives {
		p.place(d, f)
	}
	if caption != nil {
		f.AppendChild(f, caption)
	}
	for _, d := range directives {
		moveHidden(d, f)
	}
}

// lastRow removes the directives from a table, and the row if it contains nothing else.
func (p *placer) lastRow(t *extast.Table) (list []*Directive) {
	row, ok := t.LastChild().(*extast.TableRow)
	if !ok {
		return nil
	}
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		for c := cell.FirstChild(); c != nil; c = c.NextSibling() {
			d, ok := c.(*Directive)
			if !ok && !p.blank(c) {
				return nil
			}
			if ok {
				list = append(list, d)
			}
		}
	}
	if len(list) > 0 {
		t.RemoveChild(t, row)
	}
	return list
}

// tableCaption takes the paragraph before a table if it begins with a colon.
func (p *placer) tableCaption(t *extast.Table) *markdown.Caption {
	before, ok := t.PreviousSibling().(*ast.Paragraph)
	if !ok {
		return p.describedTable(t)
	}
	first, ok := before.FirstChild().(*ast.Text)
	if !ok || !captionForm.Match(before.Lines().Value(p.source)) {
		return nil
	}
	segment := text.NewSegment(first.Segment.Start+1, first.Segment.Stop)
	first.Segment = segment.TrimLeftSpace(p.source)
	caption := &markdown.Caption{}
	caption.SetPos(before.Pos())
	markdown.MoveChildren(before, caption)
	before.Parent().RemoveChild(before.Parent(), before)
	return caption
}

// describedTable takes a caption that was parsed as part of a definition list: after a paragraph,
// ": text" is its description, unless a table follows.
func (p *placer) describedTable(t *extast.Table) *markdown.Caption {
	list, ok := t.PreviousSibling().(*extast.DefinitionList)
	if !ok {
		return nil
	}
	last, ok := list.LastChild().(*extast.DefinitionDescription)
	if !ok || !last.HasBlankPreviousLines() || last.ChildCount() != 1 {
		return nil
	}
	caption := &markdown.Caption{}
	caption.SetPos(last.Pos())
	markdown.MoveChildren(last.FirstChild(), caption)
	list.RemoveChild(list, last)
	paragraph := ast.NewParagraph()
	paragraph.SetPos(list.Pos())
	for term := list.LastChild(); term != nil && term.Kind() == extast.KindDefinitionTerm; term = list.LastChild() {
		if paragraph.HasChildren() {
			lineBreak := ast.NewTextSegment(textAt(term))
			lineBreak.SetSoftLineBreak(true)
			paragraph.InsertBefore(paragraph, paragraph.FirstChild(), lineBreak)
		}
		for c := term.LastChild(); c != nil; c = term.LastChild() {
			paragraph.InsertBefore(paragraph, paragraph.FirstChild(), c)
		}
		list.RemoveChild(list, term)
	}
	list.Parent().InsertAfter(list.Parent(), list, paragraph)
	p.paragraph(paragraph)
	if !list.HasChildren() {
		list.Parent().RemoveChild(list.Parent(), list)
	}
	return caption
}

// textAt returns the empty segment at the end of a block's lines.
func textAt(n ast.Node) text.Segment {
	end := n.Pos()
	if n.Lines().Len() > 0 {
		end = n.Lines().At(n.Lines().Len() - 1).Stop
	}
	return text.NewSegment(end, end)
}
