package match

import (
	"strings"
	"unicode/utf8"
)

// Plain returns an output as a terminal would show it in the end: without escape sequences, with
// the last state of a line that a progress bar rewrote, and with characters overwritten after
// backspaces. Other control characters become U+FFFD. The text should be valid UTF-8.
//
// The escape sequences are CSI (colours, cursor), OSC (title, links), DCS, SOS, PM and APC with
// their text, all of which a C1 control may begin too, and short ones that begin with ESC. Of a
// string without an end, or an OSC that does not end in its line, only the beginning is removed,
// so that the rest of the output is not lost.
func Plain(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	t := terminal{rest: s, noEnd: map[bool]int{true: len(s), false: len(s)}}
	t.out.Grow(len(s))
	for t.rest != "" {
		t.next()
	}
	t.endLine()
	return t.out.String()
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0
}

// A terminal has one line, in which the cursor can move back.
type terminal struct {
	rest   string
	out    strings.Builder
	cells  []rune
	cursor int
	// returned is set after \r: the next character replaces the whole line.
	returned bool
	// noEnd is the length of rest at which the last search for the end of a string failed: a
	// string that begins before that has no end either. The key is whether it is an OSC.
	noEnd map[bool]int
}

// Escape, and the bytes after it that begin or end a sequence. A C1 control is that byte and 0x40.
const (
	esc = 0x1b
	csi = '['
	st  = '\\'
	// Strings end with ST, and an OSC also with BEL.
	osc            = ']'
	stringControls = "]PX^_"
)

// next handles a character or an escape sequence.
func (t *terminal) next() {
	r, size := utf8.DecodeRuneInString(t.rest)
	second := rune(-1)
	if r == esc && len(t.rest) > 1 {
		second, size = rune(t.rest[1]), 2
	} else if r >= 0x80 && r < 0xa0 {
		second = r - 0x40
	}
	switch {
	case second == csi:
		t.rest = t.rest[size:]
		t.control()
	case second >= 0 && strings.ContainsRune(stringControls, second):
		t.rest = t.rest[size:]
		t.text(second == osc)
	case second == st:
		t.rest = t.rest[size:]
	case r == esc && t.short():
	default:
		_, size = utf8.DecodeRuneInString(t.rest)
		t.rest = t.rest[size:]
		t.write(r)
	}
}

// control skips the rest of a CSI sequence, and erases in the line if it says so.
func (t *terminal) control() {
	parameters := span(t.rest, '0', '?')
	end := parameters + span(t.rest[parameters:], ' ', '/')
	if end == len(t.rest) || t.rest[end] < '@' || t.rest[end] > '~' {
		t.rest = t.rest[end:]
		return
	}
	if t.rest[end] == 'K' && end == parameters {
		switch t.rest[:end] {
		case "", "0":
			t.cells = t.cells[:min(t.cursor, len(t.cells))]
		case "2":
			t.cells = t.cells[:0]
		}
	}
	t.rest = t.rest[end+1:]
}

// text skips the rest of a string, up to its end or to a character that interrupts it.
func (t *terminal) text(isOSC bool) {
	if len(t.rest) > t.noEnd[isOSC] {
		return
	}
	t.noEnd[isOSC] = 0
	for i, r := range t.rest {
		switch {
		case isOSC && r == '\n':
			t.noEnd[isOSC] = len(t.rest) - i
			return
		case r == 0x9c || isOSC && r == '\a' || r == 0x18 || r == 0x1a:
			t.rest = t.rest[i+utf8.RuneLen(r):]
		case r == esc && strings.HasPrefix(t.rest[i+1:], string(st)):
			t.rest = t.rest[i+2:]
		case r == esc:
			t.rest = t.rest[i:]
		default:
			continue
		}
		t.noEnd[isOSC] = len(t.rest)
		return
	}
}

// short skips a short sequence: ESC, intermediate bytes and a final one. It returns false if there
// is none.
func (t *terminal) short() bool {
	end := 1 + span(t.rest[1:], ' ', '/')
	if end == len(t.rest) || t.rest[end] < '0' || t.rest[end] > '~' {
		return false
	}
	t.rest = t.rest[end+1:]
	return true
}

// span counts the bytes at the beginning of a text that are between low and high.
func span(s string, low, high byte) (n int) {
	for n < len(s) && s[n] >= low && s[n] <= high {
		n++
	}
	return n
}

func (t *terminal) write(r rune) {
	switch {
	case r == '\n':
		t.endLine()
		t.out.WriteByte('\n')
		return
	case r == '\r':
		t.cursor, t.returned = 0, true
		return
	case r == '\b':
		t.cursor = max(0, t.cursor-1)
		return
	case isControl(r):
		r = utf8.RuneError
	}
	if t.returned {
		t.cells, t.returned = t.cells[:0], false
	}
	if t.cursor < len(t.cells) {
		t.cells[t.cursor] = r
	} else {
		t.cells = append(t.cells, r)
	}
	t.cursor++
}

func (t *terminal) endLine() {
	for _, r := range t.cells {
		t.out.WriteRune(r)
	}
	t.cells, t.cursor, t.returned = t.cells[:0], 0, false
}
