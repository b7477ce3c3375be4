package myst

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/figure"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// mediaDirectives are directives of images, formulas and other files.
var mediaDirectives = map[string]directive{
	"figure": {node: figureNode}, "figure-md": {node: figureNode}, "image": {node: imageNode}, "glue:figure": {node: figureNode},
	"math":   {true, mathNode},
	"iframe": {node: linkNode}, "video": {node: linkNode}, "youtube": {node: linkNode},
}

// A deferredNode stands for a block with inline nodes, which are made only when the inline text of the page is parsed.
type deferredNode struct{ markdown.BlockNode }

// Kind implements ast.Node.
func (*deferredNode) Kind() ast.NodeKind { return kindDeferred }

var kindDeferred = ast.NewNodeKind("GpudocsDeferred")

// deferredBlock returns a node that the block of make replaces at the end.
func (d *Directive) deferredBlock(make func() ast.Node) ast.Node {
	n := &deferredNode{}
	n.SetPos(d.Opening.Start)
	d.afterInlines(func() {
		if n.Parent() != nil {
			markdown.Replace(n, make())
		}
	})
	return n
}

// insertDeferred adds the paragraph of make before the body. It returns nil: both stand in place of the
// directive.
func (d *Directive) insertDeferred(make func() ast.Node) ast.Node {
	d.InsertBefore(d, d.FirstChild(), d.deferredBlock(make))
	return nil
}

// finisher finds what targets belong to, and mends links.
type finisher struct{}

// Transform implements parser.ASTTransformer.
func (finisher) Transform(doc *ast.Document, _ text.Reader, pc parser.Context) {
	placeTargets(pc)
	mendLinks(doc, pc)
}

// mendLinks gives links without a text the address as theirs, and makes references to anchors find them on
// any page.
func mendLinks(doc *ast.Document, pc parser.Context) {
	var links []*ast.Link
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *ast.Link:
			links = append(links, n)
		case *markdown.Reference:
			n.Destination = strings.TrimPrefix(n.Destination, "project:")
			if label, ok := strings.CutPrefix(n.Destination, "#"); ok && !n.Parentheses && !n.Bare {
				n.Destination = ":" + label
			}
		}
	}
	for _, n := range links {
		n.Destination = bytes.TrimPrefix(n.Destination, []byte("project:"))
		if doi, ok := bytes.CutPrefix(n.Destination, []byte("doi:")); ok {
			n.Destination = append([]byte("https://doi.org/"), doi...)
		}
		address, other := bytes.CutPrefix(n.Destination, []byte("xref:"))
		text := n.HasChildren()
		at := max(n.Pos(), 0)
		switch {
		case !text && !other && !scheme.Match(address):
			n.Parent().ReplaceChild(n.Parent(), n, &markdown.Reference{Destination: string(address), Span: markdown.Span{Start: at, Stop: at + 1}})
			continue
		case !text:
			n.AppendChild(n, ast.NewString(address))
		}
		if other { // a page of another project, whose address only its inventory knows
			tellOnce(pc, "xref", markdown.Span{Start: at, Stop: at + 1}, diag.Say("markdown.myst-xref"), diag.Say("markdown.myst-xref-hint"))
			for c := n.FirstChild(); c != nil; c = n.FirstChild() {
				n.Parent().InsertBefore(n.Parent(), n, c)
			}
			n.Parent().RemoveChild(n.Parent(), n)
		}
	}
}

// scheme matches the beginning of an address elsewhere.
var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*:|//)`)

// image returns the image at the argument. alt is its text, unless the author gave one.
func (d *Directive) image(alt string) *ast.Image {
	link := ast.NewLink()
	link.Destination = []byte(d.argument())
	n := ast.NewImage(link)
	n.SetPos(d.Argument.Start)
	if alt = cmp.Or(d.option("alt"), alt); alt != "" {
		n.AppendChild(n, ast.NewString([]byte(alt)))
	}
	markdown.Identify(n, "", d.classes())
	if align := d.option("align"); slices.Contains([]string{"left", "right", "center"}, align) {
		n.SetAttributeString("align", []byte(align))
	}
	return n
}

// size returns the first of some options that is a size.
func (d *Directive) size(valid func(string) bool, names ...string) string {
	for _, name := range names {
		if v := strings.ReplaceAll(d.option(name), " ", ""); valid(v) {
			return v
		}
	}
	return ""
}

