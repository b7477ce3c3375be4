package textout

import (
	"cmp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// stored writes the outputs that a notebook holds, labelled as such, because nobody has compared them.
func (w *writer) stored(c *notebook.Cell) {
	label := Escape(w.Text.Get("stored"))
	for i, o := range c.Outputs {
		if i == 0 {
			w.put("*" + label + "*")
		}
		if o.Picture != nil {
			w.put("!" + link(label, w.address(site.Target{Picture: o.Picture})))
			continue
		}
		if o.Kind == notebook.HTML {
			o.Text = o.Plain
		}
		var b strings.Builder
		for _, s := range notebook.Spans(o.Text) {
			b.WriteString(invisible.Visible(s.Text))
		}
		if strings.TrimSpace(b.String()) != "" {
			w.put(fenced("text", b.String()))
		}
	}
}

// results writes what machines found for the block of a fence: a quotation with a summary and a line for each machine.
func (w *writer) results(f *site.Fence) {
	b := page.ResultBlock(f)
	if b == nil {
		return
	}
	p := w.Results.Panel(b)
	if c := f.Cell; c != nil && c.NoInput() && c.NoOutput() && !standing.Named(p.Status).Trouble() {
		return
	}
	var lines []string
	for _, m := range p.Results {
		lines = append(lines, w.machine(m))
		for _, row := range m.Rows {
			lines = append(lines, finding(row.Want, row.StatusText, w.Text.Amount(row.Found), row.Reason))
		}
		for _, c := range m.Combinations {
			n := len(m.Parameters)
			values, found := assignments(m.Parameters, c.Cells[:n]), assignments(m.Values, c.Cells[n:])
			lines = append(lines, finding(values, c.StatusText, found, c.Reason))
		}
		for _, c := range m.Captures {
			lines = append(lines, finding(c.Name, "", strings.TrimSpace(c.Value+" "+c.Unit), ""))
		}
	}
	w.quote(bold(Escape(w.Text.Get("machines")))+": "+Escape(p.Summary), func() {
		w.put(strings.Join(lines, "\n"))
		w.put(Escape(p.Omitted))
	})
}

// machine returns the line of a machine: its status, its date, its GPU, and why it did not pass.
func (w *writer) machine(m theme.ResultView) string {
	line := "- " + Escape(m.Label) + ": " + bold(Escape(m.StatusText))
	for _, detail := range []string{m.Date, m.GPU, m.Reason, m.Build} {
		if detail != "" {
			line += ", " + Escape(detail)
		}
	}
	if m.Stale {
		line += ". " + Escape(w.Text.Get("stale_note"))
	}
	if m.Stale && m.WasText != "" {
		line += " " + Escape(w.Text.Get("stale_was", "was", m.WasText))
	}
	if m.Status == standing.Altered.String() {
		line += ". " + Escape(w.Text.Get("altered_note"))
	}
	return line
}

// finding returns the line for a line of a gpu block, a combination of a matrix, or a captured value, which has no status.
func finding(want, status, found, reason string) string {
	var parts []string
	if status != "" {
		parts = append(parts, Escape(status))
	}
	if found != "" {
		parts = append(parts, codeSpan(found))
	}
	if reason != "" {
		parts = append(parts, Escape(reason))
	}
	return "  - " + codeSpan(want) + ": " + strings.Join(parts, ", ")
}

// assignments returns names with their values: "n=1024 dtype=float32".
func assignments(names, values []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name + "=" + values[i]
	}
	return strings.Join(list, " ")
}

// machines writes what :::machines shows, a line for each machine.
func (w *writer) machines() {
	view := w.Results.Table()
	var list []string
	for _, m := range view.Machines {
		var facts []string
		for _, fact := range [][2]string{
			{w.Text.Get("fact_gpu"), m.GPU},
			{w.Text.Get("fact_driver"), m.Driver},
			{"CUDA", m.CUDA},
			{w.Text.Get("fact_system"), m.OS},
			{w.Text.Get("fact_date"), m.Date},
		} {
			facts = append(facts, Escape(fact[0]+" "+cmp.Or(fact[1], "–")))
		}
		list = append(list, "- "+Escape(m.Name)+": "+strings.Join(facts, "; "))
	}
	for _, name := range view.Unreadable {
		list = append(list, "- "+Escape(name+": "+w.Text.Get("machine_unreadable")))
	}
	w.put(cmp.Or(strings.Join(list, "\n"), Escape(w.Text.Get("summary_none"))))
}

// workList returns the list of the works that the page cites.
func (w *writer) workList() string {
	w.listed = true
	var list []string
	for _, work := range w.works.Works() {
		list = append(list, "- "+w.works.Entry(work)) // HTML within a line is Markdown too
	}
	return strings.Join(list, "\n")
}
