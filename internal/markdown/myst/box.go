package myst

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// boxDirectives are directives around blocks.
var boxDirectives = map[string]directive{
	"admonition": {node: admonition}, "note": {node: admonition}, "tip": {node: admonition}, "hint": {node: admonition},
	"important": {node: admonition},
	"warning":   {node: admonition}, "caution": {node: admonition}, "attention": {node: admonition}, "danger": {node: admonition},
	"error":   {node: admonition},
	"seealso": {node: admonition}, "todo": {node: admonition},
	"dropdown": {node: admonition}, "details": {node: admonition},
	"tab-set": {node: func(*Directive) ast.Node { return &markdown.Tabs{} }}, "tab-item": {node: tabNode}, "tab": {node: tabNode},
	"margin": {node: besideNode}, "aside": {node: besideNode}, "sidebar": {node: besideNode}, "topic": {node: besideNode},
	"epigraph": {node: quoteNode}, "pull-quote": {node: quoteNode}, "highlights": {node: quoteNode}, "blockquote": {node: quoteNode},
	"div": {}, "only": {node: onlyNode}, "tableofcontents": {text: true}, "contents": {text: true}, "toc": {text: true}, "index": {text: true},
	"show-index": {text: true}, "genindex": {text: true}, "comment": {text: true}, "raw": {true, rawNode}, "toctree": {true, toctreeNode},
	"bibliography": {true, bibliographyNode}, "embed": {node: embedNode},
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
		n.AppendChild(n, paragraph(d.Argument))
	}
	d.describe(n, classes)
	return n
}

// describe sets the label of the directive and classes on a node.
func (d *Directive) describe(n ast.Node, classes []string) {
	markdown.Identify(n, d.label(), classes)
}

func tabNode(d *Directive) ast.Node {
	n := &markdown.Tab{Opening: d.Opening, Closing: d.Closing, Selected: d.flag("selected")}
	title := d.Argument
	if title.Start >= title.Stop {
		title = d.NameAt
	}
	n.SetTitle(title, d.source)
	d.describe(n, nil)
	return n
}

// besideNode returns a box beside the text, or a topic.
func besideNode(d *Directive) ast.Node {
	n := &markdown.Callout{Name: "note", Plain: d.Argument.Start >= d.Argument.Stop, Opening: d.Opening, Closing: d.Closing}
	n.SetTitle(d.Argument)
	classes := d.classes()
	if d.Name != "topic" {
		classes = append(classes, "inline", "end")
	}
	d.describe(n, classes)
	return n
}

func quoteNode(*Directive) ast.Node { return ast.NewBlockquote() }

// onlyNode keeps what is for web pages.
func onlyNode(d *Directive) ast.Node {
	if !strings.Contains(d.argument(), "html") {
		d.RemoveChildren(d)
	}
	return nil
}

// rawNode returns HTML. What is for other formats is left out.
func rawNode(d *Directive) ast.Node {
	if !strings.Contains(d.argument(), "html") {
		return nil
	}
	n := ast.NewHTMLBlock(ast.HTMLBlockType6)
	n.SetLines(d.Lines())
	return n
}

// toctreeNode returns a list of pages.
func toctreeNode(d *Directive) ast.Node {
	n := &markdown.Contents{Opening: d.Opening}
	for i := range d.Lines().Len() {
		n.AddLine(d.Lines().At(i), d.source)
	}
	if len(n.Entries) == 0 || d.flag("hidden") {
		return nil
	}
	return n
}

// bibliographyNode returns the place of the list of references.
func bibliographyNode(d *Directive) ast.Node {
	return d.deferredBlock(func() ast.Node {
		p := ast.NewParagraph()
		p.AppendChild(p, &markdown.Bibliography{Span: d.Opening})
		return p
	})
}

// embedNode returns a reference to what the author embeds.
func embedNode(d *Directive) ast.Node {
	label := strings.TrimPrefix(cmp.Or(d.argument(), d.label()), "#")
	if label == "" {
		return nil
	}
	return d.insertDeferred(func() ast.Node {
		p := ast.NewParagraph()
		p.AppendChild(p, &markdown.Reference{Destination: ":" + label, Span: d.Opening})
		return p
	})
}
