package page

import (
	"cmp"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// diagram writes a drawing with its source, or only the source as code if it cannot be drawn.
func (v *codeWriter) diagram(w util.BufWriter, f *site.Fence) error {
	code := v.Highlighter.HTML(f.Language, f.Code)
	drawing, err := v.Diagrams.Draw(v.ctx, f.Diagram.Source)
	if err != nil {
		return v.part(w, "code", theme.CodeView{Language: f.Language, Title: f.Title, T: v.t, Code: code})
	}
	v.diagrams++
	svg := drawing.SVG(fmt.Sprintf("diagram-%d", v.diagrams), cmp.Or(f.Title, v.t.Get("diagram")))
	view := theme.DiagramView{Title: f.Title, Source: code, T: v.t}
	view.SVG = template.HTML(svg) //nolint:gosec // made by diagram, of allowed elements
	return v.part(w, "diagram", view)
}
