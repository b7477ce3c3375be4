package content

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A Part is what ![[note]] shows of another page: nodes of that page, with its
// targets and its source. Nothing is copied, so links and images in them lead where
// they lead there, and a block that runs is that page's alone.
type Part struct {
	Page *Page
	// Title names the page, and the heading where only its section is shown.
	Title  string
	Blocks []ast.Node
	// Notes are the page's footnotes, or nil.
	Notes *extast.FootnoteList
}

// Embeds tells whether the page embeds others.
func (p *Page) Embeds() bool { return p.embedding }

// MaxPartDepth is how many notes stand in one another, and MaxParts how many a page
// shows in all; what is beyond is a link.
const MaxPartDepth, MaxParts = 5, 200

// Part returns what an embed of the page shows, and false where it shows no page.
func (p *Page) Part(n *markdown.Embed) (Part, bool) {
	t := p.Target(n)
	if t.Page == nil {
		return Part{}, false
	}
	q := t.Page
	part := Part{Page: q, Title: q.Title}
	part.Notes, _ = q.Doc().LastChild().(*extast.FootnoteList)
	switch id := t.Fragment(); {
	case id == "":
		part.Blocks = siblings(q.Doc().FirstChild(), func(c ast.Node) bool { return c.Kind() == extast.KindFootnoteList })
		if title := q.firstTitle(); title != nil {
			part.Blocks = slices.DeleteFunc(part.Blocks, func(c ast.Node) bool { return c == title })
		}
	case strings.HasPrefix(id, "^"):
		part.Blocks = q.anchored(id)
	default:
		h := q.headingOf(id)
		if h == nil {
			return part, false
		}
		part.Title += " › " + strings.TrimSpace(q.plainText(h))
		part.Blocks = siblings(h.NextSibling(), func(c ast.Node) bool {
			next, ok := c.(*ast.Heading)
			return ok && next.Level <= h.Level || c.Kind() == extast.KindFootnoteList
		})
	}
	return part, true
}

// siblings are the node and those behind it, up to the first that ends them.
func siblings(n ast.Node, ends func(ast.Node) bool) (list []ast.Node) {
	for ; n != nil && !ends(n); n = n.NextSibling() {
		list = append(list, n)
	}
	return list
}

// headingOf returns the heading of an id.
func (p *Page) headingOf(id string) *ast.Heading {
	for _, h := range p.headings() {
		if given, _ := h.AttributeString("id"); given != nil && string(given.([]byte)) == id {
			return h
		}
	}
	return nil
}

// anchored is the block that has the id: of an item of a list, what is in it.
func (p *Page) anchored(id string) (list []ast.Node) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		a, ok := n.(*markdown.Anchor)
		if !ok || !entering || a.ID() != id || a.Block() == nil {
			return ast.WalkContinue, nil
		}
		if list = []ast.Node{a.Block()}; a.Block().Kind() == ast.KindListItem {
			list = siblings(a.NextSibling(), func(ast.Node) bool { return false })
		}
		return ast.WalkStop, nil
	})
	return list
}

// embeds are those among the blocks that show another page.
func (p *Page) embeds(blocks []ast.Node) (list []*markdown.Embed) {
	for _, b := range blocks {
		_ = ast.Walk(b, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if e, ok := n.(*markdown.Embed); ok && entering && e.Apart() && p.Target(e).Page != nil {
				list = append(list, e)
			}
			return ast.WalkContinue, nil
		})
	}
	return list
}

// checkParts finds notes that embed themselves, and those that stand too deep.
func (s *Site) checkParts() diag.List {
	var diags diag.List
	for _, p := range s.Pages {
		if !p.embedding {
			continue
		}
		c := partChecker{}
		for _, e := range p.embeds([]ast.Node{p.Doc()}) {
			if message, hint := c.follow(p, e, nil); !message.IsZero() {
				diags.Add(p.Source.Warning(e.Start, e.Stop, message, hint))
			}
		}
	}
	return diags
}

// partChecker follows the embeds of one page, in the order in which they are shown.
type partChecker struct{ shown int }

func (c *partChecker) follow(p *Page, e *markdown.Embed, way []*markdown.Embed) (message, hint diag.Text) {
	if slices.Contains(way, e) {
		if e == way[0] {
			return diag.Say("this note leads back to itself; where it would stand within itself a link is shown"), diag.Say("embed a section of it, [[note#heading]], or write a link")
		}
		return diag.Text{}, diag.Text{} // said where the circle is
	}
	c.shown++
	if c.shown > MaxParts+1 {
		return diag.Text{}, diag.Text{} // said at the first that is too many
	}
	if len(way) == MaxPartDepth || c.shown > MaxParts {
		return diag.Say("more than %d notes in one another, or %d on a page; the others are shown as links", MaxPartDepth, MaxParts), diag.Say("write a link")
	}
	part, ok := p.Part(e)
	if !ok {
		return diag.Text{}, diag.Text{}
	}
	for _, inner := range part.Page.embeds(part.Blocks) {
		if m, h := c.follow(part.Page, inner, append(slices.Clip(way), e)); !m.IsZero() && message.IsZero() {
			message, hint = m, h
		}
		if c.shown > MaxParts {
			break
		}
	}
	return message, hint
}
