package terminal

import "strings"

// A Table is rows of cells under a head. Its last column is text: it is wrapped
// where there is room for it, and else stands below its row.
type Table struct {
	Head []string
	Rows [][]string
	// Drop are the columns that may be left out, by their index in Head, the first
	// one first, where all of them are too wide.
	Drop []int
	// Paint colours the text of a cell that is padded already; nil leaves it.
	Paint func(row, column int, cell string) string
}

const (
	gap = 2 // between columns
	// readable is how wide the last column must be to stand beside the others.
	readable = 24
	// below is how far in it stands below them.
	below = 4
)

// Lines are those of the table, at most so many cells wide.
func (t Table) Lines(most int) []string {
	shown := t.columns(most)
	widths := t.widths()
	at := 0
	for _, c := range shown {
		at += widths[c] + gap
	}
	last := len(t.Head) - 1
	if most > 0 && at-gap > most {
		return t.stacked(most)
	}
	under := most > 0 && at+min(widths[last], readable) > most
	var out []string
	for i, row := range append([][]string{t.Head}, t.Rows...) {
		var b strings.Builder
		for k, c := range shown {
			cell := row[c]
			if k < len(shown)-1 || !under {
				cell = Pad(cell, widths[c])
			}
			if t.Paint != nil && i > 0 {
				cell = t.Paint(i-1, c, cell)
			}
			b.WriteString(cell)
			if k < len(shown)-1 || !under {
				b.WriteString(strings.Repeat(" ", gap))
			}
		}
		text := row[last]
		switch {
		case text == "", under && i == 0:
			out = append(out, strings.TrimRight(b.String(), " "))
		case under:
			out = append(out, strings.TrimRight(b.String(), " "))
			for _, l := range Wrap(text, most-below) {
				out = append(out, strings.Repeat(" ", below)+l)
			}
		case most <= 0:
			out = append(out, b.String()+text)
		default:
			for k, l := range Wrap(text, most-at) {
				if k == 0 {
					out = append(out, b.String()+l)
					continue
				}
				out = append(out, strings.Repeat(" ", at)+l)
			}
		}
	}
	return out
}

// stacked are the rows where not even the columns that must be shown have room
// beside each other: cells one after the other.
func (t Table) stacked(most int) (out []string) {
	for i, row := range t.Rows {
		var cells []string
		for _, c := range append(t.columns(most), len(row)-1) {
			if row[c] != "" {
				cells = append(cells, row[c])
			}
		}
		text := Hang(strings.Join(cells, "  "), most, below)
		if rest, ok := strings.CutPrefix(text, row[0]); ok && t.Paint != nil {
			text = t.Paint(i, 0, row[0]) + rest
		}
		out = append(out, strings.Split(text, "\n")...)
	}
	return out
}

func (t Table) widths() []int {
	widths := make([]int, len(t.Head))
	for i, row := range append([][]string{t.Head}, t.Rows...) {
		for c, cell := range row {
			if i > 0 || c < len(row)-1 {
				widths[c] = max(widths[c], Columns(cell))
			}
		}
	}
	return widths
}

// columns are those before the last that are shown: all, or without those to drop
// until the last has room beside them.
func (t Table) columns(most int) []int {
	dropped := map[int]bool{}
	widths := t.widths()
	last := len(t.Head) - 1
	for next := 0; ; next++ {
		var shown []int
		sum := 0
		for c := range last {
			if !dropped[c] {
				shown = append(shown, c)
				sum += widths[c] + gap
			}
		}
		if most <= 0 || next == len(t.Drop) || sum+min(widths[last], readable) <= most {
			return shown
		}
		dropped[t.Drop[next]] = true
	}
}
