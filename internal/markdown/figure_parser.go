package markdown

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// figureFeature makes a [Figure] of an image that stands alone in its paragraph and
// has a title or an id, and of
//
//	:::figure Caption with *markup* {#tab-x width=60%}
//	a table, code, a diagram, or images
//	:::
type figureFeature struct{}

// Extend implements goldmark.Extender.
func (figureFeature) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(figureParser{}, 85)), // before containers (90)
		parser.WithParagraphTransformers(util.Prioritized(figureFinder{}, 300)),
		parser.WithASTTransformers(util.Prioritized(figureFinisher{}, 100)),
	)
}

// figureFinder turns a paragraph of nothing but ![alt](file "caption") into a figure
// before its inline text is read, so that the caption's is read as well.
type figureFinder struct{}

// Transform implements parser.ParagraphTransformer.
func (figureFinder) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if !isOpen(p, pc) { // it is about to become a heading
		return
	}
	lines := trimmed(p.Lines(), reader.Source())
	title, quote := soleImage(text.NewBlockReader(reader.Source(), lines))
	if title == nil {
		return
	}
	image, caption := ast.NewTextBlock(), &Caption{quote: quote}
	image.SetPos(p.Pos())
	image.SetLines(lines)
	caption.SetLines(title)
	caption.SetPos(title.At(0).Start)
	f := &Figure{Of: Image, image: true}
	f.SetPos(p.Pos())
	f.SetBlankPreviousLines(p.HasBlankPreviousLines())
	f.AppendChild(f, image)
	f.AppendChild(f, caption)
	p.Parent().ReplaceChild(p.Parent(), p, f)
}

func isOpen(p ast.Node, pc parser.Context) bool {
	open := pc.OpenedBlocks()
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Node == p {
			return true
		}
	}
	return false
}

// trimmed are lines without the blanks at their beginnings and at the end of the last,
// as goldmark has those of a paragraph.
func trimmed(lines *text.Segments, source []byte) *text.Segments {
	out := text.NewSegments()
	for i := range lines.Len() {
		l := lines.At(i)
		l = l.TrimLeftSpace(source)
		if i == lines.Len()-1 {
			l = l.TrimRightSpace(source)
		}
		if !l.IsEmpty() { // goldmark reads no empty line
			out.Append(l)
		}
	}
	return out
}

// soleImage returns the title of an image, if there is nothing else, and the mark
// around it. It reads what goldmark will; where the two differ, the figure becomes a
// paragraph again.
func soleImage(r text.Reader) (title *text.Segments, quote byte) {
	if line, _ := r.PeekLine(); !bytes.HasPrefix(line, []byte("![")) {
		return nil, 0
	}
	r.Advance(2)
	if _, ok := r.FindClosure('[', ']', text.FindClosureOptions{CodeSpan: true, Nesting: true, Newline: true, Advance: true}); !ok || r.Peek() != '(' {
		return nil, 0
	}
	r.Advance(1)
	r.SkipSpaces()
	line, _ := r.PeekLine()
	n := destination(line)
	r.Advance(n)
	r.SkipSpaces()
	open := r.Peek()
	closing := open
	switch {
	case n == 0:
		return nil, 0
	case open == '(':
		closing = ')'
	case open != '"' && open != '\'':
		return nil, 0
	}
	r.Advance(1)
	found, ok := r.FindClosure(open, closing, text.FindClosureOptions{Newline: true, Advance: true})
	if !ok || blank(found, r.Source()) {
		return nil, 0
	}
	r.SkipSpaces()
	if r.Peek() != ')' {
		return nil, 0
	}
	r.Advance(1)
	rest, _ := r.PeekLine()
	if a, ok := parseBraces(rest, 0); ok && describes(a) {
		rest = rest[a.Stop:]
	}
	if !util.IsBlank(rest) {
		return nil, 0
	}
	return trimmed(found, r.Source()), open
}

// destination is how long the address is with which a line begins.
func destination(line []byte) int {
	if bytes.HasPrefix(line, []byte("<")) {
		return bytes.IndexByte(line, '>') + 1
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')' && depth == 0, util.IsSpace(c):
			return i
		case c == ')':
			depth--
		}
	}
	return len(line)
}

func blank(s *text.Segments, source []byte) bool {
	for i := range s.Len() {
		if l := s.At(i); !util.IsBlank(l.Value(source)) {
			return false
		}
	}
	return true
}

// figureParser reads :::figure. All but its first line is a container's.
type figureParser struct{ containerParser }

// Open implements parser.BlockParser.
func (figureParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, base := restOfLine(reader, pc)
	n := leading(line, ':')
	at := n + len(line[n:]) - len(bytes.TrimLeft(line[n:], " \t"))
	name, named := bytes.CutPrefix(line[at:], []byte("figure"))
	if n < 3 || !named || (len(name) > 0 && !bytes.ContainsAny(name[:1], " \t{")) || !nest(pc, +1) {
		return nil, parser.NoChildren
	}
	f := &Figure{fence: &Container{Name: "figure", Colons: n}}
	at += len("figure")
	base += at
	title, a := trailingBraces(line[at:])
	if !describes(a) {
		title, a = line[at:], Attributes{}
	}
	f.describe(a, base, pc)
	if start, stop := len(title)-len(bytes.TrimLeft(title, " \t\r\n")), len(bytes.TrimRight(title, " \t\r\n")); start < stop {
		f.caption = &Caption{}
		f.caption.SetPos(base + start)
		f.caption.Lines().Append(text.NewSegment(base+start, base+stop))
	}
	open, _ := pc.Get(openContainers).([]*Container)
	pc.Set(openContainers, append(open, f.fence))
	reader.AdvanceToEOL()
	return f, parser.HasChildren
}

