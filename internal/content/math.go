package content

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Math in Markdown: $...$ and \(...\) in a line of text, $$...$$, \[...\] and the
// environments of AMS as blocks. What is told apart from math here is a price:
// a dollar opens math only where no letter or digit stands before it and no
// blank behind it, and closes it only where no blank stands before it and no
// letter or digit behind it.

// A Formula is TeX in a page.
type Formula struct {
	// TeX is what stands between the delimiters, its equations numbered with \tag.
	TeX string
	// Source is the formula as it is written, with its delimiters.
	Source  string
	Display bool
	// IDs are the anchors of its labels.
	IDs []string
	// Start and Stop are the offsets of the whole text, for diagnostics.
	Start, Stop int

	segments []text.Segment // where the text between the delimiters stands
	edits    []edit         // what was done to that text to get TeX, in order
	closed   bool
}

// Math is a formula in a line of text.
type Math struct {
	ast.BaseInline
	Formula
}

// MathBlock is a formula that is a block.
type MathBlock struct {
	ast.BaseBlock
	Formula

	by    delimiter
	depth int // of environments of the same name
}

// MathRef is \eqref{label} or \ref{label} in prose.
type MathRef struct {
	ast.BaseInline
	Label string
	// Number is the equation's, in parentheses for \eqref, or question marks.
	Number string
	// ID is the anchor of the equation, and empty where the page has no such label.
	ID          string
	Start, Stop int

	parentheses bool
}

// Kinds of the nodes above.
var (
	KindMath      = ast.NewNodeKind("GpudocsMath")
	KindMathBlock = ast.NewNodeKind("GpudocsMathBlock")
	KindMathRef   = ast.NewNodeKind("GpudocsMathRef")
)

// Kind implements ast.Node.
func (*Math) Kind() ast.NodeKind { return KindMath }

// Kind implements ast.Node.
func (*MathBlock) Kind() ast.NodeKind { return KindMathBlock }

// IsRaw implements ast.Node: TeX is not Markdown.
func (*MathBlock) IsRaw() bool { return true }

// Kind implements ast.Node.
func (*MathRef) Kind() ast.NodeKind { return KindMathRef }

// Dump implements ast.Node.
func (n *Math) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"TeX": n.TeX}, nil)
}

// Dump implements ast.Node.
func (n *MathBlock) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"TeX": n.TeX}, nil)
}

// Dump implements ast.Node.
func (n *MathRef) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Label": n.Label}, nil)
}

// Place returns where an offset in TeX stands in the file.
func (f *Formula) Place(offset int) int { return f.place(before(f.edits, offset)) }

// place is Place for the text as it is written.
func (f *Formula) place(offset int) int {
	for i, s := range f.segments {
		// The end of a segment belongs to it where it is the last.
		if offset < s.Len() || i == len(f.segments)-1 {
			return min(s.Start+min(offset, s.Len()), f.Stop)
		}
		offset -= s.Len()
	}
	return f.Start
}

// take sets the text of the formula from its segments, which have left out the
// marks of a quote and the indentation of a list.
func (f *Formula) take(source []byte, open, end string) {
	var b bytes.Buffer
	for _, s := range f.segments {
		b.Write(s.Value(source))
	}
	f.TeX = b.String()
	f.Source = open + f.TeX + end
}

// mathParser reads math in a line of text. It stands before the parsers of
// emphasis and links, for TeX is full of their characters.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte(`\eqref{`)), bytes.HasPrefix(line, []byte(`\ref{`)):
		return reference(block, line, segment)
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

