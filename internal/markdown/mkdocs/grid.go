package mkdocs

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// marks is the transformer that does what the marks in the text say, and makes grids.
type marks struct{}

// Transform implements parser.ASTTransformer.
func (marks) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	var lists, others []*mark
	var elements []*markdown.Element
	var blocks []ast.Node // that may vanish
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *mark:
			if n.attributes != nil {
				lists = append(lists, n)
			} else {
				others = append(others, n)
			}
		case *ast.CodeSpan:
			trimCode(n, source)
		case *ast.FencedCodeBlock:
			trimBlock(n, source)
		case *markdown.Element:
			elements = append(elements, n)
		case *ast.HTMLBlock:
			blocks = append(blocks, n)
		case *ast.Paragraph:
			if n.Lines().Len() > 0 {
				blocks = append(blocks, n)
			}
		}
	}
	for _, n := range lists {
		parent := n.Parent()
		if n.apply() {
			parent.RemoveChild(parent, n)
		} else {
			parent.ReplaceChild(parent, n, ast.NewTextSegment(text.NewSegment(n.Start, n.Stop)))
		}
	}
	alone := map[ast.Node]bool{}
	for _, n := range others {
		if n.name != (markdown.Span{}) {
			n.replace(source, alone)
		} else {
			n.Parent().RemoveChild(n.Parent(), n)
		}
	}
	for _, n := range blocks {
		if vanishes(n, source, pc) {
			n.Parent().RemoveChild(n.Parent(), n)
		}
	}
	for _, e := range elements {
		makeGrid(e, source)
	}
}

// vanishes reports whether a block shows nothing: [TOC], since each page has its contents beside
// it, a paragraph of tags only, or HTML that a template would complete.
func vanishes(n ast.Node, source []byte, pc parser.Context) bool {
	lines := n.Lines()
	if n.Kind() == ast.KindHTMLBlock {
		value := lines.Value(source)
		if !bytes.ContainsRune(value, '{') || !templateTag.Match(value) {
			return false
		}
		for i := range lines.Len() {
			line := lines.At(i)
			if m := anyTemplate.FindIndex(line.Value(source)); m != nil {
				reportTemplate(pc, source, markdown.Span{Start: line.Start + m[0], Stop: line.Start + m[1]})
				break
			}
		}
		return true
	}
	if first := lines.At(0); lines.Len() == 1 && string(bytes.TrimSpace(first.Value(source))) == "[TOC]" {
		return true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); !ok || len(bytes.TrimSpace(t.Segment.Value(source))) > 0 {
			return false
		}
	}
	return true
}

// makeGrid turns <div class="grid" markdown> into a grid, and the items of the lists in <div
// class="grid cards" markdown> into its cards. A line --- ends the title of a card.
// https://squidfunk.github.io/mkdocs-material/reference/grids/
func makeGrid(e *markdown.Element, source []byte) {
	classes := classesOf(e, source)
	if !slices.Contains(classes, "grid") {
		return
	}
	grid := &markdown.Grid{}
	for c := e.FirstChild(); c != nil; {
		next := c.NextSibling()
		list, isList := c.(*ast.List)
		class, _ := c.AttributeString("class")
		given, _ := class.([]byte)
		switch {
		case c.Kind() == ast.KindHTMLBlock && (c == e.FirstChild() || c == e.LastChild()):
			e.RemoveChild(e, c)
		case isList && slices.Contains(classes, "cards"):
			for item := list.FirstChild(); item != nil; item = item.NextSibling() {
				grid.AppendChild(grid, cardOf(item))
			}
		case slices.Contains(strings.Fields(string(given)), "card"):
			card := &markdown.Card{}
			card.SetPos(c.Pos())
			card.AppendChild(card, c)
			grid.AppendChild(grid, card)
		default:
			grid.AppendChild(grid, c)
		}
		c = next
	}
	grid.SetPos(e.Pos())
	e.RemoveChildren(e)
	markdown.Replace(e, grid)
}

// classesOf returns the classes in the opening tag of an element.
func classesOf(e *markdown.Element, source []byte) []string {
	if e.FirstChild() == nil {
		return nil
	}
	z := html.NewTokenizer(bytes.NewReader(e.FirstChild().Lines().Value(source)))
	z.Next()
	for _, a := range z.Token().Attr {
		if a.Key == "class" {
			return strings.Fields(a.Val)
		}
	}
	return nil
}

// cardOf returns an item of a list as a card.
func cardOf(item ast.Node) *markdown.Card {
	card := &markdown.Card{}
	card.SetPos(item.Pos())
	for c := item.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != ast.KindThematicBreak {
			continue
		}
		title := &markdown.CardPart{Name: "title"}
		title.SetPos(item.Pos())
		for item.FirstChild() != c {
			title.AppendChild(title, item.FirstChild())
		}
		item.RemoveChild(item, c)
		if title.HasChildren() {
			card.AppendChild(card, title)
		}
		break
	}
	markdown.MoveChildren(item, card)
	return card
}
