package page

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A figureWriter writes figures and their captions.
type figureWriter struct{ *writer }

// figure writes an image, a table, code or a diagram with its caption.
func (v *figureWriter) figure(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	f := n.(*markdown.Figure)
	if !entering {
		if _, ok := f.LastChild().(*markdown.Caption); !ok && v.Page.Number(f) > 0 {
			_, _ = w.WriteString("<figcaption>" + v.figureNumber(f, "") + "</figcaption>\n")
		}
		_, err := w.WriteString("</figure>\n")
		return ast.WalkContinue, err
	}
	_, _ = w.WriteString(`<figure class="` + attribute(strings.TrimSpace("figure figure-"+string(f.Of)+" "+stringAttribute(f, "class"))) + `"`)
	if f.ID != "" {
		_, _ = w.WriteString(` id="` + attribute(f.ID) + `"`)
	}
	_, err := w.WriteString(">\n")
	return ast.WalkContinue, err
}

// caption writes a caption, which begins with its number.
func (v *figureWriter) caption(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
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

// figureNumber writes the number of a caption.
func (v *figureWriter) figureNumber(f *markdown.Figure, stop string) string {
	return `<span class="figure-number">` + attribute(v.series(f.Of, strconv.Itoa(v.Page.Number(f)))) + stop + `</span>`
}
