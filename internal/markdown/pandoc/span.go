package pandoc

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// spanParser reads [text]{#id .class}, https://pandoc.org/MANUAL.html#extension-bracketed_spans. It remembers
// opening brackets, which goldmark's parser of links then makes text if no link begins there, and
// replaces the end by a [spanEnd], which [spanJoiner] joins with the beginning once the text between
// them is parsed.
type spanParser struct{}

// A spanEnd is "]{attributes}" until the page is parsed.
type spanEnd struct {
	markdown.InlineNode
	open  int // the offset of the bracket
	given markdown.Attributes
}

var kindSpanEnd = ast.NewNodeKind("GpudocsSpanEnd")

// Kind implements ast.Node.
func (*spanEnd) Kind() ast.NodeKind { return kindSpanEnd }

// spans are the spans of a page, and the brackets that are open in a block.
type spans struct {
	block ast.Node
	open  []int // offsets; -1 for an image
	ends  []*spanEnd
}

var spansKey = parser.NewContextKey()

// liquidTarget matches the end of a link whose address only Jekyll knows: [text]({{ page.root }}/a).
var liquidTarget = lazyregexp.New(`^\]\([^()\n]*?(?:\{\{[^{}<\n]*\}\}|\{%[^%\n]*%\})[^()\n]*\)`)

// maxTarget bounds such an address.
const maxTarget = 500

// Trigger implements parser.InlineParser.
func (spanParser) Trigger() []byte { return []byte{'[', ']', '!'} }

// Parse implements parser.InlineParser.
func (spanParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	s := pc.ComputeIfAbsent(spansKey, func() any { return &spans{} }).(*spans)
	if s.block != parent {
		s.block, s.open = parent, s.open[:0]
	}
	switch {
	case line[0] == '[':
		s.open = append(s.open, segment.Start)
		return nil
	case line[0] == '!':
		if len(line) > 1 && line[1] == '[' {
			s.open = append(s.open, -1)
		}
		return nil
	case len(s.open) == 0:
		return nil
	}
	open := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if open < 0 || len(line) < 3 || line[1] != '{' && line[1] != '(' {
		return nil
	}
	a, ok := markdown.ParseAttributes(line, 1)
	if m := liquidTarget.Find(line[:min(len(line), maxTarget)]); m != nil { // the text stays
		WarnOnce(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + len(m)}, diag.Say("markdown.liquid-kept"),
			diag.Say("markdown.liquid-kept-hint"))
		a, ok = markdown.Attributes{Span: markdown.Span{Stop: len(m)}}, true
	}
	if !ok {
		return nil
	}
	n := &spanEnd{open: open, given: a}
	n.SetPos(segment.Start)
	s.ends = append(s.ends, n)
	block.Advance(a.Stop)
	return n
}

// spanElements are the elements of classes. Other classes have no effect.
var spanElements = map[string]string{"mark": "mark", "underline": "u", "ul": "u", "kbd": "kbd"}

// spanJoiner completes spans when the page is parsed.
type spanJoiner struct{}

// Transform implements parser.ASTTransformer.
func (spanJoiner) Transform(_ *ast.Document, _ text.Reader, pc parser.Context) {
	s, _ := pc.Get(spansKey).(*spans)
	if s == nil {
		return
	}
	for _, end := range s.ends {
		if end.Parent() != nil {
			join(end)
		}
	}
}

