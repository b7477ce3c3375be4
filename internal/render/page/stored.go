package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Notebooks contain outputs that their authors stored, and pictures. Outputs come from wherever the
// notebook was run, so nothing in them is trusted.

// PictureFile returns the name of the published file of a picture.
func PictureFile(p *notebook.Picture) string {
	sum := sha256.Sum256(p.Data)
	return path.Join(results.FigureDir, hex.EncodeToString(sum[:16])+"."+p.Ext)
}

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

// quiet reports whether only the anchor of a cell is left on the page: its author removed it, and no
// machine has a failure. A failure is never hidden.
func quiet(f *site.Fence, view theme.CodeView) bool {
	if f.Cell == nil || !f.Cell.NoInput() || !f.Cell.NoOutput() {
		return false
	}
	return view.Panel == nil || slices.Contains([]string{results.None, results.Passed, results.Skipped}, view.Panel.Status)
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
		if out.HTML = v.storedHTML(o.Text); out.HTML != "" {
			return out, true
		}
		out.Kind, out.Text = string(notebook.Result), coloured(o.Plain)
	case notebook.LaTeX:
		if out.HTML = v.storedFormula(o.Text); out.HTML != "" {
			return out, true
		}
		out.Text = coloured(o.Text)
	default:
		out.Text = coloured(o.Text)
	}
	return out, out.Text != "" || out.Cut != ""
}

// storedHTML sanitises the HTML of an output more strictly than an author's: it must not look like a
// part of the page, nor load anything. It is empty if no text is left, as for a script that would have
// drawn something.
func (v *codeWriter) storedHTML(raw string) template.HTML {
	var out bytes.Buffer
	w := rawHTML{resolve: func(address string) string { return address }, size: func(string) (int, int) { return 0, 0 }}
	w.write(&out, []byte(raw))
	w.Finish(&out)
	var b strings.Builder
	text := false
	for z := html.NewTokenizer(&out); z.Next() != html.ErrorToken; {
		t := z.Token()
		if t.Data == "img" || t.Data == "source" || t.Data == "picture" || t.Data == "video" || t.Data == "audio" {
			continue
		}
		if t.Type == html.TextToken {
			text = text || strings.TrimSpace(t.Data) != ""
			t.Data = invisible.Visible(t.Data)
		}
		t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool {
			return a.Key == "class" || a.Key == "id" || a.Key == "name" || a.Key == "align" || a.Key == "href" && !outside(a.Val)
		})
		for i, a := range t.Attr { // titles are shown too
			t.Attr[i].Val = invisible.Visible(a.Val)
		}
		b.WriteString(t.String())
	}
	if !text {
		return ""
	}
	return template.HTML(b.String())
}

// formulaMarks are the delimiters of formulas in outputs.
var formulaMarks = [][2]string{{"$$", "$$"}, {`\[`, `\]`}, {"$", "$"}, {`\(`, `\)`}}

// storedFormula converts LaTeX that is one formula. It is empty for anything else, such as a table,
// and for invalid formulas: their source is shown.
func (v *codeWriter) storedFormula(latex string) template.HTML {
	tex := strings.TrimSpace(latex)
	marked := strings.HasPrefix(tex, `\begin{`)
	for _, m := range formulaMarks {
		if within, ok := strings.CutPrefix(tex, m[0]); ok && !marked {
			tex, marked = strings.CutSuffix(within, m[1])
			break
		}
	}
	if !marked {
		return ""
	}
	markup, err := v.Math.Convert(v.ctx, strings.TrimSpace(tex), true)
	if err != nil {
		return ""
	}
	return template.HTML(`<div class="math">` + markup + `</div>`)
}

// outside reports whether an address leads out of the site. A relative address in an output refers to
// a file beside the program.
func outside(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
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
