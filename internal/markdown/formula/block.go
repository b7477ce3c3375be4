package formula

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

// A delimiter encloses a formula that is a block.
type delimiter struct {
	open, end string
	// env is set if the delimiters are part of the formula.
	env bool
	// label matches what may follow on the last line.
	label *lazyregexp.Regexp
}

// environments are those that need no $$.
var environments = []string{
	"equation", "align", "alignat", "gather", "multline", "flalign", "eqnarray", "aligned", "alignedat", "gathered", "split",
	"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "cases", "rcases", "array", "subarray", "CD",
}

var beginForm = lazyregexp.New(`^\\begin\{([A-Za-z]+\*?)\}`)

func delimiterOf(line []byte) (delimiter, bool) {
	switch {
	case bytes.HasPrefix(line, []byte("$$")):
		return delimiter{open: "$$", end: "$$"}, true
	case bytes.HasPrefix(line, []byte(`\[`)):
		return delimiter{open: `\[`, end: `\]`}, true
	}
	m := beginForm.FindSubmatch(line)
	if m == nil || !slices.Contains(environments, strings.TrimSuffix(string(m[1]), "*")) {
		return delimiter{}, false
	}
	return delimiter{open: `\begin{` + string(m[1]) + `}`, end: `\end{` + string(m[1]) + `}`, env: true}, true
}

// find returns the offset in the line at which the closing delimiter ends, or -1. An environment
// may contain others of the same name.
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

// An openBlock is a formula while it is parsed.
type openBlock struct {
	markdown.BlockNode
	markdown.Span
	by       delimiter
	depth    int            // of environments of the same name
	segments []text.Segment // the places of TeX
	label    *markdown.Label
	closed   bool
}

var kindOpenBlock = ast.NewNodeKind("GpudocsOpenMath")

// Kind implements ast.Node.
func (*openBlock) Kind() ast.NodeKind { return kindOpenBlock }

// IsRaw implements ast.Node.
func (*openBlock) IsRaw() bool { return true }

// mathBlockParser parses formulas that are blocks.
type mathBlockParser struct {
	markdown.BlockParser
	label *lazyregexp.Regexp
}

func (mathBlockParser) Trigger() []byte { return []byte{'$', '\\'} }

