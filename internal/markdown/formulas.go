package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Math in Markdown: $...$ and \(...\) in a line of text, $$...$$, \[...\], the environments of AMS
// and ```math as blocks. A formula is split into rows here, with their labels. The site sets the
// numbers of rows.

// A Formula is a formula in TeX.
type Formula struct {
	// TeX is the text between the delimiters, without the marks of quotes and the indentation of
	// lists.
	TeX string
	// Source is the formula as written, with its delimiters.
	Source  string
	Display bool
	// Rows are the lines that can have a number, at least one.
	Rows []Row
	// References are the \ref and \eqref in the TeX.
	References []RowReference
	// Span is the whole text, including delimiters and attributes.
	Span

	segments []text.Segment // the places of TeX
	pipes    []edit         // the bars that are escaped in a table's cell
}

// A Row is an equation of a formula.
type Row struct {
	// Labels are the names for references.
	Labels []Label
	// Tag is the author's text in place of a number, or empty.
	Tag string
	// Auto is set if LaTeX numbers the row by default, Quiet if the author wrote \notag or
	// \nonumber.
	Auto, Quiet bool
	// Number is the number that [Formula.Typeset] writes, without parentheses. The site sets it.
	Number string

	start, end int // in TeX
	// comment is set if it ends with a comment, which would swallow what follows.
	comment bool
}

// Counted reports whether the row of a block gets a number.
func (r *Row) Counted() bool { return r.Tag == "" && !r.Quiet && (r.Auto || len(r.Labels) > 0) }

// A Label is \label{name}, or {#name} after a block.
type Label struct {
	Name string
	// ID is the anchor of the label on its page. The site sets it.
	ID string
	Span
	at, end int // in TeX; both 0 if it is after the block
}

// A RowReference is \ref or \eqref within a formula, where it cannot be a link.
type RowReference struct {
	Label       string
	Parentheses bool
	// Number is the number that replaces it, with parentheses. The site sets it.
	Number string
	Span
	at, end int // in TeX
}

// Math is an inline formula.
type Math struct {
	InlineNode
	Formula
}

// MathBlock is a formula that is a block.
type MathBlock struct {
	BlockNode
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

// An edit replaces a part of TeX.
type edit struct {
	at, end int
	text    string
}

// Typeset returns the TeX to convert: without labels, with numbers as \tag, and with references
// replaced by their numbers.
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

// Place returns the offset in the file for an offset in the result of Typeset.
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

// edits returns the edits of Typeset, in order. They do not overlap.
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

// IDs returns the anchors of the formula's labels.
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

// place returns the offset in the file for an offset in TeX.
func (f *Formula) place(offset int) int {
	for i, s := range f.segments {
		// The end of a segment belongs to it only if it is the last.
		if offset < s.Len() || i == len(f.segments)-1 {
			return min(s.Start+min(offset, s.Len()), f.Stop)
		}
		offset -= s.Len()
	}
	return f.Start
}

// NewFormula returns the formula in some parts of the source. span is the whole text, including the
// delimiters open and end.
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

// InCell is called for a formula in a table's cell, where \| means |, as in code.
func (f *Formula) InCell() {
	for i := range len(f.TeX) - 1 {
		if f.TeX[i:i+2] == `\|` {
			f.pipes = append(f.pipes, edit{i, i + 1, ""})
		}
	}
}
