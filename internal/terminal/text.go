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
	for _, word := range counted(strings.Fields(text), most) {
		w := Columns(word)
		if line != "" && used+1+w <= most {
			line, used = line+" "+word, used+1+w
			continue
		}
		if room := most - used - 1; line != "" && w > most && room >= most/2 { // it must be broken anyhow
			cut := fitting(word, room)
			line, word = line+" "+word[:cut], word[cut:]
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

// counted joins numbers with the words behind them, "0 failed", where both fit into a
// line.
func counted(words []string, most int) (out []string) {
	for i, word := range words {
		if n := len(out) - 1; i > 0 && strings.Trim(words[i-1], "0123456789") == "" && Columns(out[n])+1+Columns(word) <= most {
			out[n] += " " + word
			continue
		}
		out = append(out, word)
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
		first, rest, _ := strings.Cut(body, " ")
		inner := min(len(start)+indent, most/2)
		// The first line has more room than those below it.
		parts := Wrap(first+" "+rest, most-len(start))
		out := start + parts[0]
		if below := strings.TrimSpace(strings.TrimPrefix(flat(body), parts[0])); below != "" {
			for _, part := range Wrap(below, most-inner) {
				out += "\n" + strings.Repeat(" ", inner) + part
			}
		}
		lines[i] = out
	}
	return strings.Join(lines, "\n")
}

// flat has one blank between words.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
