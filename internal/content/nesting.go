package content

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// nesting warns of the tags that are left out because no browser would take them where they stand.
// It goes through the page as render does, and asks what render asks.
type nesting struct {
	rawhtml.Nest
	ends markdown.InlineEnds
	p    *pageParser
	said map[string]bool
}

func (p *pageParser) nesting() {
	if !p.page.RawHTML || p.config.UnsafeHTML {
		return
	}
	n := nesting{p: p, said: map[string]bool{}}
	_ = ast.Walk(p.doc, n.node)
}

func (r *nesting) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	container, _ := n.(*markdown.Container)
	switch {
	case n.Kind() == ast.KindHTMLBlock || n.Kind() == ast.KindRawHTML:
		if entering {
			r.piece(n)
			r.Rest(nowhere{}, markdown.HTMLGoesOn(n, r.p.file.Data))
		}
	case !n.HasChildren():
	case entering:
		if container != nil && container.Tag != "" {
			r.piece(n)
			r.Rest(nowhere{}, false)
		}
		r.Enter(container != nil || n.Kind() == markdown.KindElement)
	default:
		r.Leave(nowhere{})
		if container != nil && container.Tag != "" {
			r.Close(nowhere{}, container.Element)
			r.Rest(nowhere{}, markdown.HTMLGoesOn(n, r.p.file.Data))
		}
	}
	return ast.WalkContinue, nil
}

// piece goes through the tags of one node.
func (r *nesting) piece(n ast.Node) {
	raw := rawHTML(n, r.p.file.Data)
	where := places(n)
	if inline, ok := n.(*ast.RawHTML); ok {
		if name, lacks := r.ends.Lacks(inline, raw, r.p.file.Data); lacks {
			r.warn(name, where.at(0), diag.Say("<%s> is not closed in its paragraph, and is left out", name), diag.Say("end it with </%s>", name))
			return
		}
	}
	at, gone := 0, ""
	for z := html.NewTokenizer(bytes.NewReader(raw)); z.Next() != html.ErrorToken; {
		start := at
		at += len(z.Raw())
		t := z.Token()
		switch {
		case gone != "":
			if t.Type == html.EndTagToken && t.Data == gone {
				gone = ""
			}
		case t.Type == html.EndTagToken:
			r.Close(nowhere{}, t.Data)
		case t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken:
			_, _, ok := rawhtml.Tag(t)
			switch {
			case ok && !r.Start(nowhere{}, t.Data):
				r.warn(t.Data, where.at(start), diag.Say("<%s> cannot stand here, and is left out", t.Data), placeHint(t.Data))
			case !ok && t.Type == html.StartTagToken && rawhtml.Hidden(t.Data):
				gone = t.Data
			}
		}
	}
}

// placeHint says where an element may stand.
func placeHint(name string) diag.Text {
	if in := rawhtml.Parents(name); len(in) > 0 {
		return diag.Say("its text stays; it stands in <%s>", strings.Join(in, ">, <"))
	}
	return diag.Say("its text stays; end what is open before it: a browser takes no such element in another")
}

// warn warns once on a page for each element.
func (r *nesting) warn(name string, at int, message, hint diag.Text) {
	if r.said[name] {
		return
	}
	r.said[name] = true
	d := r.p.file.Warning(at, at+1+len(name), message, hint)
	d.Rule = RuleHTML
	r.p.diags.Add(d)
}

// nowhere is where the ends go that only a page needs.
type nowhere struct{}

func (nowhere) WriteString(s string) (int, error) { return len(s), nil }
