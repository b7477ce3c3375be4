package markdown

import "github.com/yuin/goldmark/ast"

// ImageAttribute returns an attribute that the author gave an image, or "".
func ImageAttribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	b, _ := v.([]byte)
	return string(b)
}
