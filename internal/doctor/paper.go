package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// A paper is where text is written for people, at most so many columns wide. All
// of it goes through diag.Printable: what a driver or a page says must not act on
// a terminal.
type paper struct {
	w     io.Writer
	width int
	color bool
	err   error
}

// A mark stands before a line: the sign is for the eye, the word beside it says
// the same.
type mark struct{ sign, color string }

var (
	good  = mark{"✓", "32"}
	bad   = mark{"✗", "31"}
	doubt = mark{"!", "33"}
	plain = mark{"·", "2"}
)

func (p *paper) write(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *paper) paint(code, s string) string {
	if !p.color || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// heading begins a section.
func (p *paper) heading(s string) { p.write("\n" + p.paint("1", diag.Printable(s)) + "\n") }

// labelWidth is the column in which values begin, behind the indentation.
const labelWidth = 13

// row writes a label and a value; an empty value is left out.
func (p *paper) row(indent int, label, value string) {
	if value != "" {
		p.hang(indent, p.pad(label, labelWidth), "2", value)
	}
}

// item writes a text behind a mark.
func (p *paper) item(indent int, m mark, text string) { p.hang(indent, m.sign+" ", m.color, text) }

// line writes a text on its own.
func (p *paper) line(indent int, text string) { p.hang(indent, "", "", text) }

// hang writes a text behind a head, and what does not fit on the line below it.
func (p *paper) hang(indent int, head, color, text string) {
	head = diag.Printable(head)
	at := indent + columns(head)
	for i, line := range wrap(diag.Printable(text), p.width-at) {
		if i == 0 {
			shown := strings.TrimRight(head, " ")
			gap := strings.Repeat(" ", len(head)-len(shown))
			p.write(strings.Repeat(" ", indent) + p.paint(color, shown) + gap + line + "\n")
			continue
		}
		p.write(strings.Repeat(" ", at) + line + "\n")
	}
}

// pad fills a text up to a width, with one blank at least behind it.
func (p *paper) pad(s string, to int) string {
	return s + strings.Repeat(" ", max(1, to-columns(s)))
}

// table writes rows whose last cell is wrapped and whose other cells are as wide
// as they must be; each row has a mark before it.
func (p *paper) table(indent int, marks []mark, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for i, row := range rows {
		var head strings.Builder
		for j, cell := range row[:len(row)-1] {
			head.WriteString(p.pad(cell, widths[j]+2))
		}
		last := row[len(row)-1]
		head2 := diag.Printable(marks[i].sign + " ")
		at := indent + columns(head2) + columns(head.String())
		for k, line := range wrap(diag.Printable(last), p.width-at) {
			start := strings.Repeat(" ", at)
			if k == 0 {
				start = strings.Repeat(" ", indent) + p.paint(marks[i].color, marks[i].sign) + " " + diag.Printable(head.String())
			}
			p.write(strings.TrimRight(start+line, " ") + "\n")
		}
	}
}

// wrap breaks a text into lines of at most so many columns, between words, and
// within a word only where it is wider than a line. It returns at least one line.
func wrap(text string, most int) []string {
	most = max(most, 10)
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		w := columns(word)
		if line != "" && used+1+w <= most {
			line, used = line+" "+word, used+1+w
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for w > most {
			cut := fitting(word, most)
			lines = append(lines, word[:cut])
			word = word[cut:]
			w = columns(word)
		}
		line, used = word, w
	}
	return append(lines, line)
}

// fitting is how many bytes of a word fit into so many columns, breaking behind a
// slash or the like where there is one in the second half.
func fitting(word string, most int) int {
	end, nice, used := 0, 0, 0
	for end < len(word) {
		r, size := utf8.DecodeRuneInString(word[end:])
		used += runeColumns(r)
		if used > most {
			break
		}
		end += size
		if strings.ContainsRune("/:,;=-_", r) && 2*used >= most {
			nice = end
		}
	}
	if nice > 0 {
		return nice
	}
	return max(end, 1)
}

// columns is how wide a terminal shows a text.
func columns(s string) (n int) {
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

// list joins words with commas; empty ones are left out.
func list(parts ...string) string {
	var kept []string
	for _, s := range parts {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, ", ")
}

// gibibytes is an amount of memory as vendors and nvidia-smi count it.
func (t *Text) gibibytes(n uint64) string {
	switch {
	case n == 0:
		return ""
	case n < 1<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<40:
		return t.s.Number(float64(n)/(1<<40), 1) + " TiB"
	}
	return t.s.Number(float64(n)/(1<<30), 1) + " GiB"
}
