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
	Title string
	// Notes are the page's footnotes, or nil.
	Notes *extast.FootnoteList
	// anchor is the id of what is shown, and heading that with the id, or nil.
	anchor  string
	heading *ast.Heading
}

// MaxPartDepth is how deep embedded notes may be nested, and MaxParts how many a page shows in all.
// Beyond that a link is shown.
const MaxPartDepth, MaxParts = 5, 200

// An Embedding is where a page is written: the embeds that lead to it from the page of a file, and how many
// notes that page has shown so far.
type Embedding struct {
	path  []*markdown.Embed
	shown *int
}

// NewEmbedding returns the place of a page that is not embedded.
func NewEmbedding() Embedding { return Embedding{shown: new(int)} }

// Embedded reports whether the page is embedded.
func (m Embedding) Embedded() bool { return len(m.path) > 0 }

// Loops reports whether an embed led to the page, and first, whether it is the outermost.
func (m Embedding) Loops(e *markdown.Embed) (loops, first bool) {
	i := slices.Index(m.path, e)
	return i >= 0, i == 0
}

// Shows reports whether an embed is shown in place, and not as a link. If it is not, there is a
// diagnostic.
func (m Embedding) Shows(e *markdown.Embed) bool {
	loops, _ := m.Loops(e)
	return e.Apart() && !loops && len(m.path) < MaxPartDepth && !m.Full()
}

// Full reports whether the page shows no more notes.
func (m Embedding) Full() bool { return *m.shown >= MaxParts }

// Enter returns the place of the note that an embed shows, and its number among those of the page.
func (m Embedding) Enter(e *markdown.Embed) (in Embedding, number int) {
	*m.shown++
	return Embedding{append(slices.Clip(m.path), e), m.shown}, *m.shown
}

// Part returns what an embed of the page shows. It returns false if the target is not a page.
func (l *Links) Part(n *markdown.Embed) (Part, bool) {
	t := l.Target(n)
	if t.Page == nil {
		return Part{}, false
	}
	p := Part{Page: t.Page, Title: t.Page.Title, anchor: t.Fragment()}
	p.Notes, _ = p.Page.Doc().LastChild().(*extast.FootnoteList)
	if p.anchor == "" || strings.HasPrefix(p.anchor, "^") {
		return p, true
	}
	if p.heading = p.Page.headingOf(p.anchor); p.heading == nil {
		return p, false
	}
	p.Title += " › " + strings.TrimSpace(p.Page.PlainText(p.heading))
	return p, true
}

// Blocks returns what is shown.
func (p Part) Blocks() []ast.Node {
	switch {
	case p.heading != nil:
		return siblings(p.heading.NextSibling(), func(c ast.Node) bool {
			next, ok := c.(*ast.Heading)
			return ok && next.Level <= p.heading.Level || c.Kind() == extast.KindFootnoteList
		})
	case p.anchor != "":
		return p.Page.anchored(p.anchor)
	}
	title := p.Page.firstTitle()
	all := siblings(p.Page.Doc().FirstChild(), func(c ast.Node) bool { return c.Kind() == extast.KindFootnoteList })
	return slices.DeleteFunc(all, func(c ast.Node) bool { return title != nil && c == title })
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
