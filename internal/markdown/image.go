package markdown

import "github.com/yuin/goldmark/ast"

// ImageAttribute returns an attribute that the author gave an image, or "".
func ImageAttribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	b, _ := v.([]byte)
	return string(b)
}

// ImageSize returns the width and the height that the author gave an image, or else its figure. Each may be "".
func ImageSize(n ast.Node) (width, height string) {
	width, height = ImageAttribute(n, "width"), ImageAttribute(n, "height")
	for up := n.Parent(); up != nil && width+height == ""; up = up.Parent() {
		if f, ok := up.(*Figure); ok {
			return f.Width, f.Height
		}
	}
	return width, height
}
