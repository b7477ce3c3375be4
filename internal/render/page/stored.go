package page

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Notebooks contain outputs that their authors stored, and pictures. Outputs come from wherever the
// notebook was run, so nothing in them is trusted.

// PictureFile returns the name of the published file of a picture.
func PictureFile(p *notebook.Picture) string { return results.PictureFile(p.Data, p.Ext) }

// cell sets the fields of the view of code that depend on its notebook.
func (v *codeWriter) cell(view *theme.CodeView, f *site.Fence) {
	c := f.Cell
	view.Folded, view.NoCode = c.FoldInput(), c.NoInput()
	if !slices.ContainsFunc(c.Attributes, func(a notebook.Attribute) bool { return a.Name == "name" }) {
		view.Name = "" // a random ID of Jupyter means nothing to readers
	}
	if c.NoOutput() {
		return
	}
	stored := &theme.StoredView{Folded: c.FoldOutput(), T: v.t}
	for i, o := range c.Outputs {
		if out, ok := v.stored(o, i+1); ok {
			stored.Outputs = append(stored.Outputs, out)
		}
	}
	if len(stored.Outputs) > 0 {
		view.Stored = stored
	}
}

// isHidden reports whether only the anchor of a cell is left on the page: its author removed it, and no
// machine has a failure. A failure is never hidden.
func isHidden(f *site.Fence, view theme.CodeView) bool {
	if f.Cell == nil || !f.Cell.NoInput() || !f.Cell.NoOutput() {
		return false
	}
	return view.Panel == nil || !standing.Named(view.Panel.Status).Trouble()
}

// stored returns the view of an output, and reports whether it shows anything.
func (v *codeWriter) stored(o notebook.Output, number int) (out theme.StoredOutput, ok bool) {
	out.Kind = string(o.Kind)
	if o.Cut > 0 {
		out.Cut = v.t.Get("cut", "n", strconv.Itoa(o.Cut))
	}
	switch o.Kind {
	case notebook.Drawing:
		out.Picture = &theme.FigureView{URL: nav.Href(v.At.URL(), PictureFile(o.Picture)), Width: o.Picture.Width, Height: o.Picture.Height,
			Alt: v.t.Get("stored_alt", "n", strconv.Itoa(number))}
		return out, true
	case notebook.HTML:
		if out.HTML = Sanitised(o.Text); out.HTML != "" {
			return out, true
		}
		out.Kind, out.Text = string(notebook.Result), coloured(o.Plain)
	case notebook.LaTeX:
		if out.HTML = v.formula(o.Text); out.HTML != "" {
			return out, true
		}
		out.Text = coloured(o.Text)
	default:
		out.Text = coloured(o.Text)
	}
	return out, out.Text != "" || out.Cut != ""
}

// coloured writes the text of a terminal as spans with classes.
func coloured(text string) template.HTML {
	var b strings.Builder
	for _, s := range notebook.Spans(text) {
		body := template.HTMLEscapeString(invisible.Visible(s.Text))
		if s.Class != "" {
			body = `<span class="` + s.Class + `">` + body + `</span>`
		}
		b.WriteString(body)
	}
	return template.HTML(b.String())
}
