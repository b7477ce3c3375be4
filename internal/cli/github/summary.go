package github

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxRows bounds the rows of a table. maxSummary bounds a summary in bytes: GitHub drops one of more than
// a mebibyte.
const maxRows, maxSummary = 200, 1 << 19

// Table returns a Markdown table. The cells are text, not Markdown.
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
		if i == maxRows {
			fmt.Fprintf(&b, "\nand %d more\n", len(body)-i)
			break
		}
		line(cells)
	}
	return b.String()
}

// cellBytes bounds a cell.
const cellBytes = 1 << 10

// Text escapes a text for Markdown, on one line. It needs two rules only: CommonMark accepts a
// backslash before any ASCII punctuation, and a | ends a cell.
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

// Bounded cuts a summary that is longer than GitHub accepts, between two lines.
func Bounded(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	return s[:strings.LastIndexByte(s[:maxSummary], '\n')+1] + "\nThe rest is in the step's log.\n"
}
