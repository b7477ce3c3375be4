package myst

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// lastStepsKey is the key of the functions that run when the inline text of the page is parsed: only then
// may a block get inline nodes, or its text be read.
var lastStepsKey = parser.NewContextKey()

// afterInlines calls a function when the inline text of the page is parsed, in the order of the page.
func (d *Directive) afterInlines(f func()) {
	list, _ := d.pc.Get(lastStepsKey).([]func())
	d.pc.Set(lastStepsKey, append(list, f))
}

// lastSteps calls the functions of lastly.
type lastSteps struct{}

// Transform implements parser.ASTTransformer.
func (lastSteps) Transform(_ *ast.Document, _ text.Reader, pc parser.Context) {
	list, _ := pc.Get(lastStepsKey).([]func())
	for _, f := range list {
		f()
	}
}
