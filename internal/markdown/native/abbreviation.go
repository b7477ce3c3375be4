package native

import (
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// AbbreviationDefinition is the line that defines an abbreviation.
type AbbreviationDefinition struct {
	markdown.BlockNode
	Label, Title string
	// Span is the line without its end.
	markdown.Span
}

// Abbreviation is an abbreviation in the text that the page defines. Its only child is the word.
type Abbreviation struct {
	markdown.InlineNode
	Title string
}

// Kinds of the nodes above.
var (
	KindAbbreviationDefinition = ast.NewNodeKind("GpudocsAbbreviationDefinition")
	KindAbbreviation           = ast.NewNodeKind("GpudocsAbbreviation")
)

// Kind implements ast.Node.
func (*AbbreviationDefinition) Kind() ast.NodeKind { return KindAbbreviationDefinition }

// IsRaw implements ast.Node.
func (*AbbreviationDefinition) IsRaw() bool { return true }

// Kind implements ast.Node.
func (*Abbreviation) Kind() ast.NodeKind { return KindAbbreviation }

// maxAbbreviation bounds a label, in bytes.
const maxAbbreviation = 100

// abbreviationParser reads
//
//	*[GPU]: Graphics Processing Unit
//
// between blocks, as PHP Markdown Extra and Python-Markdown do: https://michelf.ca/projects/php-markdown/extra/#abbr,
// https://python-markdown.github.io/extensions/abbreviations/.
type abbreviationParser struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (abbreviationParser) Trigger() []byte { return []byte{'*'} }

// Open implements parser.BlockParser.
func (abbreviationParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := max(pc.BlockOffset(), 0)
	rest, ok := bytes.CutPrefix(line[at:], []byte("*["))
	label, title, closed := bytes.Cut(rest, []byte("]:"))
	label, title = bytes.TrimSpace(label), bytes.TrimSpace(title)
	if !ok || !closed || len(label) == 0 || len(label) > maxAbbreviation || bytes.ContainsAny(label, "[]\\`") || len(title) == 0 {
		return nil, parser.NoChildren
	}
	start := segment.Start - segment.Padding + at
	n := &AbbreviationDefinition{Label: string(label), Title: string(title)}
	n.Span = markdown.Span{Start: start, Stop: start + len(bytes.TrimRight(line[at:], " \t\r\n"))}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// abbreviationMarker marks the words of a page.
type abbreviationMarker struct{}

// Transform implements parser.ASTTransformer.
func (abbreviationMarker) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	m := abbreviations{source: reader.Source(), by: map[string]*AbbreviationDefinition{}, used: map[string]bool{}}
	list, texts := m.collect(doc)
	for _, d := range list {
		if first, twice := m.by[d.Label]; twice {
			markdown.Report(pc, markdown.Fault{Span: d.Span, Rule: "unused", Hint: diag.Say("markdown.duplicate-hint"), Other: &first.Span,
				Message: diag.Say("markdown.abbreviation-duplicate", "label", d.Label)})
			continue
		}
		m.by[d.Label] = d
		m.lengths[len(d.Label)] = true
	}
	if len(list) == 0 {
		return
	}
	for _, t := range texts {
		if t.Parent() != nil && !t.IsRaw() {
			m.mark(joined(t))
		}
	}
	m.markParts()
	for label, d := range m.by {
		if !m.used[label] {
			markdown.Report(pc, markdown.Fault{Span: d.Span, Rule: "unused", Hint: diag.Say("markdown.abbreviation-unused-hint"),
				Message: diag.Say("markdown.abbreviation-unused", "label", label)})
		}
	}
}

// markParts marks abbreviations as used that are part of another used one: CUDA is used on a page
// that only contains CUDA Graphs.
func (m *abbreviations) markParts() {
	for _, label := range slices.Collect(maps.Keys(m.used)) {
		for i := range label {
			for n := 1; n <= len(label)-i; n++ {
				if part := label[i : i+n]; m.lengths[n] && m.by[part] != nil {
					m.used[part] = true
				}
			}
		}
	}
}

// collect returns the definitions of a page and its plain text, without code and without the
// content of HTML that has a specific meaning.
func (m *abbreviations) collect(doc ast.Node) (list []*AbbreviationDefinition, texts []*ast.Text) {
	within := "" // the closing tag of that HTML
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeBlock {
			within = ""
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *AbbreviationDefinition:
			list = append(list, n)
		case *ast.CodeSpan, *ast.Image, *ast.AutoLink:
			return ast.WalkSkipChildren, nil
		case *ast.RawHTML:
			s := n.Segments.At(0)
			tag := s.Value(m.source)
			if t := semanticTag.FindSubmatch(tag); t != nil && within == "" {
				within = "</" + string(bytes.ToLower(t[1]))
			} else if within != "" && bytes.HasPrefix(bytes.ToLower(tag), []byte(within)) {
				within = ""
			}
		case *ast.Text:
			if within == "" {
				texts = append(texts, n)
			}
		}
		return ast.WalkContinue, nil
	})
	return list, texts
}

