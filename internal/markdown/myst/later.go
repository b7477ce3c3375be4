package myst

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// laterKey is the key of the functions that run when the inline text of the page is parsed: only then
// may a block get inline nodes, or its text be read.
var laterKey = parser.NewContextKey()

// later calls a function when the inline text of the page is parsed, in the order of the page.
func (d *Directive) later(f func()) {
	list, _ := d.pc.Get(laterKey).([]func())
	d.pc.Set(laterKey, append(list, f))
}

// finisher calls the functions of later.
type finisher struct{}

// Transform implements parser.ASTTransformer.
func (finisher) Transform(_ *ast.Document, _ text.Reader, pc parser.Context) {
	list, _ := pc.Get(laterKey).([]func())
	for _, f := range list {
		f()
	}
}
