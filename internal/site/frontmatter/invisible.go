package frontmatter

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// checkInvisible reports invisible characters in a text of the front matter.
func (r *reader) checkInvisible(n ast.Node) {
	var text string
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	default:
		return
	}
	found := invisible.In(text, false)
	if len(found) == 0 {
		return
	}
	f := found[0] // only the first of each text
	begin, end := r.place(n.GetToken())
	if i := strings.IndexRune(string(r.file.Data[begin:]), f.Rune); i >= 0 { // not written as an escape
		begin += i
		end = begin + len(string(f.Rune))
	}
	r.diags.Add(site.InvisibleDiag(r.file, diag.Error, f, begin, end))
}

// Visit implements ast.Visitor: it checks every node of the front matter.
func (r *reader) Visit(n ast.Node) ast.Visitor {
	r.checkInvisible(n)
	if _, ok := n.(*ast.LiteralNode); ok {
		return nil // its text is a node too
	}
	return r
}
