package formula

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// mathParser parses inline math. Which dollars enclose it depends on the tool that the page was
// written for.
type mathParser struct{ dollars }

func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

func (p mathParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	n := p.parse(block, pc)
	if n, ok := n.(*markdown.Math); ok && parent.Kind() == extast.KindTableCell {
		n.InCell()
	}
	return n
}

func (p mathParser) parse(block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte(`\eqref{`)), bytes.HasPrefix(line, []byte(`\ref{`)):
		return mathReference(block, line, segment)
	case bytes.HasPrefix(line, []byte(`\(`)):
		return p.inline(block, pc, `\(`, `\)`)
	case bytes.HasPrefix(line, []byte("$$")):
		return p.inline(block, pc, "$$", "$$")
	case line[0] != '$' || before == '$' || len(line) < 3:
		return nil
	case line[1] == '`' && !isWord(before): // GitHub's form for TeX with characters of Markdown
		return p.inline(block, pc, "$`", "`$")
	}
	return p.inline(block, pc, "$", "$")
}

var refForm = lazyregexp.New(`^\\(eq)?ref\{([^{}\n]+)\}`)

func mathReference(block text.Reader, line []byte, segment text.Segment) ast.Node {
	m := refForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	return &markdown.Reference{
		Destination: "#" + strings.TrimSpace(string(m[2])), Parentheses: len(m[1]) > 0, Bare: len(m[1]) == 0,
		Span: markdown.Span{Start: segment.Start, Stop: segment.Start + len(m[0])},
	}
}

// inline reads up to the closing delimiter, across lines but not beyond the paragraph.
func (p mathParser) inline(block text.Reader, pc parser.Context, open, end string) ast.Node {
	before := block.PrecendingCharacter()
	line, at := block.Position()
	n := inlineFrom(block, pc, open, end, 0)
	if end != "$" {
		if n == nil {
			return nil
		}
		return n
	}
	if n == nil || !p.encloses(before, n.TeX, next(block)) {
		// Perhaps a brace is missing: that is a formula with a fault.
		block.SetPosition(line, at)
		n = inlineFrom(block, pc, open, end, noBraces)
	}
	switch {
	case n == nil:
		return nil
	case p.encloses(before, n.TeX, next(block)):
		return n
	case texCommand.MatchString(n.TeX) || onlyTouched(before, n.TeX, next(block)) && !unicode.IsDigit(rune(n.TeX[0])):
		if last, _ := pc.Get(reported).(int); n.Start >= last {
			markdown.Report(pc, markdown.Fault{
				Span:    n.Span,
				Rule:    "math",
				Message: diag.Say("markdown.tex-stays-text"),
				Hint:    diag.Say("markdown.tex-stays-text-hint"),
			})
			pc.Set(reported, n.Stop)
		}
	}
	return nil
}

// reported is the key of the end of the last text that was reported as TeX.
var reported = parser.NewContextKey()

// next returns the character at the position of the reader.
func next(block text.Reader) rune {
	rest, _ := block.PeekLine()
	r, _ := utf8.DecodeRune(rest)
	return r
}

// maxOpen bounds the groups that may be open at a dollar.
const maxOpen = 30

// noBraces makes every dollar the end of a formula, even within groups.
const noBraces = -1 << 30

// missing is the key of the parts of the page that are known to lack a delimiter, so that it is not
// searched again for each opening one.
var missing = parser.NewContextKey()

func inlineFrom(block text.Reader, pc parser.Context, open, end string, braces int) *markdown.Math {
	_, segment := block.PeekLine()
	known, _ := pc.Get(missing).(map[string]markdown.Span)
	if in := known[end]; end[0] != '$' && in.Start <= segment.Start && segment.Start < in.Stop {
		return nil
	}
	span := markdown.Span{Start: segment.Start}
	var parts []text.Segment
	block.Advance(len(open))
	stop := segment.Stop
	for {
		line, segment := block.PeekLine()
		if line == nil {
			if known == nil {
				known = map[string]markdown.Span{}
				pc.Set(missing, known)
			}
			known[end] = markdown.Span{Start: span.Start, Stop: stop}
			return nil
		}
		if braces > maxOpen && end[0] == '$' {
			return nil
		}
		if i := closing(line, end, &braces); i >= 0 {
			parts = append(parts, segment.WithStop(segment.Start+i))
			span.Stop = segment.Start + i + len(end)
			block.Advance(i + len(end))
			break
		}
		parts = append(parts, segment)
		stop = segment.Stop
		block.AdvanceLine()
	}
	n := &markdown.Math{Formula: markdown.NewFormula(block.Source(), parts, open, end, open == "$$", span)}
	if strings.TrimSpace(n.TeX) == "" {
		return nil
	}
	return n
}

// closing returns the offset of the delimiter that ends a formula, or -1. A dollar in braces is
// part of \text{...}.
func closing(line []byte, end string, braces *int) int {
	for i := 0; i < len(line); i++ {
		switch {
		case (end[0] != '$' || *braces <= 0) && bytes.HasPrefix(line[i:], []byte(end)):
			return i
		case line[i] == '\\':
			i++
		case line[i] == '{':
			if *braces++; *braces > maxOpen && end[0] == '$' {
				return -1
			}
		case line[i] == '}':
			*braces--
		}
	}
	return -1
}