func (p mathBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	by, ok := delimiterOf(bytes.TrimLeft(line, " "))
	if !ok {
		return nil, parser.NoChildren
	}
	by.label = p.label
	segment = segment.TrimLeftSpace(reader.Source())
	if !by.closes(reader.Source()[segment.Start:]) {
		return nil, parser.NoChildren
	}
	n := &openBlock{by: by, depth: 1, Span: markdown.Span{Start: segment.Start}}
	n.SetPos(segment.Start)
	inside := segment.WithStart(segment.Start + len(by.open))
	if by.env {
		n.segments = append(n.segments, segment.WithStop(inside.Start))
	}
	n.line(inside, reader.Source())
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// labelForm matches what may follow a block on its last line: its label, {#x} or, in MyST, (x).
var (
	labelForm     = lazyregexp.New(`^[ \t]*(?:(\{#([^\s{}]+)\})[ \t]*)?\r?\n?$`)
	mystLabelForm = lazyregexp.New(`^[ \t]*(?:((?:\{#|\()([^\s{}()]+)[})])[ \t]*)?\r?\n?$`)
)

// maxMathLines and maxMath bound the search for the end of a formula, in lines and bytes, so that
// no page takes quadratic time.
const (
	maxMathLines = 300
	maxMath      = 16 << 10
)

// closes reports whether the block at the beginning of the text has an end with nothing after it on
// its line. The search ends at other blocks and, unless the opening delimiter is alone on its line,
// at a blank line.
func (d delimiter) closes(rest []byte) bool {
	if rest = rest[:min(len(rest), maxMath)]; !bytes.Contains(rest[len(d.open):], []byte(d.end)) {
		return false
	}
	depth, lines := 1, 0
	alone := d.env
	for line := range bytes.Lines(rest[len(d.open):]) {
		if lines == 0 {
			alone = alone || len(bytes.TrimSpace(line)) == 0
		} else {
			line = bytes.TrimLeft(line, " \t>")
			blank := len(bytes.TrimSpace(line)) == 0
			begins := func(mark string) bool { return bytes.HasPrefix(line, []byte(mark)) }
			if blank && !alone || begins("```") || begins("~~~") || begins("# ") || begins("##") {
				return false
			}
		}
		if i := d.find(line, &depth); i >= 0 {
			if lines == 0 && len(bytes.TrimSpace(line[:i])) == 0 && !d.env {
				return false // $$$$
			}
			return d.label.Match(line[i+len(d.end):])
		}
		if lines++; lines > maxMathLines {
			return false
		}
	}
	return false
}

// line adds a line of the source to the block. Blank lines, which have no meaning in TeX's math,
// are left out.
func (n *openBlock) line(s text.Segment, source []byte) {
	line := source[s.Start:s.Stop]
	n.Stop = s.Start + len(bytes.TrimRight(line, " \t\r\n"))
	if i := n.by.find(line, &n.depth); i >= 0 {
		n.closed = true
		end := i + len(n.by.end)
		if m := n.by.label.FindSubmatchIndex(line[end:]); m != nil && m[4] >= 0 {
			span := markdown.Span{Start: s.Start + end + m[2], Stop: s.Start + end + m[3]}
			n.label = &markdown.Label{Name: string(line[end+m[4] : end+m[5]]), Span: span}
		}
		if s.Stop = s.Start + i; n.by.env {
			s.Stop = s.Start + end
		}
	}
	if len(bytes.TrimSpace(source[s.Start:s.Stop])) > 0 {
		n.segments = append(n.segments, s)
	}
}

func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*openBlock)
	if n.closed {
		return parser.Close
	}
	_, segment := reader.PeekLine()
	segment.Padding = 0
	n.line(segment, reader.Source())
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (mathBlockParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	n := node.(*openBlock)
	open, end := n.by.open+"\n", n.by.end
	if n.by.env {
		open, end = "", ""
	}
	m := &markdown.MathBlock{Formula: markdown.NewFormula(reader.Source(), n.segments, open, end, true, n.Span)}
	if n.label != nil {
		m.AddLabel(*n.label)
	}
	markdown.Replace(n, m)
	if !n.closed {
		markdown.Report(pc, markdown.Fault{
			Span:    markdown.Span{Start: n.Start, Stop: n.Start + len(n.by.open)},
			Rule:    "math",
			Message: diag.Say("markdown.formula-not-closed"),
			Hint:    diag.Say("markdown.formula-not-closed-hint"),
		})
	}
}

// mathFences turns fences of the language math into formulas, as GitHub does.
// https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions
type mathFences struct{}

func (mathFences) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, f := range markdown.Find[*ast.FencedCodeBlock](doc) {
		if !bytes.EqualFold(f.Language(reader.Source()), []byte("math")) {
			continue
		}
		if n := fencedMath(f, reader.Source()); n != nil {
			f.Parent().ReplaceChild(f.Parent(), f, n)
		}
	}
}

// fencedMath returns the formula of a fence, or nil if it is empty or not closed. It then stays a
// code block.
func fencedMath(f *ast.FencedCodeBlock, source []byte) *markdown.MathBlock {
	lines := f.Lines()
	if lines.Len() == 0 {
		return nil
	}
	var parts []text.Segment
	for i := range lines.Len() {
		s := lines.At(i)
		s.Padding = 0
		if len(bytes.TrimSpace(s.Value(source))) > 0 {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	rest := source[lines.At(lines.Len()-1).Stop:]
	closing := closingFence.Find(rest)
	if closing == nil {
		return nil
	}
	span := markdown.Span{Start: f.Pos(), Stop: len(source) - len(rest) + len(closing)}
	n := &markdown.MathBlock{Formula: markdown.NewFormula(source, parts, "", "", true, span)}
	n.SetPos(f.Pos())
	n.Source = string(source[n.Start:n.Stop])
	return n
}

var closingFence = lazyregexp.New("^[ \t>]*(?:```+|~~~+)")
