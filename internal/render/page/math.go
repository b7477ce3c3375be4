package page

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A mathWriter writes formulas.
type mathWriter struct{ *writer }

func (v *mathWriter) mathInline(w util.BufWriter, _ []byte, n ast.Node) error {
	f := v.links.Formula(&n.(*markdown.Math).Formula)
	if f.Display {
		return v.display(w, f, "span")
	}
	_, err := w.WriteString(v.mathML(f))
	return err
}

func (v *mathWriter) mathBlock(w util.BufWriter, _ []byte, n ast.Node) error {
	err := v.display(w, v.links.Formula(&n.(*markdown.MathBlock).Formula), "div")
	_ = w.WriteByte('\n')
	return err
}

// mayScroll is the length of TeX, in bytes, beyond which a formula may be wider than a phone. Then its
// box is focusable, so that it can be scrolled with the keyboard.
const mayScroll = 30

// display writes a formula on lines of its own: a box that scrolls, because formulas do not wrap, with
// the anchors of its labels.
func (v *mathWriter) display(w util.BufWriter, f *markdown.Formula, element string) error {
	_, _ = w.WriteString("<" + element + ` class="math"`)
	if len(f.TeX) > mayScroll {
		_, _ = w.WriteString(` tabindex="0"`)
	}
	ids := f.IDs()
	for i, id := range ids {
		if i == 0 {
			_, _ = w.WriteString(` id="` + attribute(id) + `">`)
			continue
		}
		_, _ = w.WriteString(`<span id="` + attribute(id) + `"></span>`)
	}
	if len(ids) == 0 {
		_ = w.WriteByte('>')
	}
	_, err := w.WriteString(v.mathML(f) + "</" + element + ">")
	return err
}

// mathML returns the markup of a formula, or its TeX if it is invalid.
func (v *mathWriter) mathML(f *markdown.Formula) string {
	markup, err := v.Math.Convert(v.ctx, f.Typeset(), f.Display)
	if err != nil {
		return `<code class="unread">` + attribute(f.Source) + `</code>`
	}
	return markup
}
