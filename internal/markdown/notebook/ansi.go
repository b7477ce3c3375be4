package notebook

import (
	"slices"
	"strconv"
	"strings"
)

// A Span is text of one style. Class is the style: "ansi-red", "ansi-bg-blue", "ansi-bold", several
// separated by blanks, or empty.
type Span struct{ Class, Text string }

var colours = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// A style has the classes that escape sequences have set, each possibly empty.
type style [5]string

// The indexes of a style.
const (
	foreground = iota
	background
	bold
	italic
	underline
)

func (s style) class() string {
	return strings.Join(slices.DeleteFunc(s[:], func(class string) bool { return class == "" }), " ")
}

// Spans reads the colours that a terminal would show (SGR of ECMA-48, § 8.3.117) and drops all
// other escape sequences. Of a line that a progress bar rewrote it keeps the last version. Colours
// beyond the first 16 are dropped, because no theme can ensure their contrast.
func Spans(s string) []Span {
	var out []Span
	var last strings.Builder // the text of the last span
	var now style
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

// effects are the codes that set or end one property.
var effects = map[int]struct {
	index int
	class string
}{
	1: {bold, "ansi-bold"}, 22: {bold, ""},
	3: {italic, "ansi-italic"}, 23: {italic, ""},
	4: {underline, "ansi-underline"}, 24: {underline, ""},
	39: {foreground, ""}, 49: {background, ""},
}

func (s *style) set(sgr string) {
	codes := strings.FieldsFunc(sgr, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		*s = style{}
	}
	for i := 0; i < len(codes); i++ {
		c, err := strconv.Atoi(codes[i])
		if err != nil {
			return
		}
		switch {
		case c == 0:
			*s = style{}
		case c >= 30 && c <= 37, c >= 90 && c <= 97:
			s[foreground] = "ansi-" + colours[c%10]
		case c >= 40 && c <= 47, c >= 100 && c <= 107:
			s[background] = "ansi-bg-" + colours[c%10]
		case c == 38:
			i += s.extended(foreground, "ansi-", codes[i+1:])
		case c == 48:
			i += s.extended(background, "ansi-bg-", codes[i+1:])
		default:
			if e, known := effects[c]; known {
				s[e.index] = e.class
			}
		}
	}
}

// extended reads a colour as 5;N or 2;R;G;B, and returns the number of codes.
func (s *style) extended(index int, prefix string, codes []string) int {
	s[index] = ""
	switch {
	case len(codes) > 1 && codes[0] == "5":
		if n, err := strconv.Atoi(codes[1]); err == nil && n >= 0 && n < 16 {
			s[index] = prefix + colours[n%8]
		}
		return 2
	case len(codes) > 3 && codes[0] == "2":
		return 4
	}
	return len(codes)
}
