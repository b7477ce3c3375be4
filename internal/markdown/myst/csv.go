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

// readCSV reads comma-separated values. Blanks around them do not count, and neither do blank lines. Values are text
// without markup.
func (d *Directive) readCSV(lines []text.Segment, delimiter rune) (rows []row) {
	var all bytes.Buffer
	for _, l := range lines {
		all.Write(d.source[l.Start:l.Stop])
	}
	r := csv.NewReader(&all)
	r.Comma, r.TrimLeadingSpace, r.LazyQuotes, r.FieldsPerRecord = delimiter, !unicode.IsSpace(delimiter), true, -1
	for {
		values, err := r.Read()
		if err != nil { // the end, or a character that cannot be a delimiter
			return rows
		}
		if strings.TrimSpace(strings.Join(values, "")) == "" && len(values) == 1 {
			continue
		}
		line, _ := r.FieldPos(0)
		first := lines[line-1]
		row := row{at: markdown.Extent(string(d.source[first.Start:first.Stop]), first.Start)}
		for _, value := range values {
			cell := extast.NewTableCell()
			cell.SetPos(first.Start)
			d.afterInlines(func() { cell.AppendChild(cell, ast.NewString([]byte(strings.TrimSpace(value)))) })
			row.cells = append(row.cells, cell)
		}
		rows = append(rows, row)
	}
}