var semanticTag = lazyregexp.New(`(?i)^<(abbr|code|kbd|samp|var)\b`)

// joined merges into a text those that directly continue it. A mark without a meaning, such as a
// lone _, splits a text.
func joined(t *ast.Text) *ast.Text {
	for {
		next, ok := t.NextSibling().(*ast.Text)
		if !ok || t.SoftLineBreak() || t.HardLineBreak() || next.IsRaw() || next.Segment.Start != t.Segment.Stop || next.Segment.Padding != 0 {
			return t
		}
		t.Segment = t.Segment.WithStop(next.Segment.Stop)
		t.SetSoftLineBreak(next.SoftLineBreak())
		t.SetHardLineBreak(next.HardLineBreak())
		t.Parent().RemoveChild(t.Parent(), next)
	}
}

type abbreviations struct {
	source []byte
	by     map[string]*AbbreviationDefinition
	used   map[string]bool
	// lengths are the lengths of the labels. The text at an offset is looked up with each.
	lengths [maxAbbreviation + 1]bool
}

// mark splits a text at its abbreviations.
func (m *abbreviations) mark(t *ast.Text) {
	value := t.Segment.Value(m.source)
	if t.Segment.Padding != 0 {
		return
	}
	parent, base := t.Parent(), t.Segment.Start
	before := ' '
	if last, ok := t.PreviousSibling().(*ast.Text); ok && !last.SoftLineBreak() && !last.HardLineBreak() {
		before, _ = utf8.DecodeLastRune(last.Segment.Value(m.source))
	}
	cut := 0
	for i := 0; i < len(value); {
		r, size := utf8.DecodeRune(value[i:])
		if n := m.match(value, i, before, r); n > 0 {
			if i > cut {
				parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(base+cut, base+i)))
			}
			a := &Abbreviation{Title: m.by[string(value[i:i+n])].Title}
			a.SetPos(base + i)
			a.AppendChild(a, ast.NewTextSegment(text.NewSegment(base+i, base+i+n)))
			parent.InsertBefore(parent, t, a)
			i += n
			cut = i
			before, _ = utf8.DecodeLastRune(value[:i])
			continue
		}
		before = r
		i += size
	}
	if cut > 0 {
		t.Segment = t.Segment.WithStart(base + cut) // keeps the line's end
	}
}

// match returns the length of the longest abbreviation at an offset, or 0.
func (m *abbreviations) match(value []byte, i int, before, first rune) int {
	if markdown.InWord(before) && markdown.InWord(first) {
		return 0
	}
	for n := min(maxAbbreviation, len(value)-i); n > 0; n-- {
		if !m.lengths[n] || m.by[string(value[i:i+n])] == nil {
			continue
		}
		last, _ := utf8.DecodeLastRune(value[i : i+n])
		after, _ := utf8.DecodeRune(value[i+n:])
		if !markdown.InWord(last) || i+n == len(value) || !markdown.InWord(after) {
			m.used[string(value[i:i+n])] = true
			return n
		}
	}
	return 0
}

// writeAbbreviation writes an abbreviation as HTML.
func writeAbbreviation(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return markdown.WriteElement(w, "abbr", false)
	}
	_, _ = w.WriteString(`<abbr title="`)
	_, _ = w.Write(util.EscapeHTML([]byte(n.(*Abbreviation).Title)))
	_, err := w.WriteString(`">`)
	return ast.WalkContinue, err
}
