package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// mathParser reads math in a line of text. What it tells apart from math is a
// price: a dollar opens math only where no letter or digit stands before it and
// no blank behind it, and closes it only where no blank stands before it and no
// letter or digit behind it.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

func (p mathParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	n := p.parse(block)
	if n, ok := n.(*Math); ok && parent.Kind() == extast.KindTableCell {
		n.pipes = pipes(n.TeX)
	}
	return n
}

func (mathParser) parse(block text.Reader) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte(`\eqref{`)), bytes.HasPrefix(line, []byte(`\ref{`)):
		return mathReference(block, line, segment)
	case bytes.HasPrefix(line, []byte(`\(`)):
		return inline(block, `\(`, `\)`)
	case bytes.HasPrefix(line, []byte("$$")):
		return inline(block, "$$", "$$")
	case line[0] != '$' || isWord(before) || before == '$' || len(line) < 3:
		return nil
	case line[1] == '`': // as GitHub writes it, where TeX has characters of Markdown
		return inline(block, "$`", "`$")
	case isBlank(line[1]):
		return nil
	}
	return inline(block, "$", "$")
}

var refForm = regexp.MustCompile(`^\\(eq)?ref\{([^{}\n]+)\}`)

func mathReference(block text.Reader, line []byte, segment text.Segment) ast.Node {
	m := refForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	return &Reference{
		Destination: "#" + strings.TrimSpace(string(m[2])), Parentheses: len(m[1]) > 0, Bare: len(m[1]) == 0,
		Span: Span{segment.Start, segment.Start + len(m[0])},
	}
}

// inline reads up to the closing delimiter, over lines, but not out of the paragraph.
func inline(block text.Reader, open, end string) ast.Node {
	line, at := block.Position()
	if n := inlineFrom(block, open, end, 0); n != nil {
		return n
	}
	if end != "$" {
		return nil
	}
	// A brace is missing, perhaps: that is a formula too, with a fault.
	block.SetPosition(line, at)
	if n := inlineFrom(block, open, end, noBraces); n != nil {
		return n
	}
	return nil
}

// noBraces makes every dollar the end of a formula, whatever is open before it.
const noBraces = -1 << 30

func inlineFrom(block text.Reader, open, end string, braces int) *Math {
	_, segment := block.PeekLine()
	n := &Math{Formula: Formula{Span: Span{Start: segment.Start}, Display: open == "$$", closed: true}}
	block.Advance(len(open))
	for {
		line, segment := block.PeekLine()
		if line == nil {
			return nil
		}
		if i := closing(line, end, &braces); i >= 0 {
			n.segments = append(n.segments, segment.WithStop(segment.Start+i))
			n.Stop = segment.Start + i + len(end)
			block.Advance(i + len(end))
			break
		}
		n.segments = append(n.segments, segment)
		block.AdvanceLine()
	}
	n.take(block.Source(), open, end)
	behind, _ := block.PeekLine()
	next, _ := utf8.DecodeRune(behind)
	switch {
	case strings.TrimSpace(n.TeX) == "":
		return nil
	case open == "$" && (isBlank(n.TeX[len(n.TeX)-1]) || isWord(next) || next == '$' || strings.Contains(n.TeX, "`")):
		return nil
	}
	return n
}

// closing returns where the delimiter ends a formula. A dollar in braces is one
// in \text{...}.
func closing(line []byte, end string, braces *int) int {
	for i := 0; i < len(line); i++ {
		switch {
		case (end[0] != '$' || *braces <= 0) && bytes.HasPrefix(line[i:], []byte(end)):
			return i
		case line[i] == '\\':
			i++
		case line[i] == '{':
			*braces++
		case line[i] == '}':
			*braces--
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isWord tells whether a character belongs to a word or a number, as in US$ or 5$.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// pipes are those that a table's cell must escape: \| stands for | there, in
// formulas as in code.
func pipes(tex string) (edits []edit) {
	for i := range len(tex) - 1 {
		if tex[i:i+2] == `\|` {
			edits = append(edits, edit{i, i + 1, ""})
		}
	}
	return edits
}
