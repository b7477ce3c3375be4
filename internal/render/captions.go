package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// figure is an image, a table, code or a diagram with its caption.
func (v *pageWriter) figure(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	f := n.(*markdown.Figure)
	if !entering {
		if _, ok := f.LastChild().(*markdown.Caption); !ok && v.page.Number(f) > 0 {
			_, _ = w.WriteString("<figcaption>" + v.figureNumber(f, "") + "</figcaption>\n")
		}
		_, err := w.WriteString("</figure>\n")
		return ast.WalkContinue, err
	}
	_, _ = w.WriteString(`<figure class="` + attribute(strings.TrimSpace("figure figure-"+string(f.Of)+" "+text(f, "class"))) + `"`)
	if f.ID != "" {
		_, _ = w.WriteString(` id="` + attribute(f.ID) + `"`)
	}
	_, err := w.WriteString(">\n")
	return ast.WalkContinue, err
}

// caption stands below what it tells about, behind its number.
func (v *pageWriter) caption(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "<figcaption>"
	if f, ok := n.Parent().(*markdown.Figure); ok {
		tag += v.figureNumber(f, ".") + " "
	}
	if !entering {
		tag = "</figcaption>\n"
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// An imageStyle is what an <img> is told beside its address and its text.
type imageStyle struct {
	id, width, height, align string
	classes                  []string
	eager                    bool
}

// imageStyleOf takes what the author says of an image; what is said of its figure
// counts where the image says nothing.
func imageStyleOf(n ast.Node) imageStyle {
	p := imageStyle{
		id: markdown.ImageAttribute(n, "id"), width: markdown.ImageAttribute(n, "width"), height: markdown.ImageAttribute(n, "height"),
		align: markdown.ImageAttribute(n, "align"), classes: strings.Fields(markdown.ImageAttribute(n, "class")),
		eager: markdown.ImageAttribute(n, "loading") == "eager",
	}
	if p.width != "" || p.height != "" {
		return p
	}
	for up := n.Parent(); up != nil; up = up.Parent() {
		if f, ok := up.(*markdown.Figure); ok {
			p.width, p.height = f.Width, f.Height
			break
		}
	}
	return p
}

// imageAttributes writes them. A share of the text's width is a class, for a style would
// break the content security policy, and width="60%" would lose the proportions.
func (v *pageWriter) imageAttributes(p imageStyle, t content.Target) string {
	var b strings.Builder
	classes := slices.Clone(p.classes)
	if share, ok := strings.CutSuffix(p.width, "%"); ok {
		classes = append(classes, "w-"+share)
	}
	if p.align != "" {
		classes = append(classes, "align-"+p.align)
	}
	if p.id != "" {
		b.WriteString(` id="` + attribute(p.id) + `"`)
	}
	if len(classes) > 0 {
		b.WriteString(` class="` + attribute(strings.Join(classes, " ")) + `"`)
	}
	b.WriteString(v.size(t, pixels(p.width), pixels(p.height)))
	if !p.eager {
		b.WriteString(` loading="lazy"`)
	}
	b.WriteString(` decoding="async"`)
	return b.String()
}

// pixels is a length of an author, "400px" or "400", or 0.
func pixels(s string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(s, "px"))
	return n
}
