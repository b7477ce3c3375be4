package tree

import (
	"iter"
	"slices"
	"sync"
	"weak"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
)

// A Document is the parsed text of a page. The syntax tree of a page takes ten times the memory of
// its text, and a site of ten thousand pages has all of them at once. Therefore a document is stored
// packed, and its tree is built when it is read. While any node of the tree is in use, the same tree
// is returned, so that nodes can be compared.
type Document struct {
	packed packed
	// whole is set instead of packed if the page has nodes that cannot be packed.
	whole *Tree

	mu   sync.Mutex
	last weak.Pointer[Tree]
}

// A Tree is the syntax tree of a document.
type Tree struct {
	Root *ast.Document
	// Numbers numbers the nodes for which [IsNumbered] is true. The page stores by these numbers
	// what it knows of a node: the target of a link, the number of a figure or a theorem. They are the same in
	// each tree of a page.
	Numbers map[ast.Node]int
}

// treeKey is the key of the tree in the metadata of its document. It keeps the tree alive as long
// as any of its nodes.
const treeKey = "gpudocs.tree"

// IsNumbered reports whether nodes of this type have a number.
func IsNumbered(n ast.Node) bool {
	switch n.(type) {
	case *ast.Link, *ast.Image, *markdown.Embed, *obsidian.WikiLink, *markdown.Figure, *markdown.Callout, *markdown.Reference, *markdown.Contents:
		return true
	}
	return false
}

func newTree(doc *ast.Document) *Tree {
	t := &Tree{Root: doc}
	for n := range markdown.Nodes(doc) {
		t.number(n)
	}
	return t
}

// number numbers a node. It must be called in the order of the page.
func (t *Tree) number(n ast.Node) {
	if !IsNumbered(n) {
		return
	}
	if t.Numbers == nil {
		t.Numbers = map[ast.Node]int{}
	}
	t.Numbers[n] = len(t.Numbers)
}

// New packs a document, whose nodes must not be used any more.
func New(doc *ast.Document) *Document {
	if packed, ok := pack(doc); ok {
		return &Document{packed: packed}
	}
	doc.Meta() // makes the map, which several readers would do at once
	return &Document{whole: newTree(doc)}
}

// NumberNodes numbers the nodes of a document for which [IsNumbered] is true.
func NumberNodes(doc *ast.Document) map[ast.Node]int { return newTree(doc).Numbers }

// Tree returns the syntax tree of the document.
func (b *Document) Tree() *Tree {
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

// LinkNodes returns the nodes for which [IsNumbered] is true and others that may contain links, in
// the order of the page. No tree is built: the nodes of a packed document have neither parents nor
// children.
func (b *Document) LinkNodes() iter.Seq[ast.Node] {
	if b.whole == nil {
		return slices.Values(b.packed.others)
	}
	return markdown.Nodes(b.whole.Root)
}
