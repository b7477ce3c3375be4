package content

import "github.com/yuin/goldmark/ast"

// Text is what a reader sees of a node, without markup: formulas in letters and signs. Images
// and values of machines are not part of it.
func (p *Page) Text(n ast.Node) string { return p.plainText(n) }
