// Package figure reads figures, the attributes of images, and references to numbers.
//
// A [markdown.Figure] is an image that is alone in its paragraph and has a title or an id, and
//
//	:::figure Caption with *markup* {#tab-x width=60%}
//	a table, code, a diagram, or images
//	:::
package figure

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Syntax is figures, the attributes of images, and references to numbers.
var Syntax = markdown.Syntax{
	Parsers: func(markdown.Options) []parser.Option {
		return []parser.Option{
			parser.WithBlockParsers(util.Prioritized(figureParser{}, 85)), // before containers (90)
			parser.WithInlineParsers(
				util.Prioritized(imageAttributes{}, 95),
				util.Prioritized(referenceParser{}, 190), // before links (200)
			),
			parser.WithParagraphTransformers(util.Prioritized(figureFinder{}, 300)),
			parser.WithASTTransformers(util.Prioritized(figureFinisher{}, 100)),
		}
	},
	HTML: markdown.HTML{markdown.KindFigure: writeFigure, markdown.KindCaption: writeCaption, markdown.KindReference: writeReference},
}

// figureFinder turns a paragraph that consists of ![alt](file "caption") into a figure before its
// inline text is parsed, so that the caption is parsed too.
type figureFinder struct{}

// Transform implements parser.ParagraphTransformer.
func (figureFinder) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if !slices.ContainsFunc(pc.OpenedBlocks(), func(b parser.Block) bool { return b.Node == p }) { // it is becoming a heading
		return
	}
	lines := markdown.TrimmedLines(p.Lines(), reader.Source())
	title, quote := soleImage(text.NewBlockReader(reader.Source(), lines))
	if title == nil {
		return
	}
	image, caption := ast.NewTextBlock(), markdown.NewCaption(title)
	image.SetPos(p.Pos())
	image.SetLines(lines)
	caption.Quote = quote
	f := &markdown.Figure{Of: markdown.Image}
	f.SetPos(p.Pos())
	f.SetBlankPreviousLines(p.HasBlankPreviousLines())
	f.AppendChild(f, image)
	f.AppendChild(f, caption)
	p.Parent().ReplaceChild(p.Parent(), p, f)
}

// soleImage returns the title of an image, if the text consists of it, and the quotation mark
// around it. It parses what goldmark parses later; if the two differ, the figure becomes a
// paragraph again.
func soleImage(r text.Reader) (title *text.Segments, quote byte) {
	if line, _ := r.PeekLine(); !bytes.HasPrefix(line, []byte("![")) {
		return nil, 0
	}
	r.Advance(2)
	if _, ok := r.FindClosure('[', ']', text.FindClosureOptions{CodeSpan: true, Nesting: true, Newline: true, Advance: true}); !ok ||
		r.Peek() != '(' {
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
	if a, ok := markdown.ParseAttributes(rest, 0); ok && describes(a) {
		rest = rest[a.Stop:]
	}
	if !util.IsBlank(rest) {
		return nil, 0
	}
	return markdown.TrimmedLines(found, r.Source()), open
}

// destination returns the length of the address at the beginning of a line.
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

// An openFigure is :::figure while it is parsed.
type openFigure struct {
	markdown.Figure
	fence   *container.Block
	caption *markdown.Caption
}

// figureParser parses :::figure. Except for its first line it is a container.
type figureParser struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (figureParser) Trigger() []byte { return []byte{':'} }

// Open implements parser.BlockParser.
func (figureParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, base := markdown.RestOfLine(reader, pc)
	n := container.Leading(line, ':')
	at := n + len(line[n:]) - len(bytes.TrimLeft(line[n:], " \t"))
	name, named := bytes.CutPrefix(line[at:], []byte("figure"))
	if n < 3 || !named || (len(name) > 0 && !bytes.ContainsAny(name[:1], " \t{")) {
		return nil, parser.NoChildren
	}
	f := &openFigure{fence: &container.Block{Form: container.Colons, Name: "figure", Marks: n}}
	if !f.fence.Begin(pc) {
		return nil, parser.NoChildren
	}
	at += len("figure")
	base += at
	title, a := markdown.TrailingAttributes(line[at:])
	if !describes(a) {
		title, a = line[at:], markdown.Attributes{}
	}
	describe(&f.Figure, a, base, pc)
	if start, stop := len(title)-len(bytes.TrimLeft(title, " \t\r\n")), len(bytes.TrimRight(title, " \t\r\n")); start < stop {
		line := text.NewSegments()
		line.Append(text.NewSegment(base+start, base+stop))
		f.caption = markdown.NewCaption(line)
	}
	reader.AdvanceToEOL()
	return f, parser.HasChildren
}

// describe sets the attributes of a figure. Their offsets are relative to base.
func describe(f *markdown.Figure, a markdown.Attributes, base int, pc parser.Context) {
	f.ID = a.ID
	markdown.Identify(f, "", a.Classes)
	for _, i := range a.Items {
		at := markdown.Span{Start: base + i.Start, Stop: base + i.Stop}
		switch {
		case i.Name == "width" && IsLength(i.Value):
			f.Width = i.Value
		case i.Name == "height" && IsPixels(i.Value):
			f.Height = i.Value
		case i.Name == "width", i.Name == "height":
			markdown.Warn(pc, at,
				diag.Say("markdown.role-argument-invalid", "argument", i.Value, "name", i.Name), diag.Say("markdown.size-hint"))
		default:
			markdown.Warn(pc, at,
				diag.Say("markdown.figure-attribute-unknown", "name", i.Name), diag.Say("markdown.figure-attribute-unknown-hint"))
		}
	}
}

// Continue implements parser.BlockParser.
func (figureParser) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	return n.(*openFigure).fence.Continue(reader, pc)
}