// join replaces a span by its text, in an element if its class has one.
func join(end *spanEnd) {
	parent := end.Parent()
	bracket := openBracket(end)
	if bracket == nil { // a link or emphasis begins in it and ends after it
		parent.RemoveChild(parent, end)
		return
	}
	var element ast.Node
	for _, c := range end.given.Classes {
		if name := spanElements[c]; name != "" && element == nil {
			m := &markdown.Marked{Element: name}
			m.SetPos(end.open)
			element = m
		}
	}
	after := bracket.Segment.WithStart(end.open + 1)
	rest := ast.NewTextSegment(after)
	rest.SetSoftLineBreak(bracket.SoftLineBreak())
	rest.SetHardLineBreak(bracket.HardLineBreak())
	bracket.SetSoftLineBreak(false)
	bracket.SetHardLineBreak(false)
	bracket.Segment = bracket.Segment.WithStop(end.open)
	parent.InsertAfter(parent, bracket, rest)
	if leftOut(end.given) {
		for c := bracket.NextSibling(); c != end; c = bracket.NextSibling() {
			parent.RemoveChild(parent, c)
		}
	} else if element != nil {
		parent.InsertBefore(parent, rest, element)
		for c := element.NextSibling(); c != end; c = element.NextSibling() {
			element.AppendChild(element, c)
		}
	}
	if end.given.ID != "" {
		parent.InsertAfter(parent, bracket, &markdown.Anchor{Name: end.given.ID, Span: markdown.Span{Start: end.open, Stop: end.open + 1}})
	}
	parent.RemoveChild(parent, end)
}

// openBracket returns the text before a node that contains the bracket of a span.
func openBracket(end *spanEnd) *ast.Text {
	for c := end.PreviousSibling(); c != nil; c = c.PreviousSibling() {
		t, ok := c.(*ast.Text)
		if ok && t.Segment.Start <= end.open && end.open < t.Segment.Stop {
			return t
		}
		if ok && t.Segment.Stop <= end.open && t.Segment.Len() > 0 {
			return nil
		}
	}
	return nil
}

// leftOut reports whether what has some attributes is not shown on a page of a website: it has the class hidden, or is only
// for other formats. What depends on metadata or a profile is shown.
func leftOut(a markdown.Attributes) bool {
	has := func(class string) bool { return slices.Contains(a.Classes, class) }
	holds, asks := true, false
	for _, i := range a.Items {
		web := false
		for _, f := range strings.Fields(i.Value) {
			web = web || f == "html" || f == "html:js" || f == "html5"
		}
		switch i.Name {
		case "when-format":
			asks, holds = true, holds && web
		case "unless-format":
			asks, holds = true, holds && !web
		}
	}
	return has("hidden") || has("content-visible") && !holds || has("content-hidden") && holds && (asks || len(a.Items) == 0)
}

// attributeParser reads the attributes after an image, a link or code:
//
//	![text](a.png){fig-alt="text" width=50%}   [text](address){.external}   `code`{.r}
//
// Those of links and code have no effect. `text`{=html} is raw HTML, and other raw formats are left out.
type attributeParser struct{}

// Trigger implements parser.InlineParser.
func (attributeParser) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (attributeParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	last := parent.LastChild()
	if last == nil {
		return nil
	}
	switch last.Kind() {
	case ast.KindImage, ast.KindLink, ast.KindAutoLink, ast.KindCodeSpan:
	default:
		return nil
	}
	line, segment := block.PeekLine()
	if code, ok := last.(*ast.CodeSpan); ok {
		if m := rawInfo.FindSubmatch(line[:bytes.IndexByte(line, '}')+1]); m != nil {
			block.Advance(len(m[0]))
			return rawInline(parent, code, string(m[1]))
		}
	}
	a, ok := markdown.ParseAttributes(line, 0)
	if !ok || a.ID == "" && len(a.Classes) == 0 && len(a.Items) == 0 {
		return nil
	}
	if i, ok := last.(*ast.Image); ok {
		setImage(i, a, segment.Start, block.Source())
	}
	block.Advance(a.Stop)
	return ast.NewTextSegment(text.NewSegment(segment.Start+a.Stop, segment.Start+a.Stop))
}

// rawInline replaces code by the raw HTML that it is. It returns a node without text.
func rawInline(parent ast.Node, code *ast.CodeSpan, format string) ast.Node {
	raw := ast.NewRawHTML()
	for c := code.FirstChild(); c != nil; c = c.NextSibling() {
		raw.Segments.Append(c.(*ast.Text).Segment)
	}
	parent.RemoveChild(parent, code)
	if format != "html" {
		return ast.NewString(nil)
	}
	return raw
}
