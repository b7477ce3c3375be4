package page

import (
	"bytes"
	"io"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A nestingChecker warns of tags that are removed because browsers do not accept them in their
// place. It visits the page in the order of package render and applies the same rules.
type nestingChecker struct {
	rawhtml.Nest
	ends     markdown.InlineEnds
	file     *diag.File
	reported map[string]bool
	diags    diag.List
}

func checkNesting(file *diag.File, doc *ast.Document) diag.List {
	n := nestingChecker{file: file, reported: map[string]bool{}}
	_ = ast.Walk(doc, n.node)
	return n.diags
}

func (r *nestingChecker) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	container, _ := n.(*markdown.Container)
	switch {
	case n.Kind() == ast.KindHTMLBlock || n.Kind() == ast.KindRawHTML:
		if entering {
			r.tags(n)
			r.Rest(discard, markdown.HTMLGoesOn(n, r.file.Data))
		}
	case !n.HasChildren():
	case entering:
		if container != nil && container.Tag != "" {
			r.tags(n)
			r.Rest(discard, false)
		}
		r.Enter(container != nil || n.Kind() == markdown.KindElement)
	default:
		r.Leave(discard)
		if container != nil && container.Tag != "" {
			r.Close(discard, container.Element)
			r.Rest(discard, markdown.HTMLGoesOn(n, r.file.Data))
		}
	}
	return ast.WalkContinue, nil
}

// tags checks the tags of one node.
func (r *nestingChecker) tags(n ast.Node) {
	raw := markdown.RawHTML(n, r.file.Data)
	where := site.NewHTMLOffsets(n)
	if inline, ok := n.(*ast.RawHTML); ok {
		if name, lacks := r.ends.Lacks(inline, raw, r.file.Data); lacks {
			r.warn(name, where.At(0), diag.Say("page.element-not-closed", "name", name))
			return
		}
	}
	at, removed := 0, ""
	for z := html.NewTokenizer(bytes.NewReader(raw)); z.Next() != html.ErrorToken; {
		start := at
		at += len(z.Raw())
		t := z.Token()
		switch {
		case removed != "":
			if t.Type == html.EndTagToken && t.Data == removed {
				removed = ""
			}
		case t.Type == html.EndTagToken:
			r.Close(discard, t.Data)
		case t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken:
			_, _, ok := rawhtml.Tag(t)
			switch {
			case ok && !r.Start(discard, t.Data):
				r.warn(t.Data, where.At(start), diag.Say("page.element-misplaced", "data", t.Data).WithHint(placeHint(t.Data)))
			case !ok && t.Type == html.StartTagToken && rawhtml.Hidden(t.Data):
				removed = t.Data
			}
		}
	}
}

// placeHint returns the hint that lists the parents which an element may have.
func placeHint(name string) diag.Text {
	if in := rawhtml.Parents(name); len(in) > 0 {
		return diag.Say("page.element-text-kept-hint", "in", strings.Join(in, ">, <"))
	}
	return diag.Say("page.element-reordered-hint")
}

// warn warns of an element once on a page.
func (r *nestingChecker) warn(name string, at int, message diag.Text) {
	if r.reported[name] {
		return
	}
	r.reported[name] = true
	r.diags.Add(r.file.Warning(at, at+1+len(name), message).WithRule(site.RuleHTML))
}

// discard drops the end tags that only rendering needs.
var discard = io.Discard.(io.StringWriter)
