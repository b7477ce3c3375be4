package content

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// collected are the nodes of a page that later steps replace, number or name. They
// are collected before any is replaced, for a walk must not see its own changes.
type collected struct {
	headings []*ast.Heading
	fences   []*ast.FencedCodeBlock
	includes []*markdown.CodeInclude
	figures  []*markdown.Figure
	images   []*ast.Image
	// opens has the lines on which a fence opens.
	opens map[int]bool
}

// collect walks the page once. The ids that its author gave are known afterwards,
// before any is made up.
func (p *pageParser) collect() collected {
	found := collected{opens: map[int]bool{}}
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.note(n, &found)
			p.disown(n)
			p.noteID(n)
		}
		return ast.WalkContinue, nil
	})
	for _, rename := range p.twice {
		rename()
	}
	return found
}

// note keeps a node that a later step wants.
func (p *pageParser) note(n ast.Node, found *collected) {
	switch n := n.(type) {
	case *ast.Heading:
		found.headings = append(found.headings, n)
	case *ast.FencedCodeBlock:
		found.fences = append(found.fences, n)
		found.opens[p.file.Line(n.Pos())] = true
	case *markdown.CodeInclude:
		found.includes = append(found.includes, n)
	case *markdown.Figure:
		found.figures = append(found.figures, n)
	case *ast.Image:
		found.images = append(found.images, n)
	case *markdown.Live:
		p.page.LiveValues = append(p.page.LiveValues, n)
	case *markdown.Math:
		p.page.Formulas = append(p.page.Formulas, &n.Formula)
	case *markdown.MathBlock:
		p.page.Formulas = append(p.page.Formulas, &n.Formula)
	}
}

// noteID notes the id that the author gave a node.
func (p *pageParser) noteID(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		p.givenID(n)
	case *markdown.Figure:
		if n.ID = anchorOf(n.ID); n.ID != "" {
			p.given(n.ID, n.Pos(), func(id string) { n.ID = id })
		}
	case *ast.Image:
		if id := markdown.ImageAttribute(n, "id"); id != "" {
			p.given(id, n.Pos(), renamed(n))
		}
	case *markdown.Callout, *markdown.Tab, *markdown.Tabs:
		p.blockID(n)
	case *markdown.Anchor:
		p.given(n.ID(), n.Start, func(id string) { n.Name = strings.TrimPrefix(id, "^") })
	case *markdown.Directive:
		p.anchorLabel(n)
	case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
		p.page.RawHTML = true
		p.rawAnchors(n)
	}
}

// givenID notes the id that the author gave a heading, as text: {id=5} is a
// number to goldmark.
func (p *pageParser) givenID(n *ast.Heading) {
	given, ok := n.AttributeString("id")
	if !ok {
		return
	}
	id, ok := given.([]byte)
	if !ok {
		id = fmt.Append(nil, given)
		n.SetAttributeString("id", id)
	}
	if p.byHand == nil {
		p.byHand = map[*ast.Heading]bool{}
	}
	p.byHand[n] = true
	p.given(string(id), n.Pos(), renamed(n))
}

// blockID notes the id that the author gave a block.
func (p *pageParser) blockID(n ast.Node) {
	if id, ok := n.AttributeString("id"); ok {
		p.given(string(id.([]byte)), n.Pos(), renamed(n))
	}
}

// renamed gives a node another id.
func renamed(n ast.Node) func(string) {
	return func(id string) { n.SetAttributeString("id", []byte(id)) }
}

// given notes an id that the author gave. Where it stands twice, as that of a file
// does that is included twice, a link leads to the first: the second becomes another,
// as headings of the same text do, once all ids are known. HTML stays as it is.
func (p *pageParser) given(id string, pos int, rename func(string)) {
	if rawhtml.OwnID(id) {
		if rename != nil {
			p.own("id", id, pos)
			p.again(strings.TrimLeft(id, "_"), rename)
		}
		return // of HTML it is said where that is sanitised
	}
	if p.page.anchors[id] {
		start, end := locate(p.file, id, pos)
		d := p.file.Warning(start, end, diag.Say("the id %q stands twice on this page", id), diag.Say("give one of the two another id; links lead to the first"))
		d.Rule = RuleID
		p.diags.Add(d)
		if rename != nil {
			p.again(id, rename)
		}
	}
	p.page.anchors[id] = true
}

// again gives a node another id, once all are known.
func (p *pageParser) again(id string, rename func(string)) {
	p.twice = append(p.twice, func() {
		other := p.uniqueID(id)
		p.page.anchors[other] = true
		rename(other)
	})
}

// disown takes the classes from a node that are not an author's to give.
func (p *pageParser) disown(n ast.Node) {
	given, ok := n.AttributeString("class")
	if !ok {
		return
	}
	var list string
	switch given := given.(type) {
	case []byte:
		list = string(given)
	case string:
		list = given
	}
	others, own := rawhtml.OthersClasses(list)
	for _, name := range own {
		p.own("class", name, n.Pos())
	}
	if own == nil {
		return
	}
	all := n.Attributes()
	n.RemoveAttributes()
	for _, a := range all {
		if string(a.Name) != "class" {
			n.SetAttribute(a.Name, a.Value)
		} else if others != "" {
			n.SetAttribute(a.Name, []byte(others))
		}
	}
}

// own warns of a class or an id that is none for authors, once on a page.
func (p *pageParser) own(attribute, name string, pos int) {
	if p.owned[name] {
		return
	}
	if p.owned == nil {
		p.owned = map[string]bool{}
	}
	p.owned[name] = true
	start, end := locate(p.file, name, pos)
	message, hint := ownText(attribute, name)
	d := p.file.Warning(start, end, message, hint)
	d.Rule = RuleHTML
	p.diags.Add(d)
}

// rawAnchors notes the ids that raw HTML brings, for links to them are sound.
func (p *pageParser) rawAnchors(n ast.Node) {
	for z := html.NewTokenizer(bytes.NewReader(rawHTML(n, p.file.Data))); z.Next() != html.ErrorToken; {
		id, name := "", ""
		t := z.Token()
		for _, a := range t.Attr {
			switch {
			case a.Key == "id":
				id = a.Val
			case a.Key == "name" && t.Data == "a":
				name = a.Val
			}
		}
		if id != "" {
			p.given(id, n.Pos(), nil)
		}
		if name != "" && name != id {
			p.page.anchors[name] = true
		}
	}
}
