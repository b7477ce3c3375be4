package markdown

import "github.com/yuin/goldmark/ast"

// ID returns the id of a node, or "".
func ID(n ast.Node) string { return TextAttribute(n, "id") }

// TextAttribute returns an attribute of a node, or "".
func TextAttribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	b, _ := v.([]byte)
	return string(b)
}

// ImageSize returns the width and the height that the author gave an image, or else its figure. Each may be "".
func ImageSize(n ast.Node) (width, height string) {
	width, height = TextAttribute(n, "width"), TextAttribute(n, "height")
	for up := n.Parent(); up != nil && width+height == ""; up = up.Parent() {
		if f, ok := up.(*Figure); ok {
			return f.Width, f.Height
		}
	}
	return width, height
}
