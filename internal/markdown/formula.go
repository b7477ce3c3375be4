package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Math in Markdown: $...$ and \(...\) in a line of text, $$...$$, \[...\], the
// environments of AMS and ```math as blocks. A formula is parted into rows here,
// with their labels; what number a row gets is decided with all pages at hand.

// A Formula is TeX in a page.
type Formula struct {
	// TeX is what stands between the delimiters, without the marks of a quote and
	// the indentation of a list.
	TeX string
	// Source is the formula as it is written, with its delimiters.
	Source  string
	Display bool
	// Rows are the lines that can have a number of their own, at least one.
	Rows []Row
	// References are the \ref and \eqref in the TeX.
	References []RowReference
	// Span is the whole text, its delimiters and attributes with it.
	Span

	segments []text.Segment // where TeX stands
	pipes    []edit         // the bars that a table's cell must escape
}

// A Row is an equation of a formula.
type Row struct {
	// Labels are its names, for references.
	Labels []Label
	// Tag is what the author gives it in the place of a number, and may be empty.
	Tag string
	// Auto is set if LaTeX numbers the row without being asked, Quiet if
	// the author says \notag or \nonumber.
	Auto, Quiet bool
	// Number is what [Formula.Typeset] writes beside it, without parentheses.
	// The site sets it, which counts equations.
	Number string

	start, end int // in TeX
	// comment is set if it ends in one, which would swallow what follows.
	comment bool
}

// Counted reports whether the row of a block gets a number.
func (r *Row) Counted() bool { return r.Tag == "" && !r.Quiet && (r.Auto || len(r.Labels) > 0) }

// A Label is \label{name}, or {#name} behind a block.
type Label struct {
	Name string
	// ID is the anchor of the label on its page. The site sets it, which knows all anchors.
	ID string
	Span
	at, end int // in TeX; both 0 where it stands behind
}

// A RowReference is \ref or \eqref within a formula, which can be no link.
type RowReference struct {
	Label       string
	Parentheses bool
	// Number is what stands for it, with its parentheses. The site sets it, which counts equations.
	Number string
	Span
	at, end int // in TeX
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
}

// Kinds of the nodes above.
var (
	KindMath      = ast.NewNodeKind("GpudocsMath")
	KindMathBlock = ast.NewNodeKind("GpudocsMathBlock")
)

// PlainText implements [Texter].
func (n *Math) PlainText(written bool) string {
	if written {
		return strings.TrimSpace(n.Typeset())
	}
	return n.Plain()
}

// Kind implements ast.Node.
func (*Math) Kind() ast.NodeKind { return KindMath }

// Kind implements ast.Node.
func (*MathBlock) Kind() ast.NodeKind { return KindMathBlock }

// IsRaw implements ast.Node: TeX is not Markdown.
func (*MathBlock) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *Math) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"TeX": n.TeX}, nil)
}

// Dump implements ast.Node.
func (n *MathBlock) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"TeX": n.TeX}, nil)
}

// An edit puts text in the place of a part of TeX.
type edit struct {
	at, end int
	text    string
}

// Typeset returns the formula as it is to be converted: labels are taken out,
// numbers are written as \tag, and references as the numbers they stand for.
func (f *Formula) Typeset() string {
	var b strings.Builder
	from := 0
	for _, e := range f.edits() {
		b.WriteString(f.TeX[from:e.at])
		b.WriteString(e.text)
		from = e.end
	}
	return b.String() + f.TeX[from:]
}

// Place returns where an offset in what Typeset returns stands in the file.
func (f *Formula) Place(offset int) int {
	moved := 0
	for _, e := range f.edits() {
		at := e.at + moved
		if offset < at {
			break
		}
		if offset < at+len(e.text) {
			return f.place(e.at)
		}
		moved += len(e.text) - (e.end - e.at)
	}
	return f.place(offset - moved)
}

// edits are what Typeset does, in order; they do not overlap.
func (f *Formula) edits() []edit {
	edits := slices.Clone(f.pipes)
	for _, r := range f.Rows {
		for _, l := range r.Labels {
			if l.end > 0 {
				edits = append(edits, edit{l.at, l.end, ""})
			}
		}
		if r.Number != "" {
			tag := ` \tag{` + r.Number + `}`
			if r.comment {
				tag = "\n" + tag
			}
			edits = append(edits, edit{r.end, r.end, tag})
		}
	}
	for _, r := range f.References {
		edits = append(edits, edit{r.at, r.end, `\text{` + r.Number + `}`})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	return edits
}

// IDs are the anchors of the formula's labels.
func (f *Formula) IDs() (ids []string) {
	for _, r := range f.Rows {
		for _, l := range r.Labels {
			if l.ID != "" {
				ids = append(ids, l.ID)
			}
		}
	}
	return ids
}

// place returns where an offset in TeX stands in the file.
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

// NewFormula returns the formula that stands in some parts of the source. Its span is
// the whole text, with the delimiters that are given.
func NewFormula(source []byte, parts []text.Segment, open, end string, display bool, span Span) Formula {
	var b bytes.Buffer
	for _, s := range parts {
		b.Write(s.Value(source))
	}
	f := Formula{TeX: b.String(), Display: display, Span: span, segments: parts}
	f.Source = open + f.TeX + end
	f.scan()
	return f
}

// InCell is called for a formula in a table's cell, where \| stands for |, as
// in code.
func (f *Formula) InCell() {
	for i := range len(f.TeX) - 1 {
		if f.TeX[i:i+2] == `\|` {
			f.pipes = append(f.pipes, edit{i, i + 1, ""})
		}
	}
}
