// Package invisible finds invisible characters in a text: controls that act on a terminal
// or end a line; characters that change the direction of the text around them, so that
// code is displayed in another order than it runs (https://trojansource.codes); and
// characters without a glyph, which programs read and people do not.
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

// The opening and closing characters of the bidirectional algorithm:
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

// blank has the other characters without a glyph: zero-width spaces, fillers,
// annotations.
var blank = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x115f, Hi: 0x1160, Stride: 1}, {Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, {Lo: 0x180e, Hi: 0x180e, Stride: 1},
	{Lo: 0x200b, Hi: 0x200b, Stride: 1},
	{Lo: 0x2060, Hi: 0x2064, Stride: 1}, {Lo: 0x206a, Hi: 0x206f, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1},
	{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, {Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, {Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
}, R32: []unicode.Range32{{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}}}

// A Find is an invisible character and its offset in the text.
type Find struct {
	At   int
	Rune rune
	Kind Kind
}

// In returns the invisible characters of a text. In code it reports all of them. In prose it
// reports those of kind Turns only if they do not end on their line, and no zero-width spaces.
func In(s string, code bool) (found []Find) {
	if Plain(s) {
		return nil
	}
	var open []Find
	lineEnds := func() {
		found = append(found, open...)
		open = open[:0]
	}
	var before rune
	flag := false
	for at, r := range s {
		flag = r == '\U0001f3f4' || flag && (tag(r) || selector(r))
		switch {
		case r == '\n':
			lineEnds()
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
	lineEnds()
	slices.SortFunc(found, func(a, b Find) int { return a.At - b.At })
	return found
}

// turn adds an opening character to open, and removes the one that a closing character ends. In code, and
// for overrides and closing characters without a partner, it reports the character.
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

// Plain is a fast check whether a text has no invisible characters. If it returns false,
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

// begins reports whether a character with these first bytes may be invisible.
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

// Visible replaces the characters of untrusted text that affect the text around it:
// controls, directional characters and tags become U+FFFD, one for one. So does an
// invalid byte, because some terminals take 0x9b as an escape.
func Visible(s string) string {
	if Plain(s) && !strings.ContainsAny(s, "\u061c\u200e\u200f") && utf8.ValidString(s) { // Plain allows direction marks
		return s
	}
	return strings.Map(func(r rune) rune {
		if acts(r) || unicode.Is(unicode.Bidi_Control, r) || tag(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
