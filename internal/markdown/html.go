package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// NewHTMLRenderer writes the nodes of this package that need nothing of the site.
func NewHTMLRenderer() renderer.NodeRenderer { return htmlRenderer{} }

type htmlRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (htmlRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(KindMarked, marked)
}

func marked(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return element(w, n.(*Marked).Element, entering)
}

// element writes the tag that opens or closes an element without attributes.
func element(w util.BufWriter, name string, entering bool) (ast.WalkStatus, error) {
	tag := "<" + name + ">"
	if !entering {
		tag = "</" + name + ">"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}
