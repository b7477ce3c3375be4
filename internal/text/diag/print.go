package diag

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// maxShown bounds the source line in a printed diagnostic, in characters.
const maxShown = 160

// leastShown is how much of it is shown on the narrowest terminal.
const leastShown = 40

// heading is the first line of a printed diagnostic.
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

// A Style is how diagnostics are printed; the zero one is for what is no terminal.
type Style struct {
	Color bool
	// Width is that of the terminal: text is broken into lines, and of a line of the
	// source the part around the place is shown. 0 breaks none.
	Width int
	// Catalog is that of the reader's language; none is English.
	Catalog text.Catalog
}

// Print writes the diagnostics in the order given, each with its source line
// and hint.
func Print(w io.Writer, l List, style Style) {
	paint := func(code, s string) string {
		if !style.Color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	for _, d := range l {
		code := [...]string{Error: "1;31", Warning: "1;33", Notice: "1;36"}[d.Severity]
		fmt.Fprintln(w, paint(code, terminal.Hang(Printable(d.heading(style.Catalog)), style.Width, 2)))
		if text, mark, ok := d.excerpt(style.Width); ok {
			number := fmt.Sprintf("%5d", d.Line)
			if d.Line == 0 { // what was made of a cell's metadata
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

// excerpt cuts a long source line around the place and draws the mark below it.
func (d Diagnostic) excerpt(columns int) (text, mark string, ok bool) {
	if d.Line == 0 && d.Cell == 0 || strings.TrimSpace(d.Source) == "" {
		return "", "", false
	}
	most := maxShown
	if columns > 0 {
		most = max(leastShown, min(maxShown, columns-len("12345 | ")))
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

// Printable keeps a text from moving the cursor: control and direction characters
// would, and a tab would shift a mark below. The number of characters stays.
func Printable(s string) string {
	return invisible.Visible(oneLine.Replace(s))
}

var oneLine = strings.NewReplacer("\t", " ", "\n", "\uFFFD")
