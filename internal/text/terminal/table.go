package terminal

import (
	"slices"
	"strings"
)

// A Table has rows of cells under a head. The last column is text. It is wrapped beside the other
// columns, or below its row if there is not enough room.
type Table struct {
	Head []string
	Rows [][]string
	// Drop are columns that may be left out if the table is too wide, by their index in Head, the
	// first one first.
	Drop []int
	// Paint, if not nil, colours the first cell of a row.
	Paint func(row int, cell string) string
}

const (
	columnGap = 2
	// besideWidth is the minimal width of the last column beside the others, belowIndent its
	// indentation below them.
	besideWidth, belowIndent = 24, 4
)

// Lines returns the lines of the table, at most so many columns wide.
func (t Table) Lines(most int) []string {
	widths := t.widths()
	last := len(t.Head) - 1
	shown, left := t.columns(widths, most)
	if most > 0 && left-columnGap > most {
		return t.stacked(shown, most)
	}
	below := most > 0 && left+min(widths[last], besideWidth) > most
	var out []string
	for i, row := range append([][]string{t.Head}, t.Rows...) {
		var b strings.Builder
		for _, c := range shown {
			cell := row[c]
			if i > 0 && c == 0 {
				cell = t.paint(i-1, cell)
			}
			b.WriteString(cell + strings.Repeat(" ", widths[c]-Columns(row[c])+columnGap))
		}
		before, indent := b.String(), left
		if below {
			out = append(out, strings.TrimRight(before, " "))
			if i == 0 || row[last] == "" {
				continue
			}
			before, indent = strings.Repeat(" ", belowIndent), belowIndent
		}
		parts := []string{row[last]}
		if most > 0 {
			parts = Wrap(row[last], most-indent)
		}
		for _, part := range parts {
			out = append(out, strings.TrimRight(before+part, " "))
			before = strings.Repeat(" ", indent)
		}
	}
	return out
}

func (t Table) paint(row int, cell string) string {
	if t.Paint == nil {
		return cell
	}
	return t.Paint(row, cell)
}

// stacked returns the rows with their cells one after the other, for a terminal that is too narrow for columns.
func (t Table) stacked(shown []int, most int) (out []string) {
	for i, row := range t.Rows {
		var cells []string
		for _, c := range append(shown, len(row)-1) {
			if row[c] != "" {
				cells = append(cells, row[c])
			}
		}
		text := Hang(strings.Join(cells, "  "), most, belowIndent)
		if rest, ok := strings.CutPrefix(text, row[0]); ok {
			text = t.paint(i, row[0]) + rest
		}
		out = append(out, strings.Split(text, "\n")...)
	}
	return out
}

// widths returns the widths of the columns. The head of the last one does not count.
func (t Table) widths() []int {
	widths := make([]int, len(t.Head))
	for c, cell := range t.Head[:len(t.Head)-1] {
		widths[c] = Columns(cell)
	}
	for _, row := range t.Rows {
		for c, cell := range row {
			widths[c] = max(widths[c], Columns(cell))
		}
	}
	return widths
}

// columns returns the columns before the last one that are shown, and their width with gaps. It leaves
// out columns of Drop until the last column has room beside the others.
func (t Table) columns(widths []int, most int) (shown []int, width int) {
	last := len(t.Head) - 1
	for c := range last {
		shown = append(shown, c)
		width += widths[c] + columnGap
	}
	for _, drop := range t.Drop {
		if most <= 0 || width+min(widths[last], besideWidth) <= most {
			break
		}
		shown = slices.DeleteFunc(shown, func(c int) bool { return c == drop })
		width -= widths[drop] + columnGap
	}
	return shown, width
}
