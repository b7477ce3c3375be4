package diag

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// maxShown and minShown bound the source line in a printed diagnostic, in characters. minShown is for
// narrow terminals.
const maxShown, minShown = 160, 40

// heading returns the first line of a printed diagnostic.
func (d Diagnostic) heading(c text.Catalog) string {
	severity := [...]Text{Say("diag.error"), Say("diag.warning"), Say("diag.notice")}[d.Severity].In(c)
	place := d.File
	switch {
	case d.Cell > 0 && d.Line > 0:
		place = Say("diag.place-cell-line-column", "file", d.File, "cell", d.Cell, "line", d.Line, "column", d.Column).In(c)
	case d.Cell > 0:
		place = Say("diag.place-cell", "file", d.File, "cell", d.Cell).In(c)
	case d.Line > 0:
		place = fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column)
	}
	if place != "" {
		place += ": "
	}
	return place + severity + ": " + d.Message.In(c)
}

// A Style is how diagnostics are printed. The zero Style is for a pipe or a file, in English.
type Style struct {
	Color bool
	// Width is the width of the terminal. Text is wrapped at it, and only the part around
	// the place of a source line is shown. With 0, lines are not wrapped.
	Width   int
	Catalog text.Catalog
}

// maxEqual bounds how many diagnostics with the same message are printed for a file.
const maxEqual = 50

// Print writes the diagnostics in the given order, each with its source line and its hint. Of many equal ones it
// says how many more there are.
func Print(w io.Writer, l List, style Style) {
	paint := func(code, s string) string { return terminal.Paint(style.Color, code, s) }
	equal := func(d Diagnostic) string { return d.File + "\x00" + d.Message.String() }
	all, printed := map[string]int{}, map[string]int{}
	for _, d := range l {
		all[equal(d)]++
	}
	for _, d := range l {
		if printed[equal(d)]++; printed[equal(d)] > maxEqual {
			if printed[equal(d)] == all[equal(d)] {
				more := Say("diag.and-more", "what", all[equal(d)]-maxEqual).In(style.Catalog)
				fmt.Fprintln(w, terminal.Hang(Printable(d.File+": "+d.Message.In(style.Catalog)+": "+more), style.Width, 2))
			}
			continue
		}
		code := [...]string{Error: "1;31", Warning: "1;33", Notice: "1;36"}[d.Severity]
		fmt.Fprintln(w, paint(code, terminal.Hang(Printable(d.heading(style.Catalog)), style.Width, 2)))
		if text, mark, ok := d.excerpt(style.Width); ok {
			number := fmt.Sprintf("%5d", d.Line)
			if d.Line == 0 { // it was generated from the cell's metadata
				number = "     "
			}
			fmt.Fprintf(w, "%s | %s\n", number, text)
			fmt.Fprintf(w, "%*s | %s\n", len(number), "", paint(code, mark))
		}
		if !d.Hint.IsZero() {
			hint := Say("diag.hint", "hint", d.Hint).In(style.Catalog)
			fmt.Fprintln(w, terminal.Hang("  "+Printable(hint), style.Width, 4))
		}
	}
}

// excerpt returns the part of the source line around the place, and the mark below it.
func (d Diagnostic) excerpt(columns int) (text, mark string, ok bool) {
	if d.Line == 0 && d.Cell == 0 || strings.TrimSpace(d.Source) == "" {
		return "", "", false
	}
	most := maxShown
	if columns > 0 {
		most = max(minShown, min(maxShown, columns-len("12345 | ")))
	}
	line := []rune(Printable(d.Source))
	at := min(max(d.Column-max(d.SourceColumn, 1), 0), len(line))
	from := 0
	if at > most*3/4 {
		from = min(at-most/4, max(0, len(line)-most))
	}
	to := min(len(line), from+most)
	width := max(1, min(d.Width, to-at))
	return string(line[from:to]), strings.Repeat(" ", at-from) + "^" + strings.Repeat("~", width-1), true
}

// Printable replaces the characters of a text that move the cursor: controls, direction characters and
// tabs. The number of characters stays the same.
func Printable(s string) string {
	return invisible.Visible(oneLine.Replace(s))
}

var oneLine = strings.NewReplacer("\t", " ", "\n", "\uFFFD")
