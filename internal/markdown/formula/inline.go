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
)

// mathParser parses inline math. To distinguish it from prices, a dollar opens math only if there
// is no letter or digit before it and no blank after it, and closes it only if there is no blank
// before it and no letter or digit after it.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

func (p mathParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	n := p.parse(block, pc)
	if n, ok := n.(*markdown.Math); ok && parent.Kind() == extast.KindTableCell {
		n.InCell()
	}
	return n
}

func (mathParser) parse(block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte(`\eqref{`)), bytes.HasPrefix(line, []byte(`\ref{`)):
		return mathReference(block, line, segment)
	case bytes.HasPrefix(line, []byte(`\(`)):
		return inline(block, pc, `\(`, `\)`)
	case bytes.HasPrefix(line, []byte("$$")):
		return inline(block, pc, "$$", "$$")
	case line[0] != '$' || isWord(before) || before == '$' || len(line) < 3:
		return nil
	case line[1] == '`': // GitHub's form for TeX with characters of Markdown
		return inline(block, pc, "$`", "`$")
	case isBlank(line[1]):
		return nil
	}
	return inline(block, pc, "$", "$")
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
func inline(block text.Reader, pc parser.Context, open, end string) ast.Node {
	line, at := block.Position()
	if n := inlineFrom(block, pc, open, end, 0); n != nil {
		return n
	}
	if end != "$" {
		return nil
	}
	// Perhaps a brace is missing: that is a formula with a fault.
	block.SetPosition(line, at)
	if n := inlineFrom(block, pc, open, end, noBraces); n != nil {
		return n
	}
	return nil
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
	rest, _ := block.PeekLine()
	next, _ := utf8.DecodeRune(rest)
	switch {
	case strings.TrimSpace(n.TeX) == "":
		return nil
	case open == "$" && (isBlank(n.TeX[len(n.TeX)-1]) || isWord(next) || next == '$' || strings.Contains(n.TeX, "`") || isShell(n.TeX, next) || isPrice(n.TeX)):
		return nil
	}
	return n
}

// isShell reports whether a formula would be the text between two variables or commands of a shell:
// ${A}/${B}, $(a)/$(b).
func isShell(tex string, next rune) bool {
	return next == '{' || next == '(' && tex[0] == '('
}

// isPrice reports whether a formula would be the text between two prices of different forms: $5 or
// US$ 6, $5 or 6$. It begins with a number, and has words and no sign of math.
func isPrice(tex string) bool {
	words := strings.Fields(tex)
	return '0' <= tex[0] && tex[0] <= '9' && !strings.ContainsAny(tex, "\\^_{}=+*/<>|") && (len(words) > 2 || len(words) == 2 && len(words[1]) > 1)
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

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isWord reports whether a character is part of a word or a number, as in US$ or 5$.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
