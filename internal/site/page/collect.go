package page

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
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
	// labelled are figures, callouts, tabs, cards and the terms of glossaries, which may have a number or a label.
	labelled []ast.Node
	images   []*ast.Image
	// opens are the lines on which a fence begins.
	opens map[int]bool
	// authorIDs are the headings whose id the author gave.
	authorIDs  map[*ast.Heading]bool
	liveValues []*native.Live
	tags       []string
	formulas   []*markdown.Formula
	rawHTML    bool
}

// collect walks the page once. Afterwards all ids that the author gave are known, before any is
// derived from a text.
func collect(p *site.Page, doc *ast.Document, ids *ids) (collected, diag.List) {
	c := collector{page: p, ids: ids, reservedNames: map[string]bool{}}
	c.opens, c.authorIDs = map[int]bool{}, map[*ast.Heading]bool{}
	for n := range markdown.Nodes(doc) {
		c.recordNode(n)
		c.removeReservedClasses(n)
		c.recordIDs(n)
	}
	for _, rename := range c.renameDuplicates {
		rename()
	}
	return c.collected, c.diags
}

// A collector collects the nodes and the ids of a page.
type collector struct {
	collected
	page *site.Page
	ids  *ids
	// renameDuplicates are called when all ids are known, to rename those that occur twice.
	renameDuplicates []func()
	// reservedNames are the reserved classes and ids that were already reported.
	reservedNames map[string]bool
	// anchored is the heading of the last anchor: many may lead to it.
	anchored      *ast.Heading
	anchoredTitle string
	diags         diag.List
}

// recordNode collects a node that a later step needs.
func (c *collector) recordNode(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		c.headings = append(c.headings, n)
	case *ast.FencedCodeBlock:
		c.fences = append(c.fences, n)
		c.opens[c.page.Source.Line(n.Pos())] = true
	case *markdown.Figure, *markdown.Callout, *markdown.Tabs, *markdown.Tab, *markdown.Grid, *markdown.Card, *extast.DefinitionTerm:
		c.labelled = append(c.labelled, n)
	case *ast.Image:
		c.images = append(c.images, n)
	case *obsidian.Tag:
		c.tags = append(c.tags, n.Name)
	case *native.Live:
		c.liveValues = append(c.liveValues, n)
	case *markdown.Math:
		c.formulas = append(c.formulas, &n.Formula)
	case *markdown.MathBlock:
		c.formulas = append(c.formulas, &n.Formula)
	}
}

// recordIDs records the id that the author gave a node.
func (c *collector) recordIDs(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		c.recordHeadingID(n)
	case *markdown.Figure:
		if n.ID = anchorOf(n.ID); n.ID != "" {
			c.recordID(n.ID, n.Pos(), func(id string) { n.ID = id })
		}
	case *ast.Image:
		if id := markdown.TextAttribute(n, "id"); id != "" {
			c.recordID(id, n.Pos(), setID(n))
		}
	case *obsidian.Anchor:
		c.recordID(n.ID(), n.Start, func(id string) { n.Name = strings.TrimPrefix(id, "^") })
	case *markdown.Anchor:
		c.recordAnchorLabel(n)
	case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
		c.rawHTML = true
		c.recordRawAnchors(n)
	default:
		if id, ok := n.AttributeString("id"); ok {
			if id, ok := id.([]byte); ok {
				name := anchorOf(string(id)) // the label of a directive may have blanks
				setID(n)(name)
				c.recordID(name, n.Pos(), setID(n))
			}
		}
	}
}

// recordHeadingID records the id that the author gave a heading, as text: goldmark reads {id=5} as
// a number.
func (c *collector) recordHeadingID(n *ast.Heading) {
	given, ok := n.AttributeString("id")
	if !ok {
		return
	}
	id, ok := given.([]byte)
	if !ok {
		id = fmt.Append(nil, given)
		n.SetAttributeString("id", id)
	}
	c.authorIDs[n] = true
	c.recordID(string(id), n.Pos(), setID(n))
}

// recordAnchorLabel records a label that belongs to nothing with a number. References lead to its
// position.
func (c *collector) recordAnchorLabel(n *markdown.Anchor) {
	n.Name = anchorOf(n.Name)
	l := site.Label{ID: n.Name, Pos: n.Start, ByAuthor: true}
	if h, ok := n.Parent().(*ast.Heading); ok {
		if h != c.anchored {
			c.anchored, c.anchoredTitle = h, strings.TrimSpace(c.page.PlainText(h))
		}
		l.Kind, l.Title = markdown.Section, c.anchoredTitle
	}
	c.recordID(n.Name, n.Start, func(id string) { n.Name = id })
	addLabel(c.page, n.Name, l)
}

// setID returns a function that sets the id of a node.
func setID(n ast.Node) func(string) {
	return func(id string) { n.SetAttributeString("id", []byte(id)) }
}

// recordID records an id that the author gave. If it occurs twice, for example because a file is
// included twice, links lead to the first. The second gets another id, like headings of the same
// text, once all ids are known. HTML is not changed.
func (c *collector) recordID(id string, pos int, rename func(string)) {
	if rawhtml.ReservedID(id) {
		if rename != nil {
			c.warnReserved("id", id, pos)
			c.renameLater(strings.TrimLeft(id, "_"), rename)
		}
		return // for HTML, sanitising reports it
	}
	if !c.ids.add(id) {
		start, end := site.Locate(c.page.Source, id, pos)
		d := c.page.Source.Warning(start, end, diag.Say("page.id-duplicate", "id", id))
		c.diags.Add(d.WithRule(site.RuleID))
		if rename != nil {
			c.renameLater(id, rename)
		}
	}
}

// renameLater gives a node another id, once all ids are known.
func (c *collector) renameLater(id string, rename func(string)) {
	c.renameDuplicates = append(c.renameDuplicates, func() { rename(c.ids.derive(id)) })
}

// removeReservedClasses removes the classes from a node that authors cannot set.
func (c *collector) removeReservedClasses(n ast.Node) {
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
	others, reserved := rawhtml.SplitClasses(list)
	for _, name := range reserved {
		c.warnReserved("class", name, n.Pos())
	}
	if reserved == nil {
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
func (c *collector) warnReserved(attribute, name string, pos int) {
	if c.reservedNames[name] {
		return
	}
	c.reservedNames[name] = true
	start, end := site.Locate(c.page.Source, name, pos)
	message := site.ReservedNameMessage(attribute, name)
	c.diags.Add(c.page.Source.Warning(start, end, message).WithRule(site.RuleHTML))
}

// recordRawAnchors records the ids in raw HTML, so that links to them are valid.
func (c *collector) recordRawAnchors(n ast.Node) {
	for z := html.NewTokenizer(bytes.NewReader(markdown.RawHTML(n, c.page.Source.Data))); z.Next() != html.ErrorToken; {
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
			c.recordID(id, n.Pos(), nil)
		}
		if name != "" && name != id {
			c.ids.add(name)
		}
	}
}
