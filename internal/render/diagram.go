package render

import (
	"context"
	"errors"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/diagram"
)

func diagramFaults(ctx context.Context, p *content.Page, d *diagram.Drawer, known bool) (diags diag.List, err error) {
	for _, g := range p.Diagrams {
		if known && !d.Known(g.Source) {
			continue
		}
		_, err := d.Draw(ctx, g.Source)
		var fault *diagram.Error
		switch {
		case err == nil:
		case errors.As(err, &fault):
			start, stop := g.Place(p.Source.Data, fault.Line)
			w := p.Source.Warning(start, stop, diag.Say("this diagram cannot be drawn: %s", fault.Message), diag.Say("the page shows its source; https://mermaid.js.org has the syntax"))
			w.Rule = "diagram"
			diags.Add(w)
		default:
			return nil, err
		}
	}
	return diags, nil
}

// diagram writes a drawing with its source, or the source alone as code where it
// cannot be drawn.
func (v *pageWriter) diagram(w util.BufWriter, f *content.Fence) (ast.WalkStatus, error) {
	code := v.r.colours.html(f.Language, f.Code)
	drawing, err := v.r.drawer.Draw(v.r.ctx, f.Diagram.Source)
	if err != nil {
		return v.part(w, "code", CodeView{Language: f.Language, Title: f.Title, T: v.t, Code: code})
	}
	v.diagrams++
	name := f.Title
	if name == "" {
		name = v.t.Get("diagram")
	}
	svg := drawing.SVG(fmt.Sprintf("diagram-%d", v.diagrams), name)
	return v.part(w, "diagram", DiagramView{Title: f.Title, SVG: template.HTML(svg), Source: code, T: v.t}) //nolint:gosec // made by diagram, of allowed elements
}
