package myst

import (
	"bytes"
	"encoding/csv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// readCSV reads comma-separated values. Blanks around values do not count, and neither do blank lines.
func (d *Directive) readCSV(lines []text.Segment, delimiter rune) (rows []row) {
	var all bytes.Buffer
	for _, l := range lines {
		all.Write(d.source[l.Start:l.Stop])
	}
	r := csv.NewReader(&all)
	r.Comma, r.TrimLeadingSpace, r.LazyQuotes, r.FieldsPerRecord = delimiter, !unicode.IsSpace(delimiter), true, -1
	for {
		values, err := r.Read()
		if err != nil { // the end, or a delimiter that is none
			return rows
		}
		if strings.TrimSpace(strings.Join(values, "")) == "" && len(values) == 1 {
			continue
		}
		first, _ := r.FieldPos(0)
		row := row{at: markdown.Extent(string(d.source[lines[first-1].Start:lines[first-1].Stop]), lines[first-1].Start)}
		for i, value := range values {
			line, column := r.FieldPos(i)
			row.cells = append(row.cells, d.csvCell(strings.TrimSpace(value), lines[line-1].Start+column-1))
		}
		rows = append(rows, row)
	}
}

// csvCell returns the cell of a value that begins at an offset. One with doubled quotation marks is text without
// markup, because it is not a part of the source.
func (d *Directive) csvCell(value string, at int) *extast.TableCell {
	cell := extast.NewTableCell()
	cell.SetPos(at)
	parts := text.NewSegments()
	for line := range strings.Lines(value) {
		rest := bytes.TrimLeft(d.source[at:], " \t\r\n>\"")
		at = len(d.source) - len(rest)
		words := strings.TrimLeft(strings.TrimRight(line, "\n"), " \t>")
		if !bytes.HasPrefix(rest, []byte(words)) {
			d.lastly(func() { cell.AppendChild(cell, ast.NewString([]byte(value))) })
			return cell
		}
		part := text.NewSegment(at, at+len(words))
		if strings.HasSuffix(line, "\n") { // so that words of two lines are two
			part.Stop += bytes.IndexByte(rest[len(words):], '\n') + 1
		}
		parts.Append(part)
		at = part.Stop
	}
	cell.SetLines(parts)
	return cell
}
