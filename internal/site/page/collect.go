package page

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// collected holds the nodes of a page that later steps replace, number or name. They are collected
// before any is replaced, because a walk must not see its own changes.
type collected struct {
	headings []*ast.Heading
	fences   []*ast.FencedCodeBlock
	includes []*mkdocs.CodeInclude
	figures  []*markdown.Figure
	images   []*ast.Image
	// opens are the lines on which a fence begins.
	opens map[int]bool
}

// collect walks the page once. Afterwards all ids that the author gave are known, before any is
// derived from a text.
func (p *pageParser) collect() collected {
	found := collected{opens: map[int]bool{}}
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.recordNode(n, &found)
			p.removeReservedClasses(n)
			p.recordIDs(n)
		}
		return ast.WalkContinue, nil
	})
	for _, rename := range p.renameDuplicates {
		rename()
	}
	return found
}

// recordNode collects a node that a later step needs.
func (p *pageParser) recordNode(n ast.Node, found *collected) {
	switch n := n.(type) {
	case *ast.Heading:
		found.headings = append(found.headings, n)
	case *ast.FencedCodeBlock:
		found.fences = append(found.fences, n)
		found.opens[p.file.Line(n.Pos())] = true
	case *mkdocs.CodeInclude:
		found.includes = append(found.includes, n)
	case *markdown.Figure:
		found.figures = append(found.figures, n)
	case *ast.Image:
		found.images = append(found.images, n)
	case *native.Live:
		p.page.LiveValues = append(p.page.LiveValues, n)
	case *markdown.Math:
		p.page.Formulas = append(p.page.Formulas, &n.Formula)
	case *markdown.MathBlock:
		p.page.Formulas = append(p.page.Formulas, &n.Formula)
	}
}

// recordIDs records the id that the author gave a node.
func (p *pageParser) recordIDs(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		p.recordHeadingID(n)
	case *markdown.Figure:
		if n.ID = anchorOf(n.ID); n.ID != "" {
			p.recordID(n.ID, n.Pos(), func(id string) { n.ID = id })
		}
	case *ast.Image:
		if id := markdown.ImageAttribute(n, "id"); id != "" {
			p.recordID(id, n.Pos(), setID(n))
		}
	case *markdown.Callout, *markdown.Tab, *markdown.Tabs:
		p.recordBlockID(n)
	case *obsidian.Anchor:
		p.recordID(n.ID(), n.Start, func(id string) { n.Name = strings.TrimPrefix(id, "^") })
	case *d2l.Directive:
		p.recordAnchorLabel(n)
	case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
		p.page.RawHTML = true
		p.recordRawAnchors(n)
	}
}

// recordHeadingID records the id that the author gave a heading, as text: goldmark reads {id=5} as
// a number.
func (p *pageParser) recordHeadingID(n *ast.Heading) {
	given, ok := n.AttributeString("id")
	if !ok {
		return
	}
	id, ok := given.([]byte)
	if !ok {
		id = fmt.Append(nil, given)
		n.SetAttributeString("id", id)
	}
	if p.authorIDs == nil {
		p.authorIDs = map[*ast.Heading]bool{}
	}
	p.authorIDs[n] = true
	p.recordID(string(id), n.Pos(), setID(n))
}

// recordBlockID records the id that the author gave a block.
func (p *pageParser) recordBlockID(n ast.Node) {
	if id, ok := n.AttributeString("id"); ok {
		p.recordID(string(id.([]byte)), n.Pos(), setID(n))
	}
}

// setID returns a function that sets the id of a node.
func setID(n ast.Node) func(string) {
	return func(id string) { n.SetAttributeString("id", []byte(id)) }
}

// recordID records an id that the author gave. If it occurs twice, for example because a file is
// included twice, links lead to the first. The second gets another id, like headings of the same
// text, once all ids are known. HTML is not changed.
func (p *pageParser) recordID(id string, pos int, rename func(string)) {
	if rawhtml.OwnID(id) {
		if rename != nil {
			p.warnReserved("id", id, pos)
			p.renameLater(strings.TrimLeft(id, "_"), rename)
		}
		return // for HTML, sanitising reports it
	}
	if p.page.Anchors[id] {
		start, end := site.Locate(p.file, id, pos)
		d := p.file.Warning(start, end, diag.Say("page.id-stands-twice", "id", id), diag.Say("page.id-stands-twice-hint"))
		d.Rule = site.RuleID
		p.diags.Add(d)
		if rename != nil {
			p.renameLater(id, rename)
		}
	}
	p.page.Anchors[id] = true
}

// renameLater gives a node another id, once all ids are known.
func (p *pageParser) renameLater(id string, rename func(string)) {
	p.renameDuplicates = append(p.renameDuplicates, func() {
		other := p.uniqueID(id)
		p.page.Anchors[other] = true
		rename(other)
	})
}

// removeReservedClasses removes the classes from a node that authors cannot set.
func (p *pageParser) removeReservedClasses(n ast.Node) {
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
		p.warnReserved("class", name, n.Pos())
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

// warnReserved warns of a class or an id that authors cannot use, once on a page.
func (p *pageParser) warnReserved(attribute, name string, pos int) {
	if p.reservedNames[name] {
		return
	}
	if p.reservedNames == nil {
		p.reservedNames = map[string]bool{}
	}
	p.reservedNames[name] = true
	start, end := site.Locate(p.file, name, pos)
	message, hint := site.ReservedNameMessage(attribute, name)
	d := p.file.Warning(start, end, message, hint)
	d.Rule = site.RuleHTML
	p.diags.Add(d)
}

// recordRawAnchors records the ids in raw HTML, so that links to them are valid.
func (p *pageParser) recordRawAnchors(n ast.Node) {
	for z := html.NewTokenizer(bytes.NewReader(markdown.RawHTML(n, p.file.Data))); z.Next() != html.ErrorToken; {
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
			p.recordID(id, n.Pos(), nil)
		}
		if name != "" && name != id {
			p.page.Anchors[name] = true
		}
	}
}
