package mkdocs

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// iconParser reads the icons of Material, :material-pencil: or :octicons-heart-fill-24:. They are
// left out, because the four sets have more than twelve thousand drawings. Where an icon is all
// that there is, such as :material-check: in a cell, its name is shown.
// https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/
type iconParser struct{}

var iconForm = lazyregexp.New(`^:(?:material|octicons|fontawesome-(?:brands|regular|solid)|simple)-([a-z0-9-]*?[a-z0-9])(?:-(?:12|16|24|48|96))?:`)

// Trigger implements parser.InlineParser.
func (iconParser) Trigger() []byte { return []byte{':'} }

// Parse implements parser.InlineParser.
func (iconParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := iconForm.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	block.Advance(m[1])
	at := segment.Start
	n := &mark{Span: markdown.Span{Start: at, Stop: at + m[1]}, name: markdown.Span{Start: at + m[2], Stop: at + m[3]}}
	n.SetPos(at)
	markdown.ReportOnce(pc, "icons", markdown.Fault{Span: n.Span, Notice: true,
		Message: diag.Say("markdown.icons-left-out", "name", string(line[:m[1]])), Hint: diag.Say("markdown.icons-left-out-hint")})
	return n
}

// replace removes an icon, or replaces it by its name if there is nothing else in its parent. alone
// has the parents of which that is known.
func (n *mark) replace(source []byte, alone map[ast.Node]bool) {
	parent := n.Parent()
	only, known := alone[parent]
	if !known {
		only = true
		for c := parent.FirstChild(); c != nil && only; c = c.NextSibling() {
			t, ok := c.(*ast.Text)
			only = c.Kind() == kindMark || ok && len(bytes.TrimSpace(t.Segment.Value(source))) == 0
		}
		alone[parent] = only
	}
	if !only {
		parent.RemoveChild(parent, n)
		return
	}
	name := ast.NewTextSegment(text.NewSegment(n.name.Start, n.name.Stop))
	name.SetPos(n.name.Start)
	parent.ReplaceChild(parent, n, name)
}