// Close implements parser.BlockParser. The series of the figure is determined when its inline text
// is parsed.
func (figureParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	n := node.(*openFigure)
	n.fence.End(pc)
	opening := markdown.Span{Start: n.Pos(), Stop: n.Pos() + n.fence.Marks + len("figure")}
	if !n.HasChildren() {
		markdown.Warn(pc, opening, diag.Say("markdown.figure-empty"), diag.Say("markdown.figure-empty-hint"))
	}
	if !n.fence.Closed {
		markdown.Report(pc, markdown.Fault{Span: opening, Error: true,
			Message: diag.Say("markdown.colon-container-not-closed"), Hint: diag.Say("markdown.container-end-hint",
				"line", strings.Repeat(":", n.fence.Marks))})
	}
	f := &markdown.Figure{ID: n.ID, Width: n.Width, Height: n.Height}
	for _, a := range n.Attributes() {
		f.SetAttribute(a.Name, a.Value)
	}
	markdown.Replace(n, f)
	if n.caption != nil {
		f.AppendChild(f, n.caption)
	}
}

// figureFinisher completes figures when their inline text is parsed.
type figureFinisher struct{}

// Transform implements parser.ASTTransformer.
func (figureFinisher) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var figures []*markdown.Figure
	var paragraphs []ast.Node
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *markdown.Figure:
			figures = append(figures, n)
		case *ast.Paragraph, *ast.TextBlock:
			if image := onlyImage(n); image != nil && markdown.TextAttribute(image, "id") != "" && !markdown.Within(n, markdown.KindFigure) {
				paragraphs = append(paragraphs, n)
			}
		}
	}
	for _, f := range figures {
		switch {
		case f.Of == "":
			f.Of = Counted(f, reader.Source())
		case isTitledImage(f):
			fromImage(f)
		case f.CaptionOpening != (markdown.Span{}) && onlyImage(f.FirstChild()) != nil:
			text := markdown.TextBlock(f.FirstChild())
			if text != f.FirstChild() {
				f.ReplaceChild(f, f.FirstChild(), text)
			}
			fromImage(f)
		}
	}
	for _, p := range paragraphs {
		f := &markdown.Figure{Of: markdown.Image}
		f.SetPos(p.Pos())
		p.Parent().ReplaceChild(p.Parent(), p, f)
		f.AppendChild(f, markdown.TextBlock(p))
		fromImage(f)
	}
}

// isTitledImage reports whether an image with a title became the figure.
func isTitledImage(f *markdown.Figure) bool {
	c, ok := f.LastChild().(*markdown.Caption)
	return ok && c.Quote != 0
}

// fromImage moves the attributes of its image to the figure.
func fromImage(f *markdown.Figure) {
	image := onlyImage(f.FirstChild())
	if image == nil { // it was not an image after all
		unwrap(f)
		return
	}
	f.ID = cmp.Or(f.ID, markdown.TextAttribute(image, "id"))
	f.Width, f.Height = markdown.TextAttribute(image, "width"), markdown.TextAttribute(image, "height")
	rest := image.Attributes()
	image.RemoveAttributes()
	for _, a := range rest {
		if name := string(a.Name); name == "class" || name == "loading" || name == "align" {
			image.SetAttribute(a.Name, a.Value)
		}
	}
	if isTitledImage(f) {
		image.Title = nil // it is the caption
	}
}

// onlyImage returns the image that a block consists of, or nil.
func onlyImage(block ast.Node) *ast.Image {
	image, ok := block.FirstChild().(*ast.Image)
	for c := block.FirstChild(); c != nil && ok; c = c.NextSibling() {
		if t, empty := c.(*ast.Text); c != image && (!empty || t.Segment.Len() > 0) {
			return nil
		}
	}
	return image
}

func unwrap(f *markdown.Figure) {
	block := f.FirstChild()
	p := ast.NewParagraph()
	p.SetPos(f.Pos())
	p.SetLines(block.Lines())
	markdown.MoveChildren(block, p)
	f.Parent().ReplaceChild(f.Parent(), f, p)
}

// Counted returns the series of the first thing in a figure. A diagram is an image.
func Counted(f *markdown.Figure, source []byte) markdown.Numbered {
	for n := range markdown.Nodes(f) {
		switch n := n.(type) {
		case *extast.Table:
			return markdown.Table
		case *ast.FencedCodeBlock:
			if string(n.Language(source)) != "mermaid" {
				return markdown.Listing
			}
			return markdown.Image
		case *ast.CodeBlock:
			return markdown.Listing
		case *ast.Image:
			return markdown.Image
		}
	}
	return markdown.Image
}

// writeFigure writes a figure without its number, which only the site knows.
func writeFigure(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</figure>\n")
		return ast.WalkContinue, err
	}
	_, _ = w.WriteString("<figure")
	if id := n.(*markdown.Figure).ID; id != "" {
		_, _ = w.WriteString(` id="`)
		_, _ = w.Write(util.EscapeHTML([]byte(id)))
		_ = w.WriteByte('"')
	}
	_, err := w.WriteString(">\n")
	return ast.WalkContinue, err
}

// writeCaption writes a caption as HTML.
func writeCaption(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "<figcaption>"
	if !entering {
		tag = "</figcaption>\n"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}
