package importer

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// markdownAttribute is that of a tag; what is in quotes is passed over.
var markdownAttribute = lazyregexp.New(`(?i)^(<[a-z0-9]+(?:\s+(?:[^\s"'<>=]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+)|[^\s"'<>=]+))*?)\s+markdown(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?([\s>/])`)

// element writes an element with Markdown in it as CommonMark has it: its tags are HTML
// where blank lines stand around them, https://spec.commonmark.org/0.31.2/#html-blocks,
// start condition 6.
func (w *nodeWriter) element(n *markdown.Element) {
	opening, ok := n.FirstChild().(*ast.HTMLBlock)
	if !ok || opening.Lines().Len() == 0 {
		return
	}
	tag := opening.Lines().At(0)
	if m := markdownAttribute.FindSubmatchIndex(w.src.data[tag.Start:tag.Stop]); m != nil {
		w.replace(markdown.Span{Start: tag.Start + m[3], Stop: tag.Start + m[4]}, "")
	}
	margin := w.margin(tag.Start)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		html, ok := c.(*ast.HTMLBlock)
		if !ok || html.Lines().Len() == 0 {
			continue
		}
		if c == n.LastChild() && c != n.FirstChild() && c.PreviousSibling() != n.FirstChild() {
			w.blankBefore(html.Lines().At(0).Start, margin)
		}
		if _, html := c.NextSibling().(*ast.HTMLBlock); !html {
			w.blankBehind(c.Lines().At(c.Lines().Len()-1).Stop, margin)
		}
	}
}

// blankBehind puts a blank line behind what ends at an offset, if there is none.
func (w *nodeWriter) blankBehind(at int, margin string) {
	at -= len(w.src.data[:at]) - len(bytes.TrimRight(w.src.data[:at], "\r\n"))
	l := w.lineAround(at)
	if rest := w.src.data[at:l.stop]; len(bytes.TrimSpace(rest)) > 0 {
		w.blank(at, at+len(rest)-len(bytes.TrimLeft(rest, " \t")), w.eol+blankOf(margin)+w.eol+margin)
		return
	}
	if l.next == len(w.src.data) || len(bytes.Trim(w.src.data[l.next:w.lineAround(l.next).stop], " \t>")) == 0 {
		return
	}
	w.blank(l.next, l.next, blankOf(margin)+w.eol)
}

// blankBefore puts one before what begins at an offset, and that at the margin.
func (w *nodeWriter) blankBefore(at int, margin string) {
	l := w.lineAround(at)
	before := w.src.data[l.start:at]
	if len(bytes.Trim(before, " \t>")) > 0 {
		trimmed := len(bytes.TrimRight(before, " \t"))
		w.blank(l.start+trimmed, at, w.eol+blankOf(margin)+w.eol+margin)
		return
	}
	if string(before) != margin {
		w.replace(markdown.Span{Start: l.start, Stop: at}, margin)
	}
	if l.start > 0 && len(bytes.Trim(w.src.data[w.lineAround(l.start-1).start:l.start], " \t>\r\n")) > 0 {
		w.blank(l.start, l.start, blankOf(margin)+w.eol)
	}
}

// blank makes an edit where none of the same place was made.
func (w *nodeWriter) blank(start, stop int, text string) {
	if !w.blanks[start] {
		w.blanks[start] = true
		w.edits = append(w.edits, edit{start, stop, text})
	}
}

func blankOf(margin string) string { return strings.TrimRight(margin, " \t") }
