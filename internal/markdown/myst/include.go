package myst

import (
	"github.com/yuin/goldmark/ast"
)

// includes are directives that show other files. An include of Markdown is a part of the text before it is
// parsed; what is left is an include of code, or of a file that could not be read.
var includes = map[string]directive{"include": {text: true, node: includeNode}}

// includeNode returns the name of a file that could not be included, as text.
func includeNode(d *Directive) ast.Node {
	p := ast.NewParagraph()
	p.SetPos(d.Opening.Start)
	if d.Argument.Start < d.Argument.Stop {
		p.Lines().Append(segment(d.Argument))
	}
	return p
}
