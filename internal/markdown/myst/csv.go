package myst

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// readCSV reads comma-separated values, as in RFC 4180: a value in quotation marks may contain the
// delimiter, line ends, and quotation marks that are doubled. Blanks around values do not count, and
// neither do blank lines. A quotation mark that is not closed is a part of the text.
func (d *Directive) readCSV(lines []text.Segment, delimiter byte) (rows []row) {
	for i := 0; i < len(lines); {
		s := lines[i]
		s.Padding = 0
		if len(bytes.TrimSpace(s.Value(d.source))) == 0 {
			i++
			continue
		}
		var r row
		r, i = d.readRow(lines, i, delimiter)
		rows = append(rows, r)
	}
	return rows
}

// readRow reads the row that begins with a line, and returns the line after it.
func (d *Directive) readRow(lines []text.Segment, i int, delimiter byte) (row, int) {
	source := d.source
	at, stop := lines[i].Start, endOf(lines[i], source)
	r := row{at: markdown.Span{Start: at, Stop: stop}}
	for {
		for at < stop && source[at] != delimiter && (source[at] == ' ' || source[at] == '\t') {
			at++
		}
		cell := extast.NewTableCell()
		cell.SetPos(at)
		r.cells = append(r.cells, cell)
		if at < stop && source[at] == '"' {
			line, end, value, doubled := quoted(lines, i, at+1, source)
			if doubled {
				d.lastly(func() { halve(cell, source) })
			}
			if end > 0 {
				cell.SetLines(value)
				i, at, stop = line, end, endOf(lines[line], source)
			}
		}
		from := at
		for at < stop && source[at] != delimiter {
			at++
		}
		value := text.NewSegment(from, at)
		if value = value.TrimLeftSpace(source); !value.IsEmpty() {
			if value = value.TrimRightSpace(source); !value.IsEmpty() {
				cell.Lines().Append(value)
			}
		}
		if at >= stop {
			return r, i + 1
		}
		at++
	}
}

// endOf returns where the text of a line ends, without its line end.
func endOf(s text.Segment, source []byte) int {
	return s.Start + len(bytes.TrimRight(source[s.Start:s.Stop], "\r\n"))
}

// quoted reads a value after its quotation mark at an offset of a line. It returns the line and the
// offset after the closing mark, or 0 if it is missing, and whether quotation marks in it are
// doubled.
func quoted(lines []text.Segment, i, at int, source []byte) (line, end int, value *text.Segments, doubled bool) {
	value = text.NewSegments()
	for from := at; i < len(lines); {
		n := bytes.IndexByte(source[at:lines[i].Stop], '"')
		switch {
		case n < 0:
			if from < lines[i].Stop {
				value.Append(text.NewSegment(from, lines[i].Stop))
			}
			if i++; i < len(lines) {
				from, at = lines[i].Start, lines[i].Start
			}
		case at+n+1 < lines[i].Stop && source[at+n+1] == '"':
			doubled = true
			at += n + 2
		default:
			if from < at+n {
				value.Append(text.NewSegment(from, at+n))
			}
			return i, at + n + 1, value, doubled
		}
	}
	return 0, 0, nil, false
}

// halve leaves out the second of two quotation marks in the text of a cell.
func halve(cell ast.Node, source []byte) {
	for _, t := range markdown.Find[*ast.Text](cell) {
		for {
			n := bytes.Index(t.Segment.Value(source), []byte(`""`))
			if n < 0 {
				break
			}
			rest := *t
			rest.SetParent(nil)
			rest.SetNextSibling(nil)
			rest.SetPreviousSibling(nil)
			rest.Segment = text.NewSegment(t.Segment.Start+n+2, t.Segment.Stop)
			t.Segment = t.Segment.WithStop(t.Segment.Start + n + 1)
			t.SetSoftLineBreak(false)
			t.SetHardLineBreak(false)
			t.Parent().InsertAfter(t.Parent(), t, &rest)
			t = &rest
		}
	}
}
