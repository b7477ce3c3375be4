package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
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
func classifyLines(p *site.Page, doc *ast.Document) *pageLines {
	all := &pageLines{of: make([]pageLine, p.Source.Lines()+1)}
	lines := all.of
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *obsidian.Comment:
			for line := p.Source.Line(n.Start); line < p.Source.Line(n.Stop); line++ {
				lines[line] = pageLine{kind: commentLine}
			}
			if at := n.Stop; bytes.HasPrefix(p.Source.Data[at:], []byte("\n")) || bytes.HasPrefix(p.Source.Data[at:], []byte("\r\n")) ||
				at == len(p.Source.Data) {
				lines[p.Source.Line(at)] = pageLine{kind: commentLine}
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				at := n.Lines().At(i).Start - n.Lines().At(i).Padding
				lines[p.Source.Line(n.Lines().At(i).Start)] = pageLine{codeLine, int32(at)}
			}
			return ast.WalkSkipChildren, nil
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
			for i := 1; i < n.Lines().Len(); i++ {
				at := n.Lines().At(i).Start
				lines[p.Source.Line(at)] = pageLine{continuedLine, int32(at)}
			}
			if !p.Dialects.Has(markdown.Obsidian) {
				return ast.WalkSkipChildren, nil
			}
		case *obsidian.InlineComment:
			all.comments = append(all.comments, n.Span)
		}
		return ast.WalkContinue, nil
	})
	// those of footnotes come last in the tree
	slices.SortFunc(all.comments, func(a, b markdown.Span) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// hashSections divides the page at its headings, which have ids by now, and hashes the sections.
// lines were classified before any node was replaced.
func hashSections(p *site.Page, fm frontmatter.FrontMatter, found collected, lines *pageLines) []translate.Section {
	headings := slices.Clone(found.headings)
	// those of footnotes come last in the tree
	slices.SortStableFunc(headings, func(a, b *ast.Heading) int { return cmp.Compare(a.Pos(), b.Pos()) })
	section, digest := translate.Section{Anchor: translate.Top, Line: 1}, &translate.Digest{}
	digest.Prose([]byte(fm.Title), false)
	digest.Prose([]byte("description: "+fm.Description), false)
	taken := map[string]bool{}
	all := make([]translate.Section, 0, len(headings)+1)
	end := func() {
		section.Hash = digest.Sum()
		all = append(all, section)
	}
	line := 1
	upTo := func(last int) {
		for ; line < last; line++ {
			lines.digest(digest, p.Source, line)
		}
	}
	for _, h := range headings {
		upTo(p.Source.Line(h.Pos()))
		end()
		section = sectionOf(p, h, found.authorIDs[h], taken)
	}
	upTo(p.Source.Lines() + 1)
	end()
	return all
}

// sectionOf returns the section of a heading. A repeated id is made unique.
func sectionOf(p *site.Page, n *ast.Heading, byAuthor bool, taken map[string]bool) translate.Section {
	anchor := markdown.ID(n)
	for taken[anchor] || anchor == "" || anchor == translate.Top {
		anchor += "~"
	}
	taken[anchor] = true
	return translate.Section{Anchor: anchor, Title: strings.TrimSpace(p.PlainText(n)), Line: p.Source.Line(n.Pos()), Given: byAuthor}
}

// digest adds a line to the hash of its section.
func (l *pageLines) digest(d *translate.Digest, file *diag.File, line int) {
	text, at, of := file.Bytes(line), file.Offset(line, 1), l.of[line]
	from := min(max(int(of.at)-at, 0), len(text))
	switch of.kind {
	case proseLine:
		d.Prose(l.shown(text, at), false)
	case codeLine:
		d.Code(text[from:])
	case continuedLine:
		d.Prose(l.shown(text[from:], at+from), true)
	}
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
