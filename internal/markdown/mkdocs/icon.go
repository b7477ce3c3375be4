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
	leftOut(pc, icons, n.Span)
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

// what is a kind of construct that is left out, told once a page.
type what int

const (
	icons what = iota
	templates
	documentation
)

// leftOutKey is the key of the spans of what is left out, by kind.
var leftOutKey = parser.NewContextKey()

// leftOut records what is left out.
func leftOut(pc parser.Context, kind what, at markdown.Span) {
	all, _ := pc.Get(leftOutKey).(*[documentation + 1][]markdown.Span)
	if all == nil {
		all = &[documentation + 1][]markdown.Span{}
		pc.Set(leftOutKey, all)
	}
	all[kind] = append(all[kind], at)
}

// maxNamed bounds what a message names.
const maxNamed = 3

// reportLeftOut tells once for each kind what is left out.
func reportLeftOut(pc parser.Context, source []byte) {
	all, _ := pc.Get(leftOutKey).(*[documentation + 1][]markdown.Span)
	if all == nil {
		return
	}
	for kind, spans := range all {
		if len(spans) == 0 {
			continue
		}
		names, seen := "", map[string]bool{}
		for _, s := range spans {
			name := string(source[s.Start:s.Stop])
			if seen[name] {
				continue
			}
			if seen[name] = true; len(seen) > maxNamed {
				names += ", …"
				break
			}
			if names != "" {
				names += ", "
			}
			names += name
		}
		f := markdown.Fault{Span: spans[0], Notice: what(kind) == icons}
		switch what(kind) {
		case icons:
			f.Message, f.Hint = diag.Say("markdown.icons-left-out", "names", names), diag.Say("markdown.icons-left-out-hint")
		case templates:
			f.Message, f.Hint = diag.Say("markdown.jinja-left-out", "names", names), diag.Say("markdown.jinja-left-out-hint")
		case documentation:
			f.Message, f.Hint = diag.Say("markdown.mkdocstrings-left-out", "names", names), diag.Say("markdown.mkdocstrings-left-out-hint")
		}
		markdown.Report(pc, f)
	}
}