func reference(block text.Reader, line []byte, segment text.Segment) ast.Node {
	m := refForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	return &MathRef{Label: strings.TrimSpace(string(m[2])), parentheses: len(m[1]) > 0, Start: segment.Start, Stop: segment.Start + len(m[0])}
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
	n := &Math{Formula: Formula{Start: segment.Start, Display: open == "$$", closed: true}}
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

// A delimiter is what a formula that is a block stands in.
type delimiter struct {
	open, end string
	// env is set where the delimiters belong to the formula.
	env bool
}

// environments that may stand on their own, without $$.
var environments = []string{
	"equation", "align", "alignat", "gather", "multline", "flalign", "eqnarray", "aligned", "alignedat", "gathered", "split",
	"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "cases", "rcases", "array", "subarray", "CD",
}

var beginForm = regexp.MustCompile(`^\\begin\{([A-Za-z]+\*?)\}`)

func delimiterOf(line []byte) (delimiter, bool) {
	switch {
	case bytes.HasPrefix(line, []byte("$$")):
		return delimiter{"$$", "$$", false}, true
	case bytes.HasPrefix(line, []byte(`\[`)):
		return delimiter{`\[`, `\]`, false}, true
	}
	m := beginForm.FindSubmatch(line)
	if m == nil || !slices.Contains(environments, strings.TrimSuffix(string(m[1]), "*")) {
		return delimiter{}, false
	}
	return delimiter{`\begin{` + string(m[1]) + `}`, `\end{` + string(m[1]) + `}`, true}, true
}

// find returns where the delimiter ends in the line, or -1. An environment may
// stand in one of its name.
func (d delimiter) find(line []byte, depth *int) int {
	for i := 0; i < len(line); i++ {
		switch rest := line[i:]; {
		case bytes.HasPrefix(rest, []byte(d.end)):
			if *depth--; *depth <= 0 {
				return i
			}
		case d.env && bytes.HasPrefix(rest, []byte(d.open)):
			*depth++
		case line[i] == '\\':
			i++
		}
	}
	return -1
}

// mathBlockParser reads formulas that are blocks.
type mathBlockParser struct{}

func (mathBlockParser) Trigger() []byte { return []byte{'$', '\\'} }

func (mathBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	by, ok := delimiterOf(bytes.TrimLeft(line, " "))
	if !ok {
		return nil, parser.NoChildren
	}
	segment = segment.TrimLeftSpace(reader.Source())
	if !by.closes(reader.Source()[segment.Start:]) {
		return nil, parser.NoChildren
	}
	n := &MathBlock{by: by, depth: 1, Formula: Formula{Display: true, Start: segment.Start}}
	n.SetPos(segment.Start)
	inside := segment.WithStart(segment.Start + len(by.open))
	if by.env {
		n.segments = append(n.segments, segment.WithStop(inside.Start))
	}
	n.line(inside, reader.Source())
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// maxMathLines bounds the search for the end of a block.
const maxMathLines = 300

// closes tells whether a block that begins the text has an end, with nothing
// behind it on its line. Other blocks end the search, a blank line too unless
// the opening delimiter stands alone: what follows would be no formula.
func (d delimiter) closes(rest []byte) bool {
	depth, lines := 1, 0
	alone := d.env
	for line := range bytes.Lines(rest[len(d.open):]) {
		if lines == 0 {
			alone = alone || len(bytes.TrimSpace(line)) == 0
		} else {
			line = bytes.TrimLeft(line, " \t>")
			blank := len(bytes.TrimSpace(line)) == 0
			if blank && !alone || bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) || bytes.HasPrefix(line, []byte("# ")) || bytes.HasPrefix(line, []byte("##")) {
				return false
			}
		}
		if i := d.find(line, &depth); i >= 0 {
			if lines == 0 && len(bytes.TrimSpace(line[:i])) == 0 && !d.env {
				return false // $$$$
			}
			return len(bytes.TrimSpace(line[i+len(d.end):])) == 0
		}
		if lines++; lines > maxMathLines {
			return false
		}
	}
	return false
}

// line adds a line of the source to the block. Blank ones say nothing in TeX's
// math, and are left out.
func (n *MathBlock) line(s text.Segment, source []byte) {
	line := source[s.Start:s.Stop]
	n.Stop = s.Start + len(bytes.TrimRight(line, " \t\r\n"))
	if i := n.by.find(line, &n.depth); i >= 0 {
		n.closed = true
		n.Stop = s.Start + i + len(n.by.end)
		if s.Stop = s.Start + i; n.by.env {
			s.Stop = n.Stop
		}
	}
	if len(bytes.TrimSpace(source[s.Start:s.Stop])) > 0 {
		n.segments = append(n.segments, s)
	}
}

func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*MathBlock)
	if n.closed {
		return parser.Close
	}
	_, segment := reader.PeekLine()
	segment.Padding = 0
	n.line(segment, reader.Source())
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (mathBlockParser) Close(node ast.Node, reader text.Reader, _ parser.Context) {
	n := node.(*MathBlock)
	if n.by.env {
		n.take(reader.Source(), "", "")
	} else {
		n.take(reader.Source(), n.by.open+"\n", n.by.end)
	}
}

func (mathBlockParser) CanInterruptParagraph() bool { return true }
func (mathBlockParser) CanAcceptIndentedLine() bool { return false }

// formula notes a formula of the page.
func (p *pageParser) formula(n ast.Node, f *Formula) {
	if !f.closed {
		p.diags.Add(p.file.Warning(f.Start, f.Start+2, "the formula is not closed", "end it in the same quote or list item"))
	}
	for c := n.Parent(); c != nil; c = c.Parent() {
		if c.Kind() == extast.KindTableCell {
			f.edits = pipes(f.TeX)
		}
	}
	p.page.Formulas = append(p.page.Formulas, f)
}

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
