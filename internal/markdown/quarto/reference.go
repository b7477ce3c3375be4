package quarto

import (
	"bytes"
	"strings"

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
func (referenceParser) Trigger() []byte { return []byte{'@', '[', ']', '-'} }

var (
	referenceForm = lazyregexp.New(`^-?@([a-zA-Z]+)-([\pL\pN_](?:[\pL\pN_:.-]*[\pL\pN_])?)`)
	labelForm     = lazyregexp.New(`@([a-zA-Z]+)-`)
	workForm      = lazyregexp.New(`^@(\{[^{}\s]+\}|[\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_/])?)`)
	// groupForm matches references in brackets, each with words before it. The words before the first replace "Figure".
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
func (p referenceParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	g := pc.ComputeIfAbsent(groupKey, func() any { return &group{} }).(*group)
	switch {
	case line[0] == '[' && !g.begin(line[:min(len(line), maxGroup)], segment.Start), line[0] == ']' && segment.Start != g.end:
		return nil
	case line[0] == '[', line[0] == ']': // not shown
		block.Advance(1)
		return ast.NewTextSegment(text.NewSegment(segment.Start, segment.Start))
	}
	if before := block.PrecendingCharacter(); markdown.InWord(before) || before == '@' || before == '/' {
		return nil // an address
	}
	if m := referenceForm.FindSubmatch(line); m != nil && labelled(string(m[1])) {
		block.Advance(len(m[0]))
		r := reference(m, segment.Start)
		r.Bare, g.words = r.Bare || g.words && segment.Start < g.end, false
		return r
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

// A group is references in brackets while they are read: the offset of the closing bracket, and whether there are
// words before the first.
type group struct {
	end   int
	words bool
}

var groupKey = parser.NewContextKey()

// begin reports whether a group of references begins with a line.
func (g *group) begin(line []byte, at int) bool {
	end, first := bytes.IndexByte(line, ']'), bytes.IndexByte(line, '@')
	if end < 0 || first < 0 || first > end || at < g.end {
		return false
	}
	m := groupForm.FindSubmatch(line[:end+1])
	if m == nil || len(line) > len(m[0]) && bytes.IndexByte([]byte("([:{"), line[len(m[0])]) >= 0 {
		return false
	}
	for _, r := range labelForm.FindAllSubmatch(m[1], -1) {
		if !labelled(string(r[1])) {
			return false
		}
	}
	g.end, g.words = at+end, len(bytes.Trim(line[1:first], " -")) > 0
	return true
}
