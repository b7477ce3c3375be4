package render

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// policy is what raw HTML in Markdown may hold: text and its structure, images
// and links, no script, no style, no form. Built once: it is large and constant.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("class", "lang", "dir", "title").Globally()
	p.AllowAttrs("name").Matching(regexp.MustCompile(`^[\p{L}\p{N}_:.-]+$`)).OnElements("a")
	// The policy wants an ASCII letter in an id; headings in Chinese have none.
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[\p{L}\p{N}\p{M}_:.-]+$`)).Globally()
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(open)?$`)).OnElements("details")
	p.AllowElements("kbd", "samp", "var", "mark", "abbr", "figure", "figcaption", "picture", "small", "wbr")
	p.AllowURLSchemes("attachment") // of a notebook's cell; resolve knows them
	p.RequireNoFollowOnLinks(false)
	return p
})

// rawHTML writes the raw HTML of one page: sanitised, its addresses resolved,
// and balanced, so that a stray </div> cannot end the page's own layout.
type rawHTML struct {
	resolve func(address string) string
	// size returns width and height of an image, or zeros.
	size func(address string) (width, height int)
	open []string
	// base is how many of them were open before the piece that is written now.
	base int
}

var void = []string{"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

func (r *rawHTML) write(out *bytes.Buffer, raw []byte) {
	z := html.NewTokenizer(bytes.NewReader(policy().SanitizeBytes(raw)))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		switch t.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			if t.Data == "img" {
				t.Attr = r.image(t.Attr)
			}
			for i, a := range t.Attr {
				if a.Key == "src" || a.Key == "href" {
					t.Attr[i].Val = r.resolve(a.Val)
				}
			}
			out.WriteString(t.String())
			if t.Type == html.StartTagToken && !slices.Contains(void, t.Data) {
				r.open = append(r.open, t.Data)
			}
		case html.EndTagToken:
			r.close(out, t.Data)
		default:
			out.WriteString(t.String())
		}
	}
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
func (r *rawHTML) close(out *bytes.Buffer, name string) {
	for i := len(r.open) - 1; i >= r.base; i-- {
		if r.open[i] == name {
			r.closeTo(out, i)
			return
		}
	}
}

// finish ends what the page left open.
func (r *rawHTML) finish(out *bytes.Buffer) { r.closeTo(out, 0) }

func (r *rawHTML) closeTo(out *bytes.Buffer, depth int) {
	for len(r.open) > depth {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		out.WriteString("</" + last + ">")
	}
}

// dangerous tells whether a link would run something in the reader's browser.
func dangerous(address string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(address)), ":")
	return ok && slices.Contains([]string{"javascript", "vbscript", "data", "file"}, strings.Map(func(c rune) rune {
		if c <= ' ' {
			return -1
		}
		return c
	}, scheme))
}
