// Package terminal lays out text for a terminal: the width of a text, wrapped lines, tables whose
// columns fit, and one live line that is drawn again in its place.
//
// Widths are in columns of a terminal. A width of 0 stands for a pipe or a file: there nothing is
// wrapped, cut or left out, so that a line stays one line for grep and awk.
package terminal

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Columns returns how many columns a text takes.
func Columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Paint returns a text in a colour, or as it is. code is the parameter of the escape sequence, such as "31".
func Paint(color bool, code, text string) string {
	if !color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Pad appends spaces to a text up to a width.
func Pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-Columns(s)))
}

// Clip cuts a text that is wider than most columns, and ends it with "...".
func Clip(s string, most int) string {
	if most <= 0 || Columns(s) <= most {
		return s
	}
	const mark = "..."
	used := len(mark)
	for i, r := range s {
		if used += runeColumns(r); used > most {
			return s[:i] + mark[:min(len(mark), most)]
		}
	}
	return s
}

// minWidth is the minimal width of wrapped text.
const minWidth = 10

// Wrap breaks a text into lines of at most so many columns, between words. Only a word that is wider
// than a line is broken itself. A number stays with the word after it. There is at least one line.
func Wrap(text string, most int) []string { return wrap(text, most, most) }

// wrap is [Wrap] with another width for the first line.
func wrap(text string, first, most int) (lines []string) {
	width := max(first, minWidth) // of the current line
	most = max(most, minWidth)
	line, used := "", 0
	end := func() {
		lines = append(lines, line)
		line, used, width = "", 0, most
	}
	for _, f := range fields(text, min(width, most)) {
		word, w, gap := f.word, Columns(f.word), len(f.gap)
		if line != "" && used+gap+w <= width {
			line, used = line+f.gap+word, used+gap+w
			continue
		}
		if line != "" {
			if room := width - used - gap; w > most && room >= width/2 { // it must be broken anyway
				cut := fitting(word, room)
				line, word = line+f.gap+word[:cut], word[cut:]
			}
			end()
		}
		for Columns(word) > width {
			cut := fitting(word, width)
			line, word = word[:cut], word[cut:]
			end()
		}
		line, used = word, Columns(word)
	}
	return append(lines, line)
}

// A field is a word and the spaces before it, which are kept within a line: two of them separate
// columns.
type field struct{ gap, word string }

// fields splits a text. A number and the word after it, "0 failed", are one field if both fit into
// a line.
func fields(text string, most int) (out []field) {
	number := false
	for text != "" {
		rest := strings.TrimLeftFunc(text, unicode.IsSpace)
		if rest == "" {
			break
		}
		gap := strings.Repeat(" ", max(1, strings.Count(text[:len(text)-len(rest)], " ")))
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		text = rest[end:]
		if n := len(out) - 1; number && gap == " " && Columns(out[n].word)+1+Columns(word) <= most {
			out[n].word += " " + word
		} else {
			out = append(out, field{gap, word})
		}
		number = strings.Trim(word, "0123456789") == ""
	}
	return out
}

// fitting returns how many bytes of a word fit into so many columns. In their second half it prefers
// to break after a slash, or else after other punctuation.
func fitting(word string, most int) int {
	end, slash, nice, used := 0, 0, 0, 0
	for end < len(word) {
		r, size := utf8.DecodeRuneInString(word[end:])
		used += runeColumns(r)
		if used > most {
			break
		}
		end += size
		switch {
		case 2*used < most:
		case r == '/':
			slash = end
		case strings.ContainsRune(":,;=-_", r):
			nice = end
		}
	}
	return cmp.Or(slash, nice, max(end, 1))
}

// Hang wraps the lines of a text that are wider than most columns. Continued lines are indented by so many
// columns more.
func Hang(text string, most, indent int) string {
	if most <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if Columns(l) <= most {
			continue
		}
		body := strings.TrimLeft(l, " ")
		start := len(l) - len(body)
		inner := min(start+indent, most/2, max(0, most-minWidth))
		lines[i] = l[:start] + strings.Join(wrap(body, most-start, most-inner), "\n"+strings.Repeat(" ", inner))
	}
	return strings.Join(lines, "\n")
}
