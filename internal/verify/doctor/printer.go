package doctor

import (
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// A printer writes text for people, at most width columns wide. Everything goes through
// diag.Printable: text from a driver or a page must not control the terminal.
type printer struct {
	w     io.Writer
	width int
	color bool
	err   error
}

// A mark is printed before a line. The sign only repeats what the word next to it says.
type mark struct{ sign, color string }

var (
	good  = mark{"✓", "32"}
	bad   = mark{"✗", "31"}
	warn  = mark{"!", "33"}
	plain = mark{"·", "2"}
)

func (p *printer) write(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *printer) paint(code, s string) string {
	if !p.color || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// heading begins a section.
func (p *printer) heading(s string) { p.write("\n" + p.paint("1", diag.Printable(s)) + "\n") }

// labelWidth is the column in which values begin, after the indentation.
const labelWidth = 13

// row writes a label and a value; an empty value is left out.
func (p *printer) row(indent int, label, value string) {
	if value != "" {
		p.hang(indent, p.pad(label, labelWidth), "2", value)
	}
}

// item writes a text after a mark.
func (p *printer) item(indent int, m mark, text string) { p.hang(indent, m.sign+" ", m.color, text) }

// line writes a text.
func (p *printer) line(indent int, text string) { p.hang(indent, "", "", text) }

// hang writes a text after a head, with the lines that do not fit indented below it.
func (p *printer) hang(indent int, head, color, text string) {
	head = diag.Printable(head)
	at := indent + terminal.Columns(head)
	for i, line := range terminal.Wrap(diag.Printable(text), p.width-at) {
		if i == 0 {
			shown := strings.TrimRight(head, " ")
			gap := strings.Repeat(" ", len(head)-len(shown))
			p.write(strings.Repeat(" ", indent) + p.paint(color, shown) + gap + line + "\n")
			continue
		}
		p.write(strings.Repeat(" ", at) + line + "\n")
	}
}

// pad fills a text up to a width, with at least one space at its end.
func (p *printer) pad(s string, to int) string {
	return s + strings.Repeat(" ", max(1, to-terminal.Columns(s)))
}

// table writes rows with a mark before each. The last cell is wrapped, and the other
// columns are as wide as needed.
func (p *printer) table(indent int, marks []mark, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Columns(cell))
		}
	}
	for i, row := range rows {
		var head strings.Builder
		for j, cell := range row[:len(row)-1] {
			head.WriteString(p.pad(cell, widths[j]+2))
		}
		last := row[len(row)-1]
		head2 := diag.Printable(marks[i].sign + " ")
		at := indent + terminal.Columns(head2) + terminal.Columns(head.String())
		for k, line := range terminal.Wrap(diag.Printable(last), p.width-at) {
			start := strings.Repeat(" ", at)
			if k == 0 {
				start = strings.Repeat(" ", indent) + p.paint(marks[i].color, marks[i].sign) + " " + diag.Printable(head.String())
			}
			p.write(strings.TrimRight(start+line, " ") + "\n")
		}
	}
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
