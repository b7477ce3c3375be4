package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// code writes a fence, and what the machines found below it.
func (w *twin) code(n ast.Node) (text string, ok bool) {
	f, ok := n.(*content.Fence)
	if !ok {
		return "", false
	}
	view := CodeView{}
	if f.Cell != nil {
		view.NoCode = f.Cell.NoInput()
	}
	if b := measured(f); b != nil {
		view.Panel = w.panel(b)
	}
	if quiet(f, view) {
		return "", true
	}
	parts := []string{w.says(f)}
	switch {
	case f.Diagram != nil:
		parts = append(parts, fenced("mermaid", f.Code))
	case f.Missing != "":
		parts = append(parts, escaped(w.t.Get("code_missing", "name", f.Missing)))
	case !view.NoCode:
		parts = append(parts, fenced(infoOf(f), signed(f)))
	}
	if f.Cell != nil && !f.Cell.NoOutput() {
		parts = append(parts, w.storedOutputs(f.Cell)...)
	}
	if view.Panel != nil {
		parts = append(parts, w.found(view.Panel))
	}
	return joined(parts, "\n\n"), true
}

// says is what the page shows on the strip of the code: what it needs, that it is expected.
func (w *twin) says(f *content.Fence) string {
	var parts []string
	if f.Expect != nil {
		parts = append(parts, "*"+escaped(w.t.Get("expected"))+"*")
		if when := f.Expect.When.String(); when != "" {
			parts = append(parts, escaped(w.t.Get("when"))+" "+codeSpan(when))
		}
	}
	if f.Block != nil {
		if needs := f.Block.Needs.String(); needs != "" {
			parts = append(parts, "*"+escaped(w.t.Get("needs"))+"* "+codeSpan(needs))
		}
	}
	return strings.Join(parts, " ")
}

// infoOf is the language of the code, and its title as most tools read it.
func infoOf(f *content.Fence) string {
	info := f.Language
	if len(f.Signs) > 0 {
		info = "diff"
	}
	if f.Title != "" && !strings.ContainsAny(f.Title, "\"`\n") {
		info = strings.TrimSpace(info + ` title="` + f.Title + `"`)
	}
	return info
}

// signed is the code, with the signs of a diff before its lines.
func signed(f *content.Fence) string {
	if len(f.Signs) == 0 {
		return f.Code
	}
	list := strings.SplitAfter(f.Code, "\n")
	for i := range list {
		if i < len(f.Signs) && list[i] != "" {
			list[i] = string(f.Signs[i]) + list[i]
		}
	}
	return strings.Join(list, "")
}

// storedOutputs are those that a notebook holds, named as such: nobody has compared them.
func (w *twin) storedOutputs(c *notebook.Cell) (parts []string) {
	for _, o := range c.Outputs {
		switch {
		case o.Picture != nil:
			parts = append(parts, "!"+w.linkTo(escaped(w.t.Get("stored")), w.r.link(w.from, pictureFile(o.Picture)), ""))
			continue
		case o.Kind == notebook.HTML:
			o.Text = o.Plain
		}
		var b strings.Builder
		for _, s := range notebook.Spans(o.Text) {
			b.WriteString(visible(s.Text))
		}
		if strings.TrimSpace(b.String()) != "" {
			parts = append(parts, fenced("text", b.String()))
		}
	}
	if len(parts) > 0 {
		parts = append([]string{"*" + escaped(w.t.Get("stored")) + "*"}, parts...)
	}
	return parts
}

// found sums up what the machines found for a block.
func (w *twin) found(p *PanelView) string {
	text := "**" + escaped(w.t.Get("machines")) + "**: " + escaped(p.Summary)
	var items []string
	for _, r := range p.Results {
		items = append(items, w.onMachine(r))
	}
	return prefixed(joined([]string{text, strings.Join(items, "\n"), escaped(p.Left)}, "\n\n"), "> ", "> ")
}

// onMachine is one machine's: "- deepnine: **passed**, 21 Nov 2026".
func (w *twin) onMachine(r ResultView) string {
	parts := []string{"**" + escaped(r.StatusText) + "**"}
	for _, s := range []string{r.Date, r.GPU, r.Reason} {
		if s != "" {
			parts = append(parts, escaped(s))
		}
	}
	text := "- " + escaped(r.Machine) + ": " + strings.Join(parts, ", ")
	if r.Stale {
		text += ". " + escaped(w.t.Get("stale_note"))
		if r.WasText != "" {
			text += " " + escaped(w.t.Get("stale_was", "was", r.WasText))
		}
	}
	if r.Status == statusAltered {
		text += ". " + escaped(w.t.Get("altered_note"))
	}
	for _, row := range r.Rows {
		text += "\n  - " + codeSpan(row.Want) + ": " + escaped(row.StatusText)
		if row.Found != "" {
			text += ", " + codeSpan(row.Found)
		}
		if row.Reason != "" {
			text += ", " + escaped(row.Reason)
		}
	}
	return text
}
