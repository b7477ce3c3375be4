package rawhtml

import "slices"

// How a browser reads tags that do not nest: some end others that are open, and some open
// others that are missing (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody).
// <li> ends the <li> before it and a <div> in that, so that the </div> behind it would end one
// of the page's own. Here these ends are written out, and what stands nowhere in its place is
// left out, so that what a browser reads is what is written.

// A Nest tells how the tags of one page nest, so that no element ends where a browser would not end
// it. Else a stray </div>, or one of a <div> that <li> has closed before, would end the page's own
// layout. Who writes a page and who warns of what is left out ask the same.
type Nest struct {
	// frame is the piece that is written now; outer are those around it.
	frame
	outer []frame
	open  []string
}

// A frame is a node of the page in which raw HTML stands.
type frame struct {
	// base is how many elements were open before it: they end outside of it.
	base int
	// floor is how many of these stand behind markup of the page's own: what they are to
	// what is written now, a list to its items say, they are no more.
	floor int
}

// A Writer gets the ends that are written out.
type Writer interface {
	WriteString(string) (int, error)
}

// maxOpen bounds how deep elements nest; browsers give up at 512.
const maxOpen = 100

// Enter begins a node, and Leave ends what was left open in it. through is set for nodes
// that write nothing of their own around what they hold.
func (r *Nest) Enter(through bool) {
	r.outer = append(r.outer, r.frame)
	r.base = len(r.open)
	if !through {
		r.floor = r.base
	}
}

// Leave ends a node.
func (r *Nest) Leave(out Writer) {
	r.End(out)
	r.frame = r.outer[len(r.outer)-1]
	r.outer = r.outer[:len(r.outer)-1]
}

// End ends what is open in the node.
func (r *Nest) End(out Writer) { r.closeTo(out, r.base) }

// Finish ends what the page left open.
func (r *Nest) Finish(out Writer) { r.closeTo(out, 0) }

// Start makes room for an element, and tells whether it may stand there. It is open then, unless
// it has no end.
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

// Open notes an element that is written wherever it stands.
func (r *Nest) Open(name string) { r.open = append(r.open, name) }

// Close ends the innermost element of that name and what is open inside it; an
// end without a beginning is dropped.
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

// parents are the elements in which others must stand.
var parents = map[string][]string{
	"li": {"ul", "ol", "menu"},
	"dt": {"dl"}, "dd": {"dl"},
	"tr": {"table", "thead", "tbody", "tfoot"},
	"td": {"tr"}, "th": {"tr"},
	"thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "caption": {"table"}, "colgroup": {"table"},
	"col": {"table", "colgroup"},
}

// Parents are the elements in one of which an element must stand; most stand anywhere.
func Parents(element string) []string { return parents[element] }

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
func (r *Nest) place(out Writer, name string) bool {
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
func (r *Nest) within(name string, behind []string) int {
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
func (r *Nest) belongs(out Writer, name string, in []string) bool {
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

// Rest ends, behind a piece, what Markdown cannot stand in: it follows there, or the node
// ends. more tells that more raw HTML follows directly.
func (r *Nest) Rest(out Writer, more bool) {
	if len(r.open) > r.base && slices.Contains(rows, r.open[len(r.open)-1]) && !more {
		r.closeTo(out, r.table())
	}
}

// table is the place of the innermost open table.
func (r *Nest) table() int {
	for i := len(r.open) - 1; i > r.base; i-- {
		if r.open[i] == "table" {
			return i
		}
	}
	return r.base
}
