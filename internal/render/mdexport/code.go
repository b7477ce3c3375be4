package mdexport

import (
	"bytes"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Results are what machines found for a block, as texts for readers.
type Results struct {
	// Summary counts the machines by status, Omitted those that are not among Machines.
	Summary, Omitted string
	Machines         []Result
	// Trouble is set if a status is neither passed nor skipped.
	Trouble bool
}

// A Result is what one machine found.
type Result struct {
	Machine, Status string
	// Details are its date, its GPU, and why it did not pass.
	Details []string
	// Notes are sentences about the result as a whole: that the code has changed since.
	Notes []string
	// Rows are the lines of a gpu block, the combinations of a matrix, or the captured values.
	Rows []Row
}

// A Row is what a machine found for one line or combination of a block, or for a name in its expectation, which has no status.
type Row struct{ Want, Status, Found, Reason string }

// fence edits a block of code, and adds its results below it.
func (e *exporter) fence(f *site.Fence) {
	if f.Stop == 0 {
		return
	}
	r := e.site.Results(f)
	c := f.Cell
	noCode, noOutput := c != nil && c.NoInput(), c != nil && c.NoOutput()
	var below []string
	if c != nil && !noOutput {
		below = e.stored(c)
	}
	if r != nil && (r.Trouble || !noCode || !noOutput) { // shown even if the cell is removed
		below = append(below, e.results(r))
	}
	prefix := e.prefix(f.Pos())
	if last := e.lineAt(f.Stop); last > f.Pos() { // a footnote's own text is indented less than its label is long
		line := string(e.source[last:f.Stop])
		prefix = line[:len(line)-len(strings.TrimLeft(line, " \t>"))]
	}
	switch {
	case noCode:
		e.replace(f.Pos(), f.Stop, prefixed(strings.Join(below, "\n\n"), "", prefix))
		return
	case f.Origin != nil && len(prefix) <= maxPrefix:
		e.replace(f.Pos(), f.Stop, prefixed(Fenced(info(f), f.Code), "", prefix))
	}
	if len(below) == 0 {
		return
	}
	text := "\n\n" + strings.Join(below, "\n\n")
	if _, rest, ok := bytes.Cut(e.source[f.Stop:], []byte("\n")); ok {
		if next, _, _ := bytes.Cut(rest, []byte("\n")); len(bytes.Trim(next, " \t\r>")) > 0 {
			text += "\n" // or the next line would continue the quotation
		}
	}
	e.replace(f.Stop, f.Stop, prefixed(text, "", prefix))
}

// info returns the info string of a fence: the language, and the title in the form that most tools
// read.
func info(f *site.Fence) string {
	if f.Title == "" || strings.ContainsAny(f.Title, "\"`\n") {
		return f.Language
	}
	return strings.TrimSpace(f.Language + ` title="` + f.Title + `"`)
}

// stored returns the outputs that a notebook holds, labelled as such, because nobody has compared
// them.
func (e *exporter) stored(c *notebook.Cell) (parts []string) {
	label := Escape(e.labels.Stored)
	for _, o := range c.Outputs {
		switch {
		case o.Picture != nil:
			parts = append(parts, "!["+label+"]("+Destination(e.site.Address(site.Target{Picture: o.Picture}))+")")
			continue
		case o.Kind == notebook.HTML:
			o.Text = o.Plain
		}
		var b strings.Builder
		for _, s := range notebook.Spans(o.Text) {
			b.WriteString(invisible.Visible(s.Text))
		}
		if strings.TrimSpace(b.String()) != "" {
			parts = append(parts, Fenced("text", b.String()))
		}
	}
	if len(parts) > 0 {
		parts = append([]string{"*" + label + "*"}, parts...)
	}
	return parts
}

// results returns a quotation with a summary and a line for each machine.
func (e *exporter) results(r *Results) string {
	text := "**" + Escape(e.labels.Results) + "**: " + Escape(r.Summary)
	for i, m := range r.Machines {
		if i == 0 {
			text += "\n"
		}
		text += "\n- " + Escape(m.Machine) + ": **" + Escape(m.Status) + "**"
		for _, s := range m.Details {
			if s != "" {
				text += ", " + Escape(s)
			}
		}
		for _, s := range m.Notes {
			text += ". " + Escape(s)
		}
		for _, row := range m.Rows {
			var found []string
			if row.Status != "" {
				found = append(found, Escape(row.Status))
			}
			if row.Found != "" {
				found = append(found, CodeSpan(row.Found))
			}
			if row.Reason != "" {
				found = append(found, Escape(row.Reason))
			}
			text += "\n  - " + CodeSpan(row.Want) + ": " + strings.Join(found, ", ")
		}
	}
	if r.Omitted != "" {
		text += "\n\n" + Escape(r.Omitted)
	}
	return prefixed(text, "> ", "> ")
}
