package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// RestOfLine returns the rest of the current line, without the blanks around it, and its offset in
// the source.
func RestOfLine(reader text.Reader, pc parser.Context) (line []byte, at int) {
	line, segment := reader.PeekLine()
	from := max(pc.BlockOffset(), 0)
	return bytes.TrimRight(line[from:], " \t\r\n"), segment.Start - segment.Padding + from
}

// Extent returns the extent of a text at an offset, without the blanks around it.
func Extent(s string, at int) Span {
	rest := strings.TrimLeft(s, " \t\r\n")
	at += len(s) - len(rest)
	return Span{at, at + len(strings.TrimRight(rest, " \t\r\n"))}
}

// CodeEnd returns the offset of the next run of exactly n backquotes, which closes code, or -1.
func CodeEnd[T string | []byte](text T, from, n int) int {
	for at := from; at < len(text); at++ {
		run := at
		for at < len(text) && text[at] == '`' {
			at++
		}
		if at-run == n {
			return run
		}
	}
	return -1
}

// InWord reports whether a character can be part of a word, in any script.
func InWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}

// CJK reports whether a character is Chinese, Japanese or Korean: a letter, or punctuation as wide
// as one.
func CJK(r rune) bool {
	return r >= 0x1100 && (r >= 0x3000 && r <= 0x303f || r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef ||
		unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo))
}
