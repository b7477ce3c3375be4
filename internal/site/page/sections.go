package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// A lineKind determines how a line is hashed.
type lineKind uint8

const (
	proseLine     lineKind = iota
	continuedLine          // goes on with a paragraph
	codeLine
	commentLine // no reader sees it
)

// A pageLine describes a line that is not plain text. at is the offset of its text, after the marks
// of quotes and lists.
type pageLine struct {
	kind lineKind
	at   int32
}

// pageLines describes the lines of a page, by number.
type pageLines struct {
	of []pageLine
	// comments are the comments within sentences, in order.
	comments []markdown.Span
}

// classifyLines finds the lines of code and the wrapped lines of paragraphs.
func (p *pageParser) classifyLines() *pageLines {
	all := &pageLines{of: make([]pageLine, p.file.Lines()+1)}
	lines := all.of
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *obsidian.Comment:
			for line := p.file.Line(n.Start); line < p.file.Line(n.Stop); line++ {
				lines[line] = pageLine{kind: commentLine}
			}
			if at := n.Stop; bytes.HasPrefix(p.file.Data[at:], []byte("\n")) || bytes.HasPrefix(p.file.Data[at:], []byte("\r\n")) || at == len(p.file.Data) {
				lines[p.file.Line(at)] = pageLine{kind: commentLine}
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				at := n.Lines().At(i).Start - n.Lines().At(i).Padding
				lines[p.file.Line(n.Lines().At(i).Start)] = pageLine{codeLine, int32(at)}
			}
			return ast.WalkSkipChildren, nil
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
			for i := 1; i < n.Lines().Len(); i++ {
				at := n.Lines().At(i).Start
				lines[p.file.Line(at)] = pageLine{continuedLine, int32(at)}
			}
			if !p.page.Dialects.Has(markdown.Obsidian) {
				return ast.WalkSkipChildren, nil
			}
		case *obsidian.InlineComment:
			all.comments = append(all.comments, n.Span)
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(all.comments, func(a, b markdown.Span) int { return cmp.Compare(a.Start, b.Start) }) // those of footnotes come last in the tree
	return all
}

// shown returns the part of a line from an offset on, without comments.
func (l *pageLines) shown(text []byte, at int) []byte {
	for len(l.comments) > 0 && l.comments[0].Stop <= at {
		l.comments = l.comments[1:]
	}
	var out []byte
	from := 0
	for _, c := range l.comments {
		if c.Start >= at+len(text) {
			break
		}
		out = append(out, text[from:max(from, c.Start-at)]...)
		from = min(len(text), max(from, c.Stop-at))
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}

// hashSections divides the page at its headings, which have ids by now, and hashes the sections.
// lines were classified before any node was replaced.
func (p *pageParser) hashSections(fm frontmatter.FrontMatter, headings []*ast.Heading, lines *pageLines) {
	headings = slices.Clone(headings)
	slices.SortStableFunc(headings, func(a, b *ast.Heading) int { return cmp.Compare(a.Pos(), b.Pos()) }) // those of footnotes come last in the tree
	section, digest := translate.Section{Anchor: translate.Top, Line: 1}, &translate.Digest{}
	digest.Prose([]byte(fm.Title), false)
	digest.Prose([]byte("description: "+fm.Description), false)
	end := func() {
		section.Hash = digest.Sum()
		p.page.Sections = append(p.page.Sections, section)
	}
	taken := map[string]bool{}
	p.page.Sections = make([]translate.Section, 0, len(headings)+1)
	line := 1
	upTo := func(last int) {
		for ; line < last; line++ {
			p.digestLine(digest, line, lines)
		}
	}
	for _, h := range headings {
		upTo(p.file.Line(h.Pos()))
		end()
		section = p.sectionOf(h, taken)
	}
	upTo(p.file.Lines() + 1)
	end()
}

// sectionOf returns the section of a heading. A repeated id is made unique.
func (p *pageParser) sectionOf(n *ast.Heading, taken map[string]bool) translate.Section {
	given, _ := n.AttributeString("id")
	id, _ := given.([]byte)
	anchor := string(id)
	for taken[anchor] || anchor == "" || anchor == translate.Top {
		anchor += "~"
	}
	taken[anchor] = true
	return translate.Section{Anchor: anchor, Title: strings.TrimSpace(p.page.PlainText(n)), Line: p.file.Line(n.Pos()), Given: p.authorIDs[n]}
}

// digestLine adds a line to the hash of its section.
func (p *pageParser) digestLine(d *translate.Digest, line int, lines *pageLines) {
	text, at, l := p.file.Bytes(line), p.file.Offset(line, 1), lines.of[line]
	from := min(max(int(l.at)-at, 0), len(text))
	switch l.kind {
	case proseLine:
		d.Prose(lines.shown(text, at), false)
	case codeLine:
		d.Code(text[from:])
	case continuedLine:
		d.Prose(lines.shown(text[from:], at+from), true)
	}
}
