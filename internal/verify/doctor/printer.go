package doctor

import (
	"io"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
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

func (p *printer) paint(code, s string) string { return terminal.Paint(p.color && code != "", code, s) }

// heading begins a section.
func (p *printer) heading(s string) { p.write("\n" + p.paint("1", diag.Printable(s)) + "\n") }

// labelWidth is the column in which values begin, after the indentation.
const labelWidth = 13

// row writes a label and a value; an empty value is left out.
func (p *printer) row(indent int, label, value string) {
	if value != "" {
		p.writeHanging(indent, mark{terminal.Pad(label, labelWidth-1), "2"}, "", value)
	}
}

// item writes a text after a mark.
func (p *printer) item(indent int, m mark, text string) { p.writeHanging(indent, m, "", text) }

// remedy writes what a person can do.
func (p *printer) remedy(indent int, text string) { p.item(indent, mark{"→", "2"}, text) }

// line writes a text.
func (p *printer) line(indent int, text string) { p.writeHanging(indent, mark{}, "", text) }

// writeHanging writes a mark, cells, and a text with the lines that do not fit indented below its
// beginning.
func (p *printer) writeHanging(indent int, m mark, cells, text string) {
	sign, gap := strings.TrimRight(diag.Printable(m.sign), " "), ""
	if m.sign != "" {
		gap = strings.Repeat(" ", len(m.sign)-len(sign)+1)
	}
	cells = diag.Printable(cells)
	at := indent + terminal.Columns(sign+gap+cells)
	start := strings.Repeat(" ", indent) + p.paint(m.color, sign) + gap + cells
	for _, line := range terminal.Wrap(diag.Printable(text), p.width-at) {
		p.write(strings.TrimRight(start+line, " ") + "\n")
		start = strings.Repeat(" ", at)
	}
}

// A tableRow has a mark and cells. The last cell is wrapped.
type tableRow struct {
	mark
	cells []string
}

// table writes rows. The columns before the last are as wide as needed.
func (p *printer) table(indent int, rows []tableRow) {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(0, len(row.cells)-1-len(widths)))...)
		for i := range widths {
			widths[i] = max(widths[i], terminal.Columns(row.cells[i])+2)
		}
	}
	for _, row := range rows {
		cells := ""
		for i, width := range widths {
			cells += terminal.Pad(row.cells[i], width)
		}
		p.writeHanging(indent, row.mark, cells, row.cells[len(widths)])
	}
}

// list joins words with commas; empty ones are left out.
func list(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// answerMark returns the mark of a verdict.
func answerMark(v report.Verdict) mark {
	switch v.Answer {
	case report.RunsYes, report.RunsMinor, report.RunsForward:
		return good
	case report.RunsNo:
		return bad
	}
	return warn
}
