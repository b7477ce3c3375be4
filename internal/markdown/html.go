package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// HTML maps kinds of nodes to the functions that write them.
type HTML map[ast.NodeKind]renderer.NodeRendererFunc

// RegisterFuncs implements renderer.NodeRenderer.
func (h HTML) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for kind, write := range h {
		reg.Register(kind, write)
	}
}

// WriteElement writes the tag that opens or closes an element without attributes.
func WriteElement(w util.BufWriter, name string, entering bool) (ast.WalkStatus, error) {
	tag := "<" + name + ">"
	if !entering {
		tag = "</" + name + ">"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// WriteNothing writes a node that is not shown.
func WriteNothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}
