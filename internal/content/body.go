package content

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"weak"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A body is the parsed text of a page. A tree of goldmark's takes ten times the memory
// of the text that it is made of, and a site of ten thousand pages has all of them at
// once. So a body is kept packed, and is a tree again while somebody reads it: as long
// as any node of it is held, there is one tree, so that nodes can be compared.
type body struct {
	packed packed
	// whole is set in the place of packed where the page has nodes that are not packed.
	whole *tree

	mu   sync.Mutex
	last weak.Pointer[tree]

	outlining sync.Once
	outline   []outlined
	// byKey has the id of the first heading of a key.
	byKey   map[string]string
	reading sync.Once
	texts   known
	sorting sync.Once
	ids     []string
}

// A tree is a body while it is read.
type tree struct {
	doc *ast.Document
	// places number the nodes of which the page knows more than they say: where a link
	// leads, what a figure counts as. They are the same in each tree of a page.
	places map[ast.Node]int
}

// treeKey is where a document keeps its tree, which lives as long as any node does.
const treeKey = "gpudocs.tree"

// placed tells whether a node has a number among the places of its tree.
func placed(n ast.Node) bool {
	switch n.(type) {
	case *ast.Link, *ast.Image, *markdown.Embed, *markdown.WikiLink, *markdown.Figure, *markdown.Reference, *markdown.Contents:
		return true
	}
	return false
}

func newTree(doc *ast.Document) *tree {
	t := &tree{doc: doc}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			t.place(n)
		}
		return ast.WalkContinue, nil
	})
	return t
}

// place numbers a node; all are placed in the order of the page.
func (t *tree) place(n ast.Node) {
	if !placed(n) {
		return
	}
	if t.places == nil {
		t.places = map[ast.Node]int{}
	}
	t.places[n] = len(t.places)
}

// place moves what was parsed into the page. The nodes are not to be used any more.
func (p *pageParser) place() {
	if len(p.numbers) > 0 {
		p.page.numbers = map[int]int{}
		places := newTree(p.doc).places
		for f, n := range p.numbers {
			p.page.numbers[places[f]] = n
		}
	}
	p.page.body = &body{}
	if packed, ok := pack(p.doc); ok {
		p.page.body.packed = packed
	} else {
		p.doc.Meta() // makes the map, which several readers would do at once
		p.page.body.whole = newTree(p.doc)
	}
	p.doc = nil
}

// tree returns the body to be read.
func (b *body) tree() *tree {
	if b.whole != nil {
		return b.whole
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.last.Value(); t != nil {
		return t
	}
	t := b.packed.unpack()
	b.last = weak.Make(t)
	return t
}

// leading are the nodes of which [placed] speaks, and others that may lead somewhere, in
// the order of the page: for that no tree is made, so they have neither parents nor
// children if the body is packed.
func (b *body) leading() iter.Seq[ast.Node] {
	if b.whole == nil {
		return slices.Values(b.packed.kept)
	}
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(b.whole.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// Doc is the page's parsed Markdown, which nobody may change. It is made when it is
// asked for, and is the same as long as any of its nodes is held.
func (p *Page) Doc() ast.Node { return p.body.tree().doc }

// ids are those of the page, sorted.
func (p *Page) ids() []string {
	p.body.sorting.Do(func() { p.body.ids = slices.Sorted(maps.Keys(p.anchors)) })
	return p.body.ids
}

// headings are those of the page in order.
func (p *Page) headings() (list []*ast.Heading) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			list = append(list, h)
		}
		return ast.WalkContinue, nil
	})
	return list
}

// place is the number of a node among those of the page that have one, or -1.
func (p *Page) place(n ast.Node) int {
	if i, ok := p.body.tree().places[n]; ok {
		return i
	}
	return -1
}
