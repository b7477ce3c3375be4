package render

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// rawHTML writes the raw HTML of one page: sanitised, its addresses resolved, and nested
// so that no element ends where a browser would not end it. Else a stray </div>, or one of
// a <div> that <li> has closed before, would end the page's own layout.
type rawHTML struct {
	resolve func(address string) string
	// size returns width and height of an image, or zeros.
	size func(address string) (width, height int)
	// unsafe keeps what an author wrote: unsafe_html in gpudocs.toml.
	unsafe bool
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

// maxOpen bounds how deep elements nest; browsers give up at 512.
const maxOpen = 100

// sanitise makes the page's writer of raw HTML.
func (v *pageWriter) sanitise(resolve func(string) string, size func(string) (int, int)) {
	v.raw = rawHTML{resolve: resolve, size: size, unsafe: v.r.content.Config.UnsafeHTML}
}

// enter begins a node, and leave ends what was left open in it. through is set for nodes
// that write nothing of their own around what they hold.
func (r *rawHTML) enter(through bool) {
	r.outer = append(r.outer, r.frame)
	r.base = len(r.open)
	if !through {
		r.floor = r.base
	}
}

func (r *rawHTML) leave(out writer) {
	r.closeTo(out, r.base)
	r.frame = r.outer[len(r.outer)-1]
	r.outer = r.outer[:len(r.outer)-1]
}

// writer is a buffer, bytes' or goldmark's.
type writer interface {
	WriteString(string) (int, error)
}

func (r *rawHTML) write(out writer, raw []byte) {
	z := html.NewTokenizer(bytes.NewReader(raw))
	gone := "" // the element that is left out with what it holds
	for z.Next() != html.ErrorToken {
		as := string(z.Raw())
		t := z.Token()
		start := t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken
		switch {
		case gone != "":
			if t.Type == html.EndTagToken && t.Data == gone {
				gone = ""
			}
		case start && r.unsafe:
			r.unsafeTag(out, t, as)
		case start:
			kept, _, ok := rawhtml.Tag(t)
			switch {
			case ok:
				r.start(out, kept)
			case t.Type == html.StartTagToken && rawhtml.Hidden(t.Data):
				gone = t.Data
			}
		case t.Type == html.EndTagToken:
			r.close(out, t.Data)
		case r.unsafe: // text, of a script too, comments
			_, _ = out.WriteString(as)
		case t.Type == html.TextToken:
			_, _ = out.WriteString(t.String())
		}
	}
}

// unsafeTag writes a start tag as it is, but for addresses that lead into the site.
func (r *rawHTML) unsafeTag(out writer, t html.Token, as string) {
	if r.addresses(&t) {
		as = t.String()
	}
	_, _ = out.WriteString(as)
	if t.Type == html.StartTagToken && !rawhtml.Void(t.Data) {
		r.open = append(r.open, t.Data)
	}
}

// start writes a start tag where it may stand.
func (r *rawHTML) start(out writer, t html.Token) {
	void := rawhtml.Void(t.Data)
	if !r.place(out, t.Data) || !void && len(r.open) >= maxOpen {
		return
	}
	if t.Data == "img" {
		t.Attr = r.image(t.Attr)
	}
	r.addresses(&t)
	t.Type = html.StartTagToken // <div/> opens a <div> to a browser
	_, _ = out.WriteString(t.String())
	if !void {
		r.open = append(r.open, t.Data)
	}
}

// addresses resolves those of a tag, and tells whether any became another.
func (r *rawHTML) addresses(t *html.Token) (changed bool) {
	for i, a := range t.Attr {
		to := a.Val
		switch a.Key {
		case "src", "href", "poster":
			to = r.address(a.Val)
		case "srcset":
			to = r.sources(a.Val)
		}
		changed = changed || to != a.Val
		t.Attr[i].Val = to
	}
	return changed
}

func (r *rawHTML) address(written string) string {
	if to := r.resolve(written); to != written || r.unsafe {
		return to
	}
	return rawhtml.Address(written)
}

func (r *rawHTML) sources(srcset string) string {
	var list []string
	for _, c := range rawhtml.Candidates(srcset) {
		list = append(list, strings.TrimSpace(strings.ReplaceAll(r.address(c.Address), " ", "%20")+" "+c.Descriptor))
	}
	return strings.Join(list, ", ")
}

// image adds to an image what keeps the page from jumping while it loads, where
// the author says nothing of its size.
func (r *rawHTML) image(attributes []html.Attribute) []html.Attribute {
	has := map[string]string{}
	for _, a := range attributes {
		has[a.Key] = a.Val
	}
	add := func(key, value string) {
		if _, there := has[key]; !there {
			attributes = append(attributes, html.Attribute{Key: key, Val: value})
		}
	}
	if w, h := r.size(has["src"]); w > 0 && has["width"]+has["height"] == "" {
		add("width", strconv.Itoa(w))
		add("height", strconv.Itoa(h))
	}
	add("loading", "lazy")
	add("decoding", "async")
	return attributes
}

// close ends the innermost element of that name and what is open inside it; an
// end without a beginning is dropped.
func (r *rawHTML) close(out writer, name string) {
	for i := len(r.open) - 1; i >= r.base; i-- {
		if r.open[i] == name {
			r.closeTo(out, i)
			return
		}
	}
}

// finish ends what the page left open.
func (r *rawHTML) finish(out writer) { r.closeTo(out, 0) }

func (r *rawHTML) closeTo(out writer, depth int) {
	for len(r.open) > depth {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		_, _ = out.WriteString("</" + last + ">")
	}
}

// frames has every node with children begin and end a frame. It is for pages with raw HTML.
func (r *rawHTML) frames(nodes []util.PrioritizedValue) {
	for i, n := range nodes {
		nodes[i].Value = framing{n.Value.(renderer.NodeRenderer), r}
	}
}

type framing struct {
	renderer.NodeRenderer
	raw *rawHTML
}

func (f framing) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	f.NodeRenderer.RegisterFuncs(framed{reg, f.raw})
}

type framed struct {
	renderer.NodeRendererFuncRegisterer
	raw *rawHTML
}

func (f framed) Register(kind ast.NodeKind, write renderer.NodeRendererFunc) {
	through := kind == markdown.KindElement || kind == markdown.KindContainer
	f.NodeRendererFuncRegisterer.Register(kind, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !n.HasChildren() {
			return write(w, source, n, entering)
		}
		if !entering {
			f.raw.leave(w)
			return write(w, source, n, false)
		}
		status, err := write(w, source, n, true)
		f.raw.enter(through)
		return status, err
	})
}
