package commonmark

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// besides returns the characters around a delimiter. The end of a cell and the mark of a quote are
// blanks.
func (c *boundedContext) besides(d *parser.Delimiter) (before, after rune) {
	line := c.source[max(0, d.Segment.Start-maxMark):d.Segment.Start]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	before, _ = utf8.DecodeLastRune(line)
	after, _ = utf8.DecodeRune(c.source[d.Segment.Start+d.OriginalLength:])
	if before == utf8.RuneError || before == '|' || before == '>' && len(bytes.Trim(line, "> \t")) == 0 {
		before = ' '
	}
	if after == utf8.RuneError || after == '|' {
		after = ' '
	}
	return before, after
}

// maxMark bounds the marks of quotes at the beginning of a line.
const maxMark = 64

// besideCJK lets marks beside a Chinese, Japanese or Korean character open and close emphasis,
// though there is no blank on the other side of the punctuation in it: **文（a）**文. This is the
// amendment of https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md.
func (c *boundedContext) besideCJK(d *parser.Delimiter) {
	before, after := c.besides(d)
	cjkBefore, cjkAfter := markdown.CJK(before), markdown.CJK(after)
	if !cjkBefore && !cjkAfter {
		return
	}
	left, right := !util.IsSpaceRune(after), !util.IsSpaceRune(before)
	switch d.Char {
	case '*', '~':
		d.CanOpen, d.CanClose = d.CanOpen || left, d.CanClose || right
	case '_':
		d.CanOpen = d.CanOpen || left && (!right || util.IsPunctRune(before))
		d.CanClose = d.CanClose || right && (!left || util.IsPunctRune(after))
	default: // ==, ^^
		d.CanOpen = d.CanOpen || left && cjkBefore
		d.CanClose = d.CanClose || right && cjkAfter
	}
}

// RemoveDelimiter implements parser.Context.
func (c *boundedContext) RemoveDelimiter(d *parser.Delimiter) {
	c.reportUnmatched(d)
	c.Context.RemoveDelimiter(d)
}

// reportUnmatched reports ** beside a Chinese, Japanese or Korean character that stays text.
func (c *boundedContext) reportUnmatched(d *parser.Delimiter) {
	if d.Char != '*' || d.OriginalLength < 2 || d.Length < 2 {
		return
	}
	if before, after := c.besides(d); markdown.CJK(before) || markdown.CJK(after) {
		markdown.Warn(c, markdown.Span{Start: d.Segment.Start, Stop: d.Segment.Stop}, diag.Say("markdown.emphasis-stays-text"),
			diag.Say("markdown.emphasis-stays-text-hint"))
	}
}
