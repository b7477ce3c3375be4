package site

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
)

// A Tree is the syntax tree of a page, which must not be changed.
type Tree struct {
	Root *ast.Document
	// Numbers numbers the nodes for which [IsNumbered] is true, in the order of the page. By these numbers the page
	// stores what it knows of a node: the target of a link, the number of a figure or a theorem.
	Numbers map[ast.Node]int
}

// NewTree returns the tree of a document.
func NewTree(doc *ast.Document) *Tree {
	doc.Meta() // makes the map, which several readers would do at once
	t := &Tree{doc, map[ast.Node]int{}}
	for n := range markdown.Nodes(doc) {
		if IsNumbered(n) {
			t.Numbers[n] = len(t.Numbers)
		}
	}
	return t
}

// IsNumbered reports whether nodes of this type have a number.
func IsNumbered(n ast.Node) bool {
	switch n.(type) {
	case *ast.Link, *ast.Image, *markdown.Embed, *obsidian.WikiLink, *markdown.Figure, *markdown.Callout, *markdown.Reference,
		*markdown.Contents:
		return true
	}
	return false
}
