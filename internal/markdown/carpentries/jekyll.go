package carpentries

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Older lessons are pages of Jekyll, https://carpentries.github.io/lesson-example/: kramdown's attributes after a block,
// Liquid, and questions in the front matter.

// attributeLine reads the line after a quote or a fence that says what it is: {: .challenge},
// {: .language-bash}. Other attributes have no effect.
type attributeLine struct{ markdown.BlockParser }

var attributeForm = lazyregexp.New(`^\{:([^{}%]*)\}$`)

// Trigger implements parser.BlockParser.
func (attributeLine) Trigger() []byte { return []byte{'{'} }

// Open implements parser.BlockParser.
func (attributeLine) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	if !attributeForm.Match(line) {
		return nil, parser.NoChildren
	}
	n := &markdown.Container{Name: "attributes", Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	n.SetPos(from)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// Close implements parser.BlockParser.
func (attributeLine) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	n := node.(*markdown.Container)
	if afterBlank(reader.Source()[:n.Opening.Start]) {
		return
	}
	line := reader.Source()[n.Opening.Start:n.Opening.Stop]
	for class := range strings.FieldsSeq(string(bytes.Trim(line, "{:}"))) {
		class = strings.TrimPrefix(class, ".")
		switch before := n.PreviousSibling().(type) {
		case *ast.FencedCodeBlock:
			pandoc.ShowAs(before, strings.TrimPrefix(class, "language-"), n.Opening)
		case *ast.Blockquote:
			if b, ok := boxes[class]; ok {
				callout(before, b)
			}
		}
	}
}

// afterBlank reports whether the line before the end of a text is blank, but for the marks of quotes.
func afterBlank(source []byte) bool {
	end := max(bytes.LastIndexByte(source, '\n'), 0)
	start := bytes.LastIndexByte(source[:end], '\n') + 1
	return len(bytes.Trim(source[start:end], " \t\r>")) == 0
}

// callout replaces a quote by a callout. The heading that begins it is the title.
func callout(quote *ast.Blockquote, b box) {
	c := &markdown.Callout{Name: b.name, Fold: b.fold, Opening: markdown.Span{Start: quote.Pos(), Stop: quote.Pos() + 1}}
	pandoc.TakeTitle(quote, c)
	markdown.Replace(quote, c)
}

// liquidBlock reads tags of Liquid in lines of their own: {% include links.md %}. A figure is shown, and the others are
// left out.
type liquidBlock struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (liquidBlock) Trigger() []byte { return []byte{'{'} }

var (
	figureTag = lazyregexp.New(`^\{%-?[ \t]*include[ \t]+figure\.html\b`)
	tagValue  = lazyregexp.New(`\b(file|alt|caption)="([^"]*)"`)
)

// maxTag bounds the lines of a tag.
const maxTag = 20

// Open implements parser.BlockParser.
func (liquidBlock) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	if !bytes.HasPrefix(line, []byte("{%")) {
		return nil, parser.NoChildren
	}
	// A tag may have several lines.
	source := reader.Source()
	stop := from
	for range maxTag {
		end := bytes.IndexByte(source[stop:], '\n')
		if end < 0 {
			end = len(source) - stop
		}
		last := bytes.TrimRight(source[stop:stop+end], " \t\r")
		if bytes.HasSuffix(last, []byte("%}")) {
			n := &markdown.Container{Name: "liquid", Opening: markdown.Span{Start: from, Stop: stop + len(last)}}
			n.SetPos(from)
			reader.AdvanceToEOL()
			return n, parser.NoChildren
		}
		if stop += end + 1; stop >= len(source) || len(last) == 0 {
			break
		}
	}
	return nil, parser.NoChildren
}

