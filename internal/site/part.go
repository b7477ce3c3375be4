package site

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
)

// A Part is what ![[note]] shows of another page: nodes of that page, with its targets and its
// source. Nothing is copied: links and images in them keep their targets, and a block that runs
// belongs to that page alone.
type Part struct {
	Page *Page
	// Title is the title of the page, followed by the heading if only its section is shown.
	Title  string
	Blocks []ast.Node
	// Notes are the page's footnotes, or nil.
	Notes *extast.FootnoteList
}

// MaxPartDepth is how deep embedded notes may be nested, and MaxParts how many a page shows in all.
// Beyond that a link is shown.
const MaxPartDepth, MaxParts = 5, 200

// Part returns what an embed of the page shows. It returns false if the target is not a page.
func (l *Links) Part(n *markdown.Embed) (Part, bool) {
	t := l.Target(n)
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
		part.Title += " › " + strings.TrimSpace(q.PlainText(h))
		part.Blocks = siblings(h.NextSibling(), func(c ast.Node) bool {
			next, ok := c.(*ast.Heading)
			return ok && next.Level <= h.Level || c.Kind() == extast.KindFootnoteList
		})
	}
	return part, true
}

// siblings returns the node and its next siblings, up to the first for which ends returns true.
func siblings(n ast.Node, ends func(ast.Node) bool) (list []ast.Node) {
	for ; n != nil && !ends(n); n = n.NextSibling() {
		list = append(list, n)
	}
	return list
}

// anchored returns the block that has an id. For a list item, these are the blocks in it.
func (p *Page) anchored(id string) []ast.Node {
	for n := range markdown.Nodes(p.Doc()) {
		a, ok := n.(*obsidian.Anchor)
		switch {
		case !ok || a.ID() != id || a.Block() == nil:
		case a.Block().Kind() == ast.KindListItem:
			return siblings(a.NextSibling(), func(ast.Node) bool { return false })
		default:
			return []ast.Node{a.Block()}
		}
	}
	return nil
}

// EmbeddedNotes returns the embeds among the blocks that show another page.
func (l *Links) EmbeddedNotes(blocks []ast.Node) (list []*markdown.Embed) {
	for _, b := range blocks {
		for n := range markdown.Nodes(b) {
			if e, ok := n.(*markdown.Embed); ok && e.Apart() && l.Target(e).Page != nil {
				list = append(list, e)
			}
		}
	}
	return list
}

// firstTitle returns the first heading of the page if it became the title.
func (p *Page) firstTitle() ast.Node {
	for n := p.Doc().FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *obsidian.Comment, *obsidian.Anchor, *ast.LinkReferenceDefinition:
			continue
		case *ast.Heading:
			if n.Level == max(1, p.TitleLevel) {
				return n
			}
		}
		return nil
	}
	return nil
}
