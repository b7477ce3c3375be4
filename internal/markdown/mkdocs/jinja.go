package mkdocs

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// jinjaParser reads the templates that a plugin of MkDocs fills in, which gpudocs does not:
//
//	{{ version }}                                       its text is shown as code
//	{% for a in b %} and {# a comment #}                not shown
//	{% raw %}{{ x }}{% endraw %}                        {{ x }}
//
// https://mkdocs-macros-plugin.readthedocs.io/
type jinjaParser struct{}

var (
	jinjaForm   = lazyregexp.New(`^\{(?:\{[ \t]*([^{}\s][^{}\n]*?)[ \t]*\}\}|%[^\n]*?%\}|#[^\n]*?#\})`)
	rawForm     = lazyregexp.New(`^\{%-?[ \t]*(end)?raw[ \t]*-?%\}$`)
	anyTemplate = lazyregexp.New(`\{[{%][^\n]{0,1000}?[%}]\}`)
	// templateTag matches a tag of HTML with a template in it.
	templateTag = lazyregexp.New(`<[^<>]*\{[{%]`)
)

// maxTemplateLength bounds the search for the end of a template.
const maxTemplateLength = 1000

// insideRawKey is the key of a bool: the text is between {% raw %} and {% endraw %}.
var insideRawKey = parser.NewContextKey()

// Trigger implements parser.InlineParser.
func (jinjaParser) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (jinjaParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 2 || !bytes.ContainsAny(line[1:2], "{%#") {
		return nil
	}
	m := jinjaForm.FindSubmatchIndex(line[:min(len(line), maxTemplateLength)])
	if m == nil {
		return nil
	}
	raw, _ := pc.Get(insideRawKey).(bool)
	n := &mark{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + m[1]}}
	n.SetPos(segment.Start)
	switch r := rawForm.FindSubmatch(line[:m[1]]); {
	case r != nil:
		pc.Set(insideRawKey, r[1] == nil)
	case raw:
		return nil
	default:
		reportTemplate(pc, block.Source(), n.Span)
	}
	block.Advance(m[1])
	if m[2] >= 0 {
		return codeOf(segment.Start+m[2], segment.Start+m[3])
	}
	return n
}

// reportTemplate reports that templates are left out, once for each page.
func reportTemplate(pc parser.Context, source []byte, at markdown.Span) {
	markdown.ReportOnce(pc, "jinja", markdown.Fault{Span: at,
		Message: diag.Say("markdown.jinja-left-out", "name", string(source[at.Start:at.Stop])), Hint: diag.Say("markdown.jinja-left-out-hint")})
}

// codeOf returns a part of the source as code.
func codeOf(start, stop int) *ast.CodeSpan {
	code, t := ast.NewCodeSpan(), ast.NewTextSegment(text.NewSegment(start, stop))
	code.SetPos(start)
	t.SetRaw(true)
	code.AppendChild(code, t)
	return code
}

// trimCode cuts {% raw %} and {% endraw %} off code, and the language in `#!python x`:
// https://facelessuser.github.io/pymdown-extensions/extensions/inlinehilite/.
func trimCode(n *ast.CodeSpan, source []byte) {
	first, ok := n.FirstChild().(*ast.Text)
	if !ok {
		return
	}
	value := first.Segment.Value(source)
	if m := codeLanguage.Find(value); m != nil {
		first.Segment = first.Segment.WithStart(first.Segment.Start + len(m))
	} else if m := rawCode.FindSubmatchIndex(value); m != nil {
		first.Segment = text.NewSegment(first.Segment.Start+m[2], first.Segment.Start+m[3])
	}
}

var (
	codeLanguage = lazyregexp.New(`^#![A-Za-z][\w+-]* `)
	rawCode      = lazyregexp.New(`^\{%-?[ \t]*raw[ \t]*-?%\}(.*)\{%-?[ \t]*endraw[ \t]*-?%\}$`)
)

// trimBlock cuts the lines {% raw %} and {% endraw %} off the beginning and the end of code.
func trimBlock(n *ast.FencedCodeBlock, source []byte) {
	lines := n.Lines()
	is := func(i int) bool {
		line := lines.At(i)
		return rawForm.Match(bytes.TrimSpace(line.Value(source)))
	}
	if last := lines.Len() - 1; last > 0 && is(0) && is(last) {
		lines.SetSliced(1, last)
	}
}
