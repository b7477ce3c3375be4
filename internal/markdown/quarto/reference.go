package quarto

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
)

// referenceParser reads references to labels, and works that are cited in the text:
//
//	@fig-x, -@fig-x, [@fig-x], [-@fig-x], [Figure @fig-x; @fig-y]     @silva2020
//
// https://quarto.org/docs/authoring/cross-references.html, https://quarto.org/docs/authoring/citations.html.
type referenceParser struct{ citations bool }

// Trigger implements parser.InlineParser.
func (referenceParser) Trigger() []byte { return []byte{'@', '[', '-'} }

var (
	referenceForm = lazyregexp.New(`^-?@([a-zA-Z]+)-([\pL\pN_](?:[\pL\pN_:.-]*[\pL\pN_])?)`)
	workForm      = lazyregexp.New(`^@(\{[^{}\s]+\}|[\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_/])?)`)
	// groupForm matches references in brackets, each with words before it.
	groupForm = lazyregexp.New(`^\[((?:[^\[\]@;{}` + "`" + `]*?-?@[a-zA-Z]+-[\pL\pN_][\pL\pN_:.-]*[^\[\]@;{}` + "`" + `]*;?)+)\]`)
)

// maxGroup bounds the references in brackets, because goldmark calls the parser at every bracket.
const maxGroup = 500

// labelled reports whether the first part of a label is that of things with numbers or titles.
func labelled(series string) bool {
	series = strings.ToLower(series)
	return series == "sec" || series == "eq" || pandoc.Series[series] != "" || statements[series] != "" || callouts[series] != ""
}

// Parse implements parser.InlineParser.
func (p referenceParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if line[0] == '[' {
		return group(parent, block, line[:min(len(line), maxGroup)], segment.Start)
	}
	if before := block.PrecendingCharacter(); markdown.InWord(before) || before == '@' || before == '/' {
		return nil // an address
	}
	if m := referenceForm.FindSubmatch(line); m != nil && labelled(string(m[1])) {
		block.Advance(len(m[0]))
		return reference(m, segment.Start)
	}
	m := workForm.FindSubmatch(line)
	if m == nil || !p.citations {
		return nil
	}
	block.Advance(len(m[0]))
	return &markdown.Citation{Works: []markdown.Work{{Key: strings.Trim(string(m[1]), "{}")}}, Textual: true,
		Span: markdown.Span{Start: segment.Start, Stop: segment.Start + len(m[0])}}
}

// reference returns the reference of a match of referenceForm. Labels are case-sensitive after their first letter:
// @Fig-x begins a sentence.
func reference(m [][]byte, at int) *markdown.Reference {
	series := string(m[1])
	if lower := strings.ToLower(series[:1]) + series[1:]; labelled(lower) {
		series = lower
	}
	r := &markdown.Reference{Destination: ":" + series + "-" + string(m[2]), Span: markdown.Span{Start: at, Stop: at + len(m[0])}}
	r.Bare, r.Parentheses = m[0][0] == '-' && series != "eq", series == "eq"
	r.SetPos(at)
	return r
}

// group reads references in brackets. The words around them are kept.
func group(parent ast.Node, block text.Reader, line []byte, at int) ast.Node {
	end := bytes.IndexByte(line, ']')
	if end < 0 || bytes.IndexByte(line[:end], '@') < 0 {
		return nil
	}
	m := groupForm.FindSubmatch(line[:end+1])
	if m == nil || len(line) > len(m[0]) && bytes.IndexByte([]byte("([:{"), line[len(m[0])]) >= 0 {
		return nil
	}
	inner := m[1]
	var nodes []ast.Node
	for from := 0; from < len(inner); {
		i := bytes.IndexByte(inner[from:], '@')
		if i < 0 {
			nodes = append(nodes, ast.NewTextSegment(text.NewSegment(at+1+from, at+1+len(inner))))
			break
		}
		if i += from; i > from && inner[i-1] == '-' {
			i--
		}
		r := referenceForm.FindSubmatch(inner[i:])
		if r == nil || !labelled(string(r[1])) {
			return nil
		}
		if i > from {
			nodes = append(nodes, ast.NewTextSegment(text.NewSegment(at+1+from, at+1+i)))
		}
		nodes = append(nodes, reference(r, at+1+i))
		if len(bytes.TrimSpace(inner[:i])) > 0 && from == 0 && utf8.Valid(inner[:i]) { // the words replace "Figure"
			nodes[len(nodes)-1].(*markdown.Reference).Bare = true
		}
		from = i + len(r[0])
	}
	block.Advance(len(m[0]))
	for _, n := range nodes[:len(nodes)-1] {
		parent.AppendChild(parent, n)
	}
	return nodes[len(nodes)-1]
}
