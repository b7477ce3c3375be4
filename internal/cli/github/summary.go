package github

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// rows is how many rows of a table are written, for nobody reads more.
// mostSummary bounds a summary: GitHub drops one of more than a mebibyte.
const rows, mostSummary = 200, 1 << 19

// Table returns a Markdown table; what stands in the cells is text, not Markdown.
func Table(head []string, body [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + Text(c) + " |")
		}
		b.WriteString("\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for i, cells := range body {
		if i == rows {
			fmt.Fprintf(&b, "\nand %d more\n", len(body)-i)
			break
		}
		line(cells)
	}
	return b.String()
}

// cellBytes bounds a cell.
const cellBytes = 1 << 10

// Text escapes a text for Markdown, on one line. CommonMark takes a backslash
// before any ASCII punctuation, so no rule has to be known beyond that one, and
// that a | ends a cell.
func Text(s string) string {
	s = diag.Printable(strings.ReplaceAll(strings.ReplaceAll(diag.Clip(s, cellBytes), "\r\n", " "), "\n", " "))
	var b strings.Builder
	for _, r := range strings.TrimSpace(s) {
		if r == '|' {
			b.WriteString("&#124;")
			continue
		}
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Bounded cuts a summary that is longer than GitHub takes, between two lines.
func Bounded(s string) string {
	if len(s) <= mostSummary {
		return s
	}
	return s[:strings.LastIndexByte(s[:mostSummary], '\n')+1] + "\nThe rest is in the step's log.\n"
}
