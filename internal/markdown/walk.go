package markdown

import (
	"iter"

	"github.com/yuin/goldmark/ast"
)

// Nodes returns a node and all nodes below it, each before its children.
func Nodes(root ast.Node) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}
