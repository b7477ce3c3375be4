// Package invisible finds characters in a text that readers do not see: controls that
// act on a terminal or end a line; characters that change the direction of the text
// around them, so that code is displayed in another order than it runs
// (https://trojansource.codes); and invisible characters, which programs read and
// people do not.
//
// It does not report legitimate uses: joiners in emoji and in Persian, direction marks
// (U+200E, U+200F, U+061C), soft hyphens, variation selectors, and embeddings and
// isolates that end on their line.
package invisible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind is the effect of an invisible character.
type Kind int

const (
	// Acts are C0 and C1 controls except for tabs and line ends, and the two line ends
	// of Unicode.
	Acts Kind = iota + 1
	// Turns are embeddings, overrides and isolates of the bidirectional algorithm.
	Turns
	// Hides are characters without a glyph or a width.
	Hides
)

// The characters of the bidirectional algorithm that open and end something:
// https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters.
const (
	lre, rle, pdf, lro, rlo = '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'
	lri, rli, fsi, pdi      = '\u2066', '\u2067', '\u2068', '\u2069'
)

func acts(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' || r == '\u2028' || r == '\u2029'
}

func turns(r rune) bool { return r >= lre && r <= rlo || r >= lri && r <= pdi }

// tag reports whether r is a tag character. They follow a black flag in the emoji of
// some flags. Elsewhere they repeat ASCII invisibly: text that only programs read.
func tag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

func selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// blank are the other characters without a glyph: zero-width spaces, fillers,
// annotations.
var blank = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x115f, Hi: 0x1160, Stride: 1}, {Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, {Lo: 0x180e, Hi: 0x180e, Stride: 1}, {Lo: 0x200b, Hi: 0x200b, Stride: 1},
	{Lo: 0x2060, Hi: 0x2064, Stride: 1}, {Lo: 0x206a, Hi: 0x206f, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1},
	{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, {Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, {Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
}, R32: []unicode.Range32{{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}}}

// A Find is an invisible character and its offset in the text.
type Find struct {
	At   int
	Rune rune
	Kind Kind
}

// In finds the invisible characters of a text. In code none is allowed that turns or
// hides. In prose only those that turn and do not end on their line are reported, and
// zero-width spaces may separate words.
func In(s string, code bool) (found []Find) {
	if Plain(s) {
		return nil
	}
	var open []Find
	lost := func() {
		found = append(found, open...)
		open = open[:0]
	}
	var before rune
	flag := false
	for at, r := range s {
		flag = r == '\U0001f3f4' || flag && (tag(r) || selector(r))
		switch {
		case r == '\n':
			lost()
		case acts(r):
			if r != '\r' || !strings.HasPrefix(s[at+1:], "\n") && at+1 < len(s) {
				found = append(found, Find{at, r, Acts})
			}
		case turns(r):
			open = turn(&found, open, Find{at, r, Turns}, code)
		case tag(r) && !flag, selector(r) && selector(before), code && unicode.Is(blank, r):
			found = append(found, Find{at, r, Hides})
		}
		before = r
	}
	lost()
	slices.SortFunc(found, func(a, b Find) int { return a.At - b.At })
	return found
}

// turn keeps what opens until it is ended, and takes what ends nothing.
func turn(found *[]Find, open []Find, f Find, code bool) []Find {
	ends := map[rune][]rune{pdf: {lre, rle}, pdi: {lri, rli, fsi}}[f.Rune]
	switch last := len(open) - 1; {
	case code, f.Rune == lro, f.Rune == rlo:
	case ends == nil:
		return append(open, f)
	case last >= 0 && slices.Contains(ends, open[last].Rune):
		return open[:last]
	}
	*found = append(*found, f)
	return open
}

// Plain is a fast check that a text has no invisible characters. If it returns false
// there may be some.
func Plain[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			continue
		}
		if c < ' ' || c == 0x7f || c >= 0xc2 && i+1 < len(s) && begins(c, s[i+1], s[min(i+2, len(s)-1)]) {
			return false
		}
	}
	return true
}

// begins reports whether these first bytes of a character may belong to an invisible
// one.
func begins(a, b, c byte) bool {
	switch a {
	case 0xc2:
		return b < 0xa0
	case 0xe1:
		return b == 0x85 || b == 0x9e || b == 0xa0
	case 0xe2:
		return b == 0x80 && (c == 0x8b || c >= 0xa8 && c <= 0xae) || b == 0x81 && c >= 0xa0
	case 0xe3:
		return b == 0x85 && c == 0xa4
	case 0xef:
		return b >= 0xb8
	case 0xf0:
		return b == 0x9d && c == 0x85
	case 0xf3:
		return true
	}
	return false
}

// Visible replaces characters of untrusted text that affect what is around it:
// controls, directional characters and tags become U+FFFD, one for one. So does an
// invalid byte, because 0x9b is an escape on some terminals.
func Visible(s string) string {
	if unmarked(s) && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if acts(r) || unicode.Is(unicode.Bidi_Control, r) || tag(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// unmarked reports whether Visible would change nothing; Plain allows direction marks.
func unmarked(s string) bool { return Plain(s) && !strings.ContainsAny(s, "\u061c\u200e\u200f") }
