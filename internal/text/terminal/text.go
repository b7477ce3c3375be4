// Package terminal lays out text for a terminal: how wide a text is shown, where
// its lines break, tables whose columns fit, and one live line that is renewed in
// its place.
//
// A width counts cells. A width of 0 stands for what is no terminal, a pipe or a
// file: nothing is broken, cut or dropped there, so that a line stays one line for
// grep and awk.
package terminal

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Columns is how many cells a terminal takes for a text.
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

// Pad fills a text with blanks up to a width.
func Pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-Columns(s)))
}

// Clip cuts a text that is wider than so many cells, and says so with "...".
func Clip(s string, most int) string {
	if most <= 0 || Columns(s) <= most {
		return s
	}
	const cut = "..."
	used := len(cut)
	for i, r := range s {
		if used += runeColumns(r); used > most {
			return s[:i] + cut[:min(len(cut), most)]
		}
	}
	return s
}

// least is how narrow a column of text may be.
const least = 10

// Wrap breaks a text into lines of at most so many cells, between words, and
// within a word only where it is wider than a line. A number stays with what it
// counts. It returns at least one line.
func Wrap(text string, most int) []string {
	most = max(most, least)
	var lines []string
	line, used := "", 0
	for _, f := range fields(text, most) {
		word, w, gap := f.word, Columns(f.word), len(f.gap)
		if line != "" && used+gap+w <= most {
			line, used = line+f.gap+word, used+gap+w
			continue
		}
		if room := most - used - gap; line != "" && w > most && room >= most/2 { // it must be broken anyhow
			cut := fitting(word, room)
			line, word = line+f.gap+word[:cut], word[cut:]
			w = Columns(word)
		}
		if line != "" {
			lines = append(lines, line)
		}
		for w > most {
			cut := fitting(word, most)
			lines = append(lines, word[:cut])
			word = word[cut:]
			w = Columns(word)
		}
		line, used = word, w
	}
	return append(lines, line)
}

// A field is a word and the blanks before it, which stay where it stays on the line:
// two of them part columns.
type field struct{ gap, word string }

// fields parts a text. A number and the word behind it, "0 failed", are one where both
// fit into a line.
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

// fitting is how many bytes of a word fit into so many cells, breaking behind a
// slash, or else the like, where there is one in the second half.
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

// Hang breaks the lines of a text that are wider than so many cells; what goes on
// stands below it, that much further in. Lines that fit stay as they are.
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
		start := strings.Repeat(" ", len(l)-len(body))
		inner := min(len(start)+indent, most/2, max(0, most-least))
		// The first line has more room than those below it.
		parts := Wrap(body, most-len(start))
		out := start + parts[0]
		if below := strings.TrimSpace(strings.TrimPrefix(spaced(body), parts[0])); below != "" {
			for _, part := range Wrap(below, most-inner) {
				out += "\n" + strings.Repeat(" ", inner) + part
			}
		}
		lines[i] = out
	}
	return strings.Join(lines, "\n")
}

// spaced is a text as [Wrap] writes it on one line.
func spaced(s string) string {
	var b strings.Builder
	for i, f := range fields(s, 0) {
		if i > 0 {
			b.WriteString(f.gap)
		}
		b.WriteString(f.word)
	}
	return b.String()
}
