package myst

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// boxes are directives around blocks.
var boxes = map[string]directive{
	"admonition": {node: admonition}, "note": {node: admonition}, "tip": {node: admonition}, "hint": {node: admonition}, "important": {node: admonition},
	"warning": {node: admonition}, "caution": {node: admonition}, "attention": {node: admonition}, "danger": {node: admonition}, "error": {node: admonition},
	"seealso": {node: admonition}, "todo": {node: admonition},
	"dropdown": {node: admonition}, "details": {node: admonition},
}

// admonition returns a callout. An argument is its title or, if it has no body, its text.
func admonition(d *Directive) ast.Node {
	n := &markdown.Callout{Name: markdown.CalloutKind(d.Name), Opening: d.Opening, Closing: d.Closing}
	if d.Name == "dropdown" {
		n.Name = "details"
	}
	var classes []string
	for _, c := range d.classes() {
		kind := markdown.CalloutKind(strings.ToLower(c))
		switch {
		case c == "dropdown", c == "toggle":
			n.Fold = markdown.Folded
		case d.Name == "admonition" && slices.Contains(markdown.CalloutNames(), kind):
			n.Name = kind
		default:
			classes = append(classes, c)
		}
	}
	if n.Name == "details" {
		n.Fold = markdown.Folded
	}
	if n.Fold == markdown.Folded && (d.flag("open") || d.Given.Get("open") == "true") {
		n.Fold = markdown.Unfolded
	}
	if d.HasChildren() || n.Name == "details" || d.Name == "admonition" {
		n.SetTitle(d.Argument)
	} else if d.Argument.Start < d.Argument.Stop {
		p := ast.NewParagraph()
		p.SetPos(d.Argument.Start)
		p.Lines().Append(segment(d.Argument))
		n.AppendChild(n, p)
	}
	d.describe(n, classes)
	return n
}

// describe sets the label of the directive and classes on a node, in the form that goldmark uses.
func (d *Directive) describe(n ast.Node, classes []string) {
	if id := d.label(); id != "" {
		n.SetAttributeString("id", []byte(id))
	}
	if len(classes) > 0 {
		n.SetAttributeString("class", []byte(strings.Join(classes, " ")))
	}
}
