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

// liquidParser reads Liquid in text: the name of a value is shown as code, and tags are left out, unless they have a text.
type liquidParser struct{}

var liquidForm = lazyregexp.New(`^\{(?:\{-?[ \t]*([^{}\n]{1,300}?)[ \t]*-?\}\}|%[^%"\n]{1,300}%\})`)

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
	pandoc.WarnOnce(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + m[1]}, diag.Say("markdown.liquid-kept"), diag.Say("markdown.liquid-kept-hint"))
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
	if before, ok := parent.LastChild().(*markdown.Callout); parent.HasChildren() && (!ok || before.Closing != markdown.Span{}) {
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
