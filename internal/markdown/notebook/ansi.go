package notebook

import (
	"strconv"
	"strings"
)

// A Span is text of one style. Class is the style: "ansi-red", "ansi-bg-blue", "ansi-bold", several
// separated by blanks, or empty.
type Span struct{ Class, Text string }

var colours = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// A style is what escape sequences have set. Colours are 0 to 15, or -1 for none.
type style struct {
	fg, bg                  int
	bold, italic, underline bool
}

var noStyle = style{fg: -1, bg: -1}

func (s style) class() string {
	var c []string
	if s.fg >= 0 {
		c = append(c, "ansi-"+colours[s.fg%8])
	}
	if s.bg >= 0 {
		c = append(c, "ansi-bg-"+colours[s.bg%8])
	}
	if s.bold {
		c = append(c, "ansi-bold")
	}
	if s.italic {
		c = append(c, "ansi-italic")
	}
	if s.underline {
		c = append(c, "ansi-underline")
	}
	return strings.Join(c, " ")
}

// Spans reads the colours that a terminal would show (SGR of ECMA-48, § 8.3.117) and drops all
// other escape sequences. Of a line that a progress bar rewrote it keeps the last version. Colours
// beyond the first 16 are dropped, because no theme can ensure their contrast.
func Spans(s string) []Span {
	var out []Span
	var last strings.Builder // the text of the last span
	now := noStyle
	add := func(text string) {
		if text == "" {
			return
		}
		if class, n := now.class(), len(out); n == 0 || out[n-1].Class != class {
			if n > 0 {
				out[n-1].Text = last.String()
			}
			out = append(out, Span{Class: class})
			last.Reset()
		}
		last.WriteString(text)
	}
	for line := range strings.Lines(s) {
		body, end := strings.TrimRight(line, "\r\n"), ""
		if strings.HasSuffix(line, "\n") {
			end = "\n"
		}
		from := strings.LastIndexByte(body, '\r') + 1
		for at := 0; at < len(body); {
			esc := strings.IndexByte(body[at:], '\x1b')
			stop := len(body)
			if esc >= 0 {
				stop = at + esc
			}
			if stop > from {
				add(body[max(at, from):stop])
			}
			if esc < 0 {
				break
			}
			n, sgr, ok := sequence(body[stop:])
			if ok {
				now.set(sgr)
			}
			at = stop + n
		}
		add(end)
	}
	if n := len(out); n > 0 {
		out[n-1].Text = last.String()
	}
	return out
}

// maxOSC bounds a command to the terminal, such as the address of a link, so that many unfinished
// ones take linear time.
const maxOSC = 4 << 10

// sequence returns the length of the escape sequence at the beginning of s. ok is set if it sets a
// style, with the parameters sgr.
func sequence(s string) (n int, sgr string, ok bool) {
	if len(s) < 2 {
		return len(s), "", false
	}
	switch s[1] {
	case '[': // CSI: parameters, intermediates, one final byte
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1, s[2:i], s[i] == 'm'
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i, "", false
			}
		}
		return len(s), "", false
	case ']': // OSC, up to BEL or ST
		for i := 2; i < min(len(s), maxOSC); i++ {
			if s[i] == 0x07 {
				return i + 1, "", false
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2, "", false
			}
		}
		return 2, "", false
	}
	return 2, "", false
}

func (s *style) set(sgr string) {
	codes := strings.FieldsFunc(sgr, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		*s = noStyle
	}
	for i := 0; i < len(codes); i++ {
		c, err := strconv.Atoi(codes[i])
		if err != nil {
			return
		}
		switch {
		case c == 0:
			*s = noStyle
		case c == 1:
			s.bold = true
		case c == 3:
			s.italic = true
		case c == 4:
			s.underline = true
		case c == 22:
			s.bold = false
		case c == 23:
			s.italic = false
		case c == 24:
			s.underline = false
		case c >= 30 && c <= 37:
			s.fg = c - 30
		case c >= 90 && c <= 97:
			s.fg = c - 90 + 8
		case c >= 40 && c <= 47:
			s.bg = c - 40
		case c >= 100 && c <= 107:
			s.bg = c - 100 + 8
		case c == 39:
			s.fg = -1
		case c == 49:
			s.bg = -1
		case c == 38 || c == 48:
			i += s.extended(c == 38, codes[i+1:])
		}
	}
}

// extended reads 38;5;N and 38;2;R;G;B, and returns the number of codes.
func (s *style) extended(fg bool, codes []string) int {
	to, colour, took := &s.bg, -1, len(codes)
	if fg {
		to = &s.fg
	}
	if len(codes) > 1 && codes[0] == "5" {
		took = 2
		if n, err := strconv.Atoi(codes[1]); err == nil && n >= 0 && n < 16 {
			colour = n
		}
	} else if len(codes) > 3 && codes[0] == "2" {
		took = 4
	}
	*to = colour
	return took
}
