package page

import (
	"bytes"
	"context"
	"html/template"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Snippets display HTML and LaTeX. They come from reports and notebooks, so nothing in them is trusted.

// displays sets the HTML of what blocks displayed.
func (v *codeWriter) displays(p *theme.PanelView) {
	for _, r := range p.Results {
		for i := range r.Displays {
			if d := &r.Displays[i]; d.Picture == nil {
				d.HTML = DisplayHTML(v.ctx, v.Math, report.Form(d.Form), d.Source)
			}
		}
	}
}

// DisplayHTML returns HTML that is safe on any page for HTML or LaTeX that a snippet displayed. It is
// empty if nothing is left, or if the LaTeX is no formula.
func DisplayHTML(ctx context.Context, math *tex.Converter, form report.Form, source string) template.HTML {
	if form == report.LaTeX {
		return formulaHTML(ctx, math, source)
	}
	return Sanitised(source)
}

// Elements of outputs that are left out, and attributes that are kept. A heading would be one of the
// page, and a landmark would lead away from its text.
var (
	notShown = strings.Fields("img source picture video audio track map area main nav header footer address menu")
	headings = strings.Fields("h1 h2 h3 h4 h5 h6")
	kept     = strings.Fields("title dir lang rowspan colspan scope href start reversed value open datetime width min max low high optimum")
)

// Sanitised sanitises the HTML of an output more strictly than an author's: it must not look like a
// part of the page, nor load anything. It is empty if no text is left, as for a script that would have
// drawn something.
func Sanitised(raw string) template.HTML {
	var out bytes.Buffer
	w := rawHTML{resolve: func(address string) string { return address }, size: func(string) (int, int) { return 0, 0 }}
	w.write(&out, []byte(raw))
	w.Finish(&out)
	var b strings.Builder
	text := false
	for z := html.NewTokenizer(&out); z.Next() != html.ErrorToken; {
		t := z.Token()
		if t.Type != html.TextToken && slices.Contains(notShown, t.Data) {
			continue
		}
		if t.Type == html.TextToken {
			text = text || strings.TrimSpace(t.Data) != ""
			t.Data = invisible.Visible(t.Data)
		}
		t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool {
			return !slices.Contains(kept, a.Key) || a.Key == "href" && !outside(a.Val)
		})
		for i, a := range t.Attr { // titles are shown too
			t.Attr[i].Val = invisible.Visible(a.Val)
		}
		if t.Type != html.TextToken && slices.Contains(headings, t.Data) {
			t.Data, t.Attr = "div", nil
			if t.Type == html.StartTagToken {
				t.Attr = []html.Attribute{{Key: "class", Val: "output-heading"}}
			}
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

// formula converts LaTeX in the page's text.
func (v *codeWriter) formula(latex string) template.HTML { return formulaHTML(v.ctx, v.Math, latex) }

// formulaHTML converts LaTeX that is one formula. It is empty for anything else, such as a table,
// and for invalid formulas: their source is shown.
func formulaHTML(ctx context.Context, math *tex.Converter, latex string) template.HTML {
	formula := strings.TrimSpace(latex)
	marked := strings.HasPrefix(formula, `\begin{`)
	for _, m := range formulaMarks {
		if within, ok := strings.CutPrefix(formula, m[0]); ok && !marked {
			formula, marked = strings.CutSuffix(within, m[1])
			break
		}
	}
	if !marked {
		return ""
	}
	markup, err := math.Convert(ctx, strings.TrimSpace(formula), true)
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