// imageNode returns an image, which is a figure if it has a label.
func imageNode(d *Directive) ast.Node {
	if d.label() != "" {
		return figureNode(d)
	}
	return d.insertDeferred(func() ast.Node {
		p, n := ast.NewParagraph(), d.image("")
		for name, v := range map[string]string{"width": d.size(figure.IsLength, "width"), "height": d.size(figure.IsPixels, "height")} {
			if v != "" {
				n.SetAttributeString(name, []byte(v))
			}
		}
		p.AppendChild(p, n)
		return p
	})
}

// figureNode returns a figure. Of its body the first paragraph that is not an image is the caption, and what
// follows is the legend.
func figureNode(d *Directive) ast.Node {
	f := &markdown.Figure{
		Of:     markdown.Image,
		ID:     d.label(),
		Width:  d.size(figure.IsLength, "width", "figwidth"),
		Height: d.size(figure.IsPixels, "height"),
	}
	if d.Name == "figure-md" { // its body has the image
		f.ID = cmp.Or(f.ID, d.argument())
	}
	var caption *markdown.Caption
	if target := d.argument(); target != "" && (d.Name == "figure" || d.Name == "image") {
		f.AppendChild(f, d.deferredBlock(func() ast.Node {
			t := ast.NewTextBlock()
			if label, embedded := strings.CutPrefix(target, "#"); embedded { // the output of a cell
				t.AppendChild(t, &markdown.Reference{Destination: ":" + label, Title: true, Span: d.Argument})
				return t
			}
			alt := ""
			if caption != nil {
				alt = strings.TrimSpace(markdown.Text(caption, d.source, markdown.TextOptions{}))
			}
			t.AppendChild(t, d.image(alt))
			return t
		}))
	}
	for c := d.FirstChild(); c != nil; c = d.FirstChild() {
		p, isText := c.(*ast.Paragraph)
		switch {
		case caption == nil && isText && !strings.HasPrefix(string(p.Lines().Value(d.source)), "!["):
			caption = markdown.CaptionOf(p.Lines().Sliced(0, p.Lines().Len()), d.source)
			caption.SetPos(p.Pos())
			d.RemoveChild(d, p)
		case caption == nil:
			f.AppendChild(f, c)
		default:
			if caption.Lines().Len() > 0 { // text and blocks cannot be in one block
				first := ast.NewTextBlock()
				first.SetPos(caption.Pos())
				first.SetLines(caption.Lines())
				caption.SetLines(text.NewSegments())
				caption.AppendChild(caption, first)
			}
			caption.AppendChild(caption, c)
		}
	}
	if caption != nil {
		f.AppendChild(f, caption)
	}
	if !f.HasChildren() {
		return nil
	}
	return f
}

// mathNode returns a formula.
func mathNode(d *Directive) ast.Node {
	var parts []text.Segment
	if d.Argument.Start < d.Argument.Stop {
		parts = append(parts, segment(d.Argument))
	}
	for i := range d.Lines().Len() {
		s := d.Lines().At(i)
		s.Padding, s.ForceNewline = 0, false
		if s = s.TrimLeftSpace(d.source); !s.IsEmpty() {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	n := &markdown.MathBlock{Formula: markdown.NewFormula(d.source, parts, "$$\n", "$$", true,
		markdown.Span{Start: d.Opening.Start, Stop: max(d.Opening.Stop, d.Closing.Stop, parts[len(parts)-1].Stop)})}
	if label := d.label(); label != "" {
		n.AddLabel(markdown.Label{Name: label, Span: d.Opening})
	}
	return n
}

// linkNode returns a link to a film or a page, with its title, and the body.
func linkNode(d *Directive) ast.Node {
	address := d.argument()
	if d.Name == "youtube" && !strings.Contains(address, "/") {
		address = "https://www.youtube.com/watch?v=" + address
	}
	if address == "" {
		return nil
	}
	return d.linked(address, cmp.Or(d.option("title"), d.option("alt"), address), d.Argument)
}

// linked adds a paragraph with a link before the body.
func (d *Directive) linked(address, label string, at markdown.Span) ast.Node {
	return d.insertDeferred(func() ast.Node {
		p := ast.NewParagraph()
		p.AppendChild(p, ast.NewString([]byte(label)))
		p.AppendChild(p, link(p, address, at))
		return p
	})
}

// link returns a link whose text are the inline nodes of a block, or else the address.
func link(text ast.Node, address string, at markdown.Span) *ast.Link {
	n := ast.NewLink()
	n.Destination = []byte(address)
	n.SetPos(at.Start)
	markdown.MoveChildren(text, n)
	if !n.HasChildren() {
		n.AppendChild(n, ast.NewString([]byte(address)))
	}
	return n
}