// Continue implements parser.BlockParser.
func (liquidBlock) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, segment := reader.PeekLine()
	if segment.Start >= node.(*markdown.Container).Opening.Stop {
		return parser.Close
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (liquidBlock) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	n := node.(*markdown.Container)
	tag := reader.Source()[n.Opening.Start:n.Opening.Stop]
	if !figureTag.Match(tag) {
		tellLiquid(pc, n.Opening)
		return
	}
	f, image, lines := &markdown.Figure{Of: markdown.Image}, ast.NewImage(ast.NewLink()), text.NewSegments()
	for _, m := range tagValue.FindAllSubmatchIndex(tag, -1) {
		value := tag[m[4]:m[5]]
		switch string(tag[m[2]:m[3]]) {
		case "file":
			image.Destination = value
		case "alt":
			image.AppendChild(image, ast.NewString(bytes.Join(bytes.Fields(value), []byte(" "))))
		default:
			at := n.Opening.Start + m[4]
			for line := range bytes.Lines(value) {
				lines.Append(text.NewSegment(at, at+len(line)))
				at += len(line)
			}
		}
	}
	pandoc.AddCaption(f, markdown.TrimmedLines(lines, reader.Source()))
	markdown.Replace(n, f)
	figures, _ := pc.Get(figuresKey).([]lessonFigure)
	pc.Set(figuresKey, append(figures, lessonFigure{f, image}))
}

// figuresKey is the key of the figures of a page, which get their images when the text of the page is parsed.
var figuresKey = parser.NewContextKey()

type lessonFigure struct {
	*markdown.Figure
	image *ast.Image
}

func tellLiquid(pc parser.Context, at markdown.Span) {
	pandoc.WarnOnce(pc, at, diag.Say("markdown.liquid-kept"), diag.Say("markdown.liquid-kept-hint"))
}

// liquidParser reads Liquid in text: the name of a value is shown as code, and tags are left out.
type liquidParser struct{}

var liquidForm = lazyregexp.New(`^\{(?:\{-?[ \t]*([^{}\n]{1,300}?)[ \t]*-?\}\}|%[^%\n]{1,300}%\})`)

// Trigger implements parser.InlineParser.
func (liquidParser) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (liquidParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := liquidForm.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	block.Advance(m[1])
	tellLiquid(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + m[1]})
	if m[2] < 0 {
		return ast.NewString(nil)
	}
	code := ast.NewCodeSpan()
	code.AppendChild(code, ast.NewRawTextSegment(text.NewSegment(segment.Start+m[2], segment.Start+m[3])))
	return code
}

// questionsParser reads the lists of questions, objectives and key points in the front matter, of which package frontmatter
// keeps the text.
type questionsParser struct{ markdown.BlockParser }

var questionsForm = lazyregexp.New(`^(questions|objectives|keypoints):$`)

// Trigger implements parser.BlockParser.
func (questionsParser) Trigger() []byte { return []byte{'q', 'o', 'k'} }

// Open implements parser.BlockParser.
func (questionsParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := questionsForm.FindSubmatch(line)
	if m == nil || parent.Kind() != ast.KindDocument || reader.Source()[0] != ' ' {
		return nil, parser.NoChildren
	}
	if before, ok := parent.LastChild().(*markdown.Callout); parent.HasChildren() && (!ok || !inFrontMatter(before)) {
		return nil, parser.NoChildren
	}
	n := &markdown.Callout{Name: boxes[string(m[1])].name, Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	n.SetPos(from)
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

// Continue implements parser.BlockParser.
func (questionsParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if line = bytes.TrimRight(line, " \t\r\n"); len(line) == 0 || questionsForm.Match(line) {
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// inFrontMatter reports whether a callout is from the front matter, where it has no mark.
func inFrontMatter(n *markdown.Callout) bool {
	return strings.HasPrefix(n.Name, "lesson-") && n.Closing == (markdown.Span{}) && n.FirstChild() != nil && n.FirstChild().Kind() == ast.KindList
}

// finisher completes figures, and moves the key points of the front matter to the end of the page.
type finisher struct{}

// Transform implements parser.ASTTransformer.
func (finisher) Transform(doc *ast.Document, _ text.Reader, pc parser.Context) {
	figures, _ := pc.Get(figuresKey).([]lessonFigure)
	for _, f := range figures {
		holder := ast.NewTextBlock()
		holder.SetPos(f.Pos())
		holder.AppendChild(holder, f.image)
		f.InsertBefore(f.Figure, f.FirstChild(), holder)
	}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		c, ok := n.(*markdown.Callout)
		if !ok || !inFrontMatter(c) {
			return
		}
		if c.Name == "lesson-keypoints" {
			doc.AppendChild(doc, c)
			return
		}
	}
}
