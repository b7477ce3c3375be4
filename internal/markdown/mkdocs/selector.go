package mkdocs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The element of /// html | div#x.y[title="A b"] is described by a CSS selector:
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/plugins/html/.
var (
	selectorForm = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*)((?:[#.][\pL\pN_-]+|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\])*)$`)
	selectorPart = lazyregexp.New(`[#.][\pL\pN_-]+|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]`)
)

// namedElement returns the element of a container. Its tag is HTML of the author, which is
// sanitised like any other.
func namedElement(b *container.Block, mode string, source []byte, pc parser.Context) *markdown.Container {
	c := b.Plain()
	selector := string(source[c.Title.Start:c.Title.Stop])
	m := selectorForm.FindStringSubmatch(selector)
	if m == nil {
		at := c.Title
		if selector == "" {
			at = c.Opening
		}
		markdown.Warn(pc, at,
			diag.Say("markdown.html-block-element-missing"), diag.Say("markdown.html-block-element-missing-hint"))
		return c
	}
	c.Element = strings.ToLower(m[1])
	words := ""
	for _, part := range selectorPart.FindAllString(m[2], -1) {
		words += " " + strings.Trim(part, "[]")
	}
	a, _ := markdown.ParseAttributes([]byte("{"+words+"}"), 0)
	t := html.Token{Type: html.StartTagToken, Data: c.Element}
	if id := cmp.Or(a.ID, b.Given.ID); id != "" {
		t.Attr = append(t.Attr, html.Attribute{Key: "id", Val: id})
	}
	if classes := append(slices.Clone(b.Given.Classes), a.Classes...); classes != nil {
		t.Attr = append(t.Attr, html.Attribute{Key: "class", Val: strings.Join(classes, " ")})
	}
	for _, item := range a.Items {
		t.Attr = append(t.Attr, html.Attribute{Key: strings.ToLower(item.Name), Val: item.Value})
	}
	c.Tag = t.String()
	if mode == "inline" || mode != "block" && holdsText(c.Element) {
		unwrapParagraphs(b)
	}
	return c
}

// blockTags are the elements that contain blocks. Others contain text, as in md_in_html:
// https://python-markdown.github.io/extensions/md_in_html/.
var blockTags = []string{"article", "aside", "blockquote", "body", "center", "details", "div", "dl", "fieldset", "figcaption", "figure", "footer",
	"form", "header", "hgroup", "main", "menu", "nav", "ol", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}

func holdsText(element string) bool { return !HoldsBlocks(element) }

// HoldsBlocks reports whether an element, named in lower case, contains blocks and not only text.
func HoldsBlocks(element string) bool { return slices.Contains(blockTags, element) }

// unwrapParagraphs replaces the paragraphs in a block by their text.
func unwrapParagraphs(block ast.Node) {
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		if p, ok := n.(*ast.Paragraph); ok {
			text := markdown.TextBlock(p)
			block.ReplaceChild(block, p, text)
			n = text
		}
	}
}
