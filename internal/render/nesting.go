package render

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// How a browser reads tags that do not nest: some end others that are open, and some open
// others that are missing (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody).
// <li> ends the <li> before it and a <div> in that, so that the </div> behind it would end one
// of the page's own. Here these ends are written out, and what stands nowhere in its place is
// left out, so that what a browser reads is what is written.

// parents are the elements in which others must stand.
var parents = map[string][]string{
	"li": {"ul", "ol", "menu"},
	"dt": {"dl"}, "dd": {"dl"},
	"tr": {"table", "thead", "tbody", "tfoot"},
	"td": {"tr"}, "th": {"tr"},
	"thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "caption": {"table"}, "colgroup": {"table"},
	"col": {"table", "colgroup"},
}

// rows are elements of which a table consists, whose text a browser puts before the table.
var rows = []string{"table", "thead", "tbody", "tfoot", "tr", "colgroup"}

// walls are elements out of which no tag within ends anything.
var walls = []string{"table", "td", "th", "caption"}

var headings = []string{"h1", "h2", "h3", "h4", "h5", "h6"}

// endsParagraph are the elements that end an open <p>.
var endsParagraph = []string{
	"address", "article", "aside", "blockquote", "center", "details", "div", "dl", "fieldset", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
	"header", "hgroup", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul",
}

// place makes room for an element, and tells whether it may stand there.
func (r *rawHTML) place(out writer, name string) bool {
	if slices.Contains(endsParagraph, name) {
		if i := r.within("p", walls); i >= r.base {
			r.closeTo(out, i)
		}
	}
	in := parents[name]
	switch {
	case in != nil:
		return r.belongs(out, name, in)
	case len(r.open) > r.floor && slices.Contains(rows, r.open[len(r.open)-1]):
		return name == "img" || name == "br" // a browser shows it before the table
	case slices.Contains(headings, name):
		return !slices.ContainsFunc(r.open, func(e string) bool { return slices.Contains(headings, e) })
	case name == "a" && slices.Contains(r.open, "a"):
		i := r.within("a", walls)
		if i >= r.base {
			r.closeTo(out, i)
		}
		return i >= r.base
	}
	return true
}

// within is the place of the innermost open element of a name, or -1, where it stands behind
// one of those given.
func (r *rawHTML) within(name string, behind []string) int {
	for i := len(r.open) - 1; i >= r.floor; i-- {
		if r.open[i] == name {
			return i
		}
		if slices.Contains(behind, r.open[i]) {
			break
		}
	}
	return -1
}

// belongs ends what is open in the innermost of the elements in which another must stand.
func (r *rawHTML) belongs(out writer, name string, in []string) bool {
	for i := len(r.open) - 1; i >= r.floor; i-- {
		e := r.open[i]
		switch {
		case slices.Contains(in, e):
			if i+1 < r.base {
				return false
			}
			r.closeTo(out, i+1)
			return true
		case len(in) == 1 && in[0] == "tr" && (e == "table" || e == "tbody" || e == "thead" || e == "tfoot"):
			if i+1 < r.base { // a cell without its row: a browser makes one
				return false
			}
			r.closeTo(out, i+1)
			_, _ = out.WriteString("<tr>")
			r.open = append(r.open, "tr")
			return true
		case slices.Contains(walls, e) && !slices.Contains(rows, in[0]):
			return false
		}
	}
	return false
}

// rest ends, behind a piece, what Markdown cannot stand in: it follows there, or the node
// ends.
func (r *rawHTML) rest(out writer, n ast.Node, source []byte) {
	if r.unsafe || len(r.open) == r.base {
		return
	}
	if slices.Contains(rows, r.open[len(r.open)-1]) && !goesOn(n, source) {
		r.closeTo(out, r.table())
	}
}

// table is the place of the innermost open table.
func (r *rawHTML) table() int {
	for i := len(r.open) - 1; i > r.base; i-- {
		if r.open[i] == "table" {
			return i
		}
	}
	return r.base
}

// goesOn tells whether more raw HTML follows directly.
func goesOn(n ast.Node, source []byte) bool {
	if n == nil {
		return false
	}
	for next := n.NextSibling(); next != nil; next = next.NextSibling() {
		switch next := next.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			return true
		case *markdown.Element:
			return next.Name == "td" || next.Name == "th"
		case *ast.Text:
			if len(bytes.TrimSpace(next.Segment.Value(source))) == 0 {
				continue
			}
		}
		return false
	}
	return false
}