// describe gives a figure its attributes, whose places are counted from base on.
func (f *Figure) describe(a Attributes, base int, pc parser.Context) {
	f.ID = a.ID
	if a.Classes != nil {
		f.SetAttributeString("class", []byte(strings.Join(a.Classes, " ")))
	}
	for _, i := range a.Items {
		at := Span{base + i.Start, base + i.Stop}
		switch {
		case i.Name == "width" && length.MatchString(i.Value):
			f.Width = i.Value
		case i.Name == "height" && pixels.MatchString(i.Value):
			f.Height = i.Value
		case i.Name == "width", i.Name == "height":
			report(pc, Fault{Span: at, Message: diag.Say(`"%s" is no %s`, i.Value, i.Name), Hint: diag.Say("write width=400px, width=60%% or height=300px")})
		default:
			report(pc, Fault{Span: at, Message: diag.Say("a figure knows no attribute %q", i.Name), Hint: diag.Say("known are width, height, #id and .class")})
		}
	}
}

// Continue implements parser.BlockParser.
func (p figureParser) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	return p.containerParser.Continue(n.(*Figure).fence, reader, pc)
}

// Close implements parser.BlockParser.
func (p figureParser) Close(n ast.Node, reader text.Reader, pc parser.Context) {
	f := n.(*Figure)
	p.containerParser.Close(f.fence, reader, pc)
	if !f.HasChildren() {
		report(pc, Fault{Span: f.opening(), Message: diag.Say("a figure without anything in it"), Hint: diag.Say("put the table, the code or the images between its lines")})
	}
	if f.caption != nil {
		f.AppendChild(f, f.caption)
	}
	if !f.fence.Closed {
		report(pc, Fault{Span: f.opening(), Error: true,
			Message: diag.Say("the ::: container is not closed"), Hint: diag.Say("end it with a line of %s", strings.Repeat(":", f.fence.Colons))})
	}
}

// opening is the extent of the marks and the name of :::figure.
func (f *Figure) opening() Span {
	return Span{f.Pos(), f.Pos() + f.fence.Colons + len("figure")}
}

// figureFinisher gives figures what is known once their inline text is read.
type figureFinisher struct{}

// Transform implements parser.ASTTransformer.
func (figureFinisher) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var figures []*Figure
	var alone []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *Figure:
			figures = append(figures, n)
		case *ast.Paragraph, *ast.TextBlock:
			if image := onlyImage(n); image != nil && ImageAttribute(image, "id") != "" && !within(n, KindFigure) {
				alone = append(alone, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, f := range figures {
		switch {
		case f.fence != nil:
			f.Of = counted(f, reader.Source())
		case f.image:
			fromImage(f)
		case f.captions > 0 && onlyImage(f.FirstChild()) != nil:
			text := asTextBlock(f.FirstChild())
			if text != f.FirstChild() {
				f.ReplaceChild(f, f.FirstChild(), text)
			}
			fromImage(f)
		}
	}
	for _, p := range alone {
		f := &Figure{Of: Image}
		f.SetPos(p.Pos())
		p.Parent().ReplaceChild(p.Parent(), p, f)
		f.AppendChild(f, asTextBlock(p))
		fromImage(f)
	}
}

// fromImage moves to the figure what its image was given.
func fromImage(f *Figure) {
	image := onlyImage(f.FirstChild())
	if image == nil { // it was no image after all
		unwrap(f)
		return
	}
	f.ID = cmp.Or(f.ID, ImageAttribute(image, "id"))
	f.Width, f.Height = ImageAttribute(image, "width"), ImageAttribute(image, "height")
	rest := image.Attributes()
	image.RemoveAttributes()
	for _, a := range rest {
		if name := string(a.Name); name == "class" || name == "loading" || name == "align" {
			image.SetAttribute(a.Name, a.Value)
		}
	}
	if f.image {
		image.Title = nil // it is the caption
	}
}

// onlyImage is the image that is all of a block's text, or nil.
func onlyImage(block ast.Node) *ast.Image {
	image, ok := block.FirstChild().(*ast.Image)
	for c := block.FirstChild(); c != nil && ok; c = c.NextSibling() {
		if t, empty := c.(*ast.Text); c != image && (!empty || t.Segment.Len() > 0) {
			return nil
		}
	}
	return image
}

// asTextBlock is a paragraph without the <p> around it.
func asTextBlock(p ast.Node) ast.Node {
	if p.Kind() == ast.KindTextBlock {
		return p
	}
	t := ast.NewTextBlock()
	t.SetPos(p.Pos())
	t.SetLines(p.Lines())
	for c := p.FirstChild(); c != nil; c = p.FirstChild() {
		t.AppendChild(t, c)
	}
	return t
}

func unwrap(f *Figure) {
	block := f.FirstChild()
	p := ast.NewParagraph()
	p.SetPos(f.Pos())
	p.SetLines(block.Lines())
	for c := block.FirstChild(); c != nil; c = block.FirstChild() {
		p.AppendChild(p, c)
	}
	f.Parent().ReplaceChild(f.Parent(), f, p)
}

func within(n ast.Node, kind ast.NodeKind) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == kind {
			return true
		}
	}
	return false
}

// counted is what the first thing in a figure counts as. A diagram is an image.
func counted(f *Figure, source []byte) Numbered {
	of := Image
	_ = ast.Walk(f, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *extast.Table:
			of = Table
		case *ast.FencedCodeBlock:
			if string(n.Language(source)) != "mermaid" {
				of = Listing
			}
		case *ast.CodeBlock:
			of = Listing
		case *ast.Image:
		default:
			return ast.WalkContinue, nil
		}
		return ast.WalkStop, nil
	})
	return of
}
