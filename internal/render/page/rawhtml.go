package page

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
)

// rawHTML writes the raw HTML of one page: sanitised, with resolved addresses, and nested so that
// elements end where browsers end them. Otherwise a stray </div>, or one of a <div> that <li> has
// closed before, would end the page's layout.
type rawHTML struct {
	resolve func(address string) string
	// size returns width and height of an image, or zeros.
	size func(address string) (width, height int)
	// smaller returns the attributes srcset and sizes of an image with a width, or nothing. It may be nil.
	smaller func(address string, width int) (srcset, sizes string)
	// unsafe keeps all that an author wrote: unsafe_html in gpudocs.toml.
	unsafe bool
	rawhtml.Nest
}

func (r *rawHTML) write(out io.StringWriter, raw []byte) {
	z := html.NewTokenizer(bytes.NewReader(raw))
	gone := "" // the element that is left out with its contents
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
			r.Close(out, t.Data)
		case r.unsafe: // text, also of scripts, and comments
			_, _ = out.WriteString(as)
		case t.Type == html.TextToken:
			_, _ = out.WriteString(t.String())
		}
	}
}

// unsafeTag writes a start tag as it is, except for addresses that lead into the site.
func (r *rawHTML) unsafeTag(out io.StringWriter, t html.Token, as string) {
	if r.addresses(&t) {
		as = t.String()
	}
	_, _ = out.WriteString(as)
	if t.Type == html.StartTagToken && !rawhtml.Void(t.Data) {
		r.Open(t.Data)
	}
}

// start writes a start tag where it is allowed.
func (r *rawHTML) start(out io.StringWriter, t html.Token) {
	if !r.Start(out, t.Data) {
		return
	}
	var more []html.Attribute
	if t.Data == "img" {
		more = r.image(t.Attr)
	}
	r.addresses(&t)
	t.Attr = append(t.Attr, more...)
	t.Type = html.StartTagToken // browsers take <div/> for <div>
	_, _ = out.WriteString(t.String())
}

// addresses resolves the addresses of a tag, and reports whether any has changed.
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

// image returns what an image gets beside its attributes: width and height, which keep the page from moving while it loads,
// unless the author gives a size, and smaller versions.
func (r *rawHTML) image(attributes []html.Attribute) (more []html.Attribute) {
	has := map[string]string{}
	for _, a := range attributes {
		has[a.Key] = a.Val
	}
	add := func(key, value string) {
		if _, there := has[key]; !there {
			more = append(more, html.Attribute{Key: key, Val: value})
		}
	}
	if w, h := r.size(has["src"]); w > 0 && has["width"]+has["height"] == "" {
		add("width", strconv.Itoa(w))
		add("height", strconv.Itoa(h))
	}
	add("loading", "lazy")
	add("decoding", "async")
	if r.smaller != nil && has["srcset"]+has["sizes"] == "" {
		if srcset, sizes := r.smaller(has["src"], pixels(has["width"])); srcset != "" {
			add("srcset", srcset)
			add("sizes", sizes)
		}
	}
	return more
}

// wrapNodes has every node with children open and close a frame. It is used for pages with raw HTML.
func (r *rawHTML) wrapNodes(nodes []util.PrioritizedValue) {
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
			f.raw.Leave(w)
			return write(w, source, n, false)
		}
		status, err := write(w, source, n, true)
		f.raw.Enter(through)
		return status, err
	})
}
