package rawhtml

import "slices"

// Browsers repair tags that do not nest: some end others that are open, and some open others that
// are missing (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody). <li> ends
// the <li> before it and a <div> in that, so that a following </div> would end an element of the
// page's layout. Here these end tags are written, and misplaced tags are removed, so that browsers
// have nothing to repair.

// A Nest tracks the open elements of one page. Both the renderer and the warnings about removed
// tags use it.
type Nest struct {
	// frame is the current node, and outer are those around it.
	frame
	outer []frame
	open  []string
}

// A frame is a node of the page that contains raw HTML.
type frame struct {
	// base is the number of elements that were open before it, which end outside of it.
	base int
	// floor is the number of these outside of markup that the page generates. They are not the
	// parents of what is written now, for example a list of its items.
	floor int
}

// A Writer receives the end tags.
type Writer interface {
	WriteString(string) (int, error)
}

// maxOpen bounds the depth of elements. Browsers give up at 512.
const maxOpen = 100

// Enter begins a node. through is set for nodes that write no markup around their children.
func (r *Nest) Enter(through bool) {
	r.outer = append(r.outer, r.frame)
	r.base = len(r.open)
	if !through {
		r.floor = r.base
	}
}

// Leave ends a node, and the elements that are open in it.
func (r *Nest) Leave(out Writer) {
	r.End(out)
	r.frame = r.outer[len(r.outer)-1]
	r.outer = r.outer[:len(r.outer)-1]
}

// End ends the elements that are open in the node.
func (r *Nest) End(out Writer) { r.closeTo(out, r.base) }

// Finish ends all open elements.
func (r *Nest) Finish(out Writer) { r.closeTo(out, 0) }

// Start ends what cannot contain an element, and reports whether the element is allowed there. It
// is then open, unless it is void.
func (r *Nest) Start(out Writer, name string) bool {
	void := Void(name)
	if !r.place(out, name) || !void && len(r.open) >= maxOpen {
		return false
	}
	if !void {
		r.open = append(r.open, name)
	}
	return true
}

// Open records an element that is always written.
func (r *Nest) Open(name string) { r.open = append(r.open, name) }

// Close ends the innermost element of that name and those open inside it. An end tag without a
// start tag is dropped.
func (r *Nest) Close(out Writer, name string) {
	for i := len(r.open) - 1; i >= r.base; i-- {
		if r.open[i] == name {
			r.closeTo(out, i)
			return
		}
	}
}

func (r *Nest) closeTo(out Writer, depth int) {
	for len(r.open) > depth {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		_, _ = out.WriteString("</" + last + ">")
	}
}

// parents maps elements to those that must contain them.
var parents = map[string][]string{
	"li": {"ul", "ol", "menu"},
	"dt": {"dl"}, "dd": {"dl"},
	"tr": {"table", "thead", "tbody", "tfoot"},
	"td": {"tr"}, "th": {"tr"},
	"thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "caption": {"table"}, "colgroup": {"table"},
	"col": {"table", "colgroup"},
}

// Parents returns the elements of which one must contain an element, or nil if it is allowed
// anywhere.
func Parents(element string) []string { return parents[element] }

// rows are parts of a table whose text browsers move before the table.
var rows = []string{"table", "thead", "tbody", "tfoot", "tr", "colgroup"}

// barriers are elements that protect those around them: no tag within ends them.
var barriers = []string{"table", "td", "th", "caption"}

var headings = []string{"h1", "h2", "h3", "h4", "h5", "h6"}

// endsParagraph are the elements that end an open <p>.
var endsParagraph = []string{
	"address", "article", "aside", "blockquote", "center", "details", "div", "dl", "fieldset", "figcaption", "figure", "footer", "h1",
	"h2", "h3", "h4", "h5", "h6",
	"header", "hgroup", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul",
}

// place ends what cannot contain an element, and reports whether the element is allowed there.
func (r *Nest) place(out Writer, name string) bool {
	if slices.Contains(endsParagraph, name) {
		if i := r.within("p", barriers); i >= r.base {
			r.closeTo(out, i)
		}
	}
	in := parents[name]
	switch {
	case in != nil:
		return r.belongs(out, in)
	case len(r.open) > r.floor && slices.Contains(rows, r.open[len(r.open)-1]):
		return name == "img" || name == "br" // a browser moves it before the table
	case slices.Contains(headings, name):
		return !slices.ContainsFunc(r.open, func(e string) bool { return slices.Contains(headings, e) })
	case name == "a" && slices.Contains(r.open, "a"):
		i := r.within("a", barriers)
		if i >= r.base {
			r.closeTo(out, i)
		}
		return i >= r.base
	}
	return true
}

// within returns the index of the innermost open element of a name, or -1 if it is outside of one
// of the barriers.
func (r *Nest) within(name string, barriers []string) int {
	for i := len(r.open) - 1; i >= r.floor; i-- {
		if r.open[i] == name {
			return i
		}
		if slices.Contains(barriers, r.open[i]) {
			break
		}
	}
	return -1
}

// belongs ends what is open in the innermost possible parent of an element, and reports whether
// there is one.
func (r *Nest) belongs(out Writer, in []string) bool {
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
			if i+1 < r.base { // a cell without a row: a browser creates one
				return false
			}
			r.closeTo(out, i+1)
			_, _ = out.WriteString("<tr>")
			r.open = append(r.open, "tr")
			return true
		case slices.Contains(barriers, e) && !slices.Contains(rows, in[0]):
			return false
		}
	}
	return false
}

// Rest ends, after a piece of raw HTML, the elements that cannot contain Markdown. more is set if
// more raw HTML follows directly.
func (r *Nest) Rest(out Writer, more bool) {
	if len(r.open) > r.base && slices.Contains(rows, r.open[len(r.open)-1]) && !more {
		r.closeTo(out, r.table())
	}
}

// table returns the index of the innermost open table.
func (r *Nest) table() int {
	for i := len(r.open) - 1; i > r.base; i-- {
		if r.open[i] == "table" {
			return i
		}
	}
	return r.base
}
