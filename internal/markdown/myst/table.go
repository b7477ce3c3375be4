package myst

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// tableDirectives are directives that become tables.
var tableDirectives = map[string]directive{"table": {node: captionedTable}, "list-table": {node: listTable},
	"csv-table": {text: true, node: csvTable}}

// captionedTable returns the figure of what is in the directive.
func captionedTable(d *Directive) ast.Node {
	f := &markdown.Figure{Of: markdown.Table, ID: d.label()}
	markdown.Identify(f, "", d.classes())
	markdown.MoveChildren(d, f)
	f.AddCaption([]text.Segment{segment(d.Argument)}, d.source)
	return f
}

// listTable returns a table whose rows are the items of a list, and whose cells are the items of a list in
// each of these.
func listTable(d *Directive) ast.Node {
	list, ok := d.FirstChild().(*ast.List)
	if !ok || d.ChildCount() > 1 {
		d.warn(d.NameAt, diag.Say("markdown.myst-list-table-invalid"), diag.Say("markdown.myst-list-table-hint"))
		return captionedTable(d)
	}
	var rows []row
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		r := row{at: markdown.Span{Start: item.Pos(), Stop: item.Pos() + 1}}
		cells, ok := item.FirstChild().(*ast.List)
		if !ok { // the whole item is a cell
			cells = ast.NewList('-')
			cell := ast.NewListItem(0)
			markdown.MoveChildren(item, cell)
			cells.AppendChild(cells, cell)
		}
		for c := cells.FirstChild(); c != nil; c = c.NextSibling() {
			r.cells = append(r.cells, cellOf(c))
		}
		rows = append(rows, r)
	}
	d.RemoveChild(d, list)
	return d.table(rows, 0)
}

// cellOf returns the cell with the text or the blocks of an item.
func cellOf(item ast.Node) *extast.TableCell {
	cell := extast.NewTableCell()
	cell.SetPos(item.Pos())
	switch first := item.FirstChild(); {
	case first == nil:
	case first.NextSibling() == nil && (first.Kind() == ast.KindParagraph || first.Kind() == ast.KindTextBlock):
		cell.SetPos(first.Pos())
		cell.SetLines(first.Lines())
	default:
		markdown.MoveChildren(item, cell)
	}
	return cell
}

// delimiters have names in the option delim.
var delimiters = map[string]string{"tab": "\t", "space": " "}

// csvTable returns a table of comma-separated values, or the link to a file of them.
func csvTable(d *Directive) ast.Node {
	if file, has := d.find("file"); has {
		return d.linked(file.Value, file.Value, file.Span)
	}
	delimiter, _ := utf8.DecodeRuneInString(cmp.Or(delimiters[d.option("delim")], d.option("delim"), ","))
	var rows []row
	if o, has := d.find("header"); has {
		// Quotation marks around the first and the last value are not those of the option.
		start := o.Start + 1
		for start < o.Stop && d.source[start-1] != ':' || start == o.Start+1 {
			start++
		}
		rows = d.readCSV([]text.Segment{text.NewSegment(start, o.Stop)}, delimiter)
	}
	headers := len(rows)
	rows = append(rows, d.readCSV(d.Lines().Sliced(0, d.Lines().Len()), delimiter)...)
	return d.table(rows, headers)
}

// A row of a table, and its place for messages.
type row struct {
	cells []*extast.TableCell
	at    markdown.Span
}

// table returns the figure of a table, or the table if it has neither caption nor label. Short rows
// get empty cells. The first of the headers, or of those that header-rows counts, is the head.
func (d *Directive) table(rows []row, headers int) ast.Node {
	if n, err := strconv.Atoi(d.option("header-rows")); err == nil {
		headers += n
	}
	if len(rows) == 0 {
		return captionedTable(d)
	}
	t := extast.NewTable()
	t.SetPos(d.Opening.Start)
	columns, cells := 0, 0
	for _, r := range rows {
		columns, cells = max(columns, len(r.cells)), cells+len(r.cells)
	}
	for i, r := range rows {
		if len(r.cells) != columns {
			tellOnce(d.pc, "row "+strconv.Itoa(d.Opening.Start), r.at,
				diag.Say("markdown.myst-row-length", "cells", len(r.cells), "columns", columns), diag.Say("markdown.myst-row-length-hint"))
		}
		n := extast.NewTableRow(nil)
		n.SetPos(r.at.Start)
		for _, c := range r.cells {
			n.AppendChild(n, c)
		}
		for k := len(r.cells); k < columns && cells < 1000+4*len(d.source); k++ { // so that one long row does not make a page of blanks
			c := extast.NewTableCell()
			c.SetPos(r.at.Start)
			n.AppendChild(n, c)
			cells++
		}
		if i == 0 && headers > 0 {
			t.AppendChild(t, extast.NewTableHeader(n))
		} else {
			t.AppendChild(t, n)
		}
	}
	d.AppendChild(d, t)
	if d.Argument.Start == d.Argument.Stop && d.label() == "" {
		d.describe(t, d.classes())
		d.RemoveChild(d, t)
		return t
	}
	return captionedTable(d)
}
