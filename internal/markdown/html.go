package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// NewHTMLRenderer writes the nodes of this package that need nothing of the site.
func NewHTMLRenderer() renderer.NodeRenderer { return htmlRenderer{} }

type htmlRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (htmlRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(KindMarked, marked)
	reg.Register(KindFigure, figure)
	reg.Register(KindCaption, caption)
	reg.Register(KindReference, reference)
	reg.Register(KindDirective, directiveAnchor)
	reg.Register(KindSlideMark, nothing)
	reg.Register(KindAnchor, anchor)
	reg.Register(KindTag, tag)
	reg.Register(KindComment, nothing)
	reg.Register(KindInlineComment, nothing)
}

// figure is written without a number: the site counts.
func figure(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</figure>\n")
		return ast.WalkContinue, err
	}
	_, _ = w.WriteString("<figure")
	if id := n.(*Figure).ID; id != "" {
		_, _ = w.WriteString(` id="`)
		_, _ = w.Write(util.EscapeHTML([]byte(id)))
		_ = w.WriteByte('"')
	}
	_, err := w.WriteString(">\n")
	return ast.WalkContinue, err
}

func caption(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "<figcaption>"
	if !entering {
		tag = "</figcaption>\n"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// reference is a link without a text here, for the site knows what it leads to.
func reference(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<a href="`)
		_, _ = w.Write(util.EscapeHTML(util.URLEscape([]byte(n.(*Reference).Destination), true)))
		_, _ = w.WriteString(`"></a>`)
	}
	return ast.WalkContinue, nil
}

// directiveAnchor writes a label that nothing took.
func directiveAnchor(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if d := n.(*Directive); entering && !d.Placed && d.Name == labelName {
		_, _ = w.WriteString(`<span id="`)
		_, _ = w.Write(util.EscapeHTML([]byte(d.Argument)))
		_, _ = w.WriteString(`"></span>`)
	}
	return ast.WalkContinue, nil
}

func marked(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return element(w, n.(*Marked).Element, entering)
}

// element writes the tag that opens or closes an element without attributes.
func element(w util.BufWriter, name string, entering bool) (ast.WalkStatus, error) {
	tag := "<" + name + ">"
	if !entering {
		tag = "</" + name + ">"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// nothing is what a reader sees of a comment.
func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func anchor(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering { // an id holds letters, digits and hyphens only
		_, _ = w.WriteString(`<span class="anchor" id="` + n.(*Anchor).ID() + `"></span>`)
	}
	return ast.WalkContinue, nil
}

func tag(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	html := `<span class="tag">`
	if !entering {
		html = `</span>`
	}
	_, err := w.WriteString(html)
	return ast.WalkContinue, err
}
