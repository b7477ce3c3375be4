package importer

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// flattened converts the cells of a flattened notebook.
func (p *page) flattened() {
	if IsNotebook(p.name) {
		return
	}
	cells, lines := flatCells(p.src.data)
	var edits []edit
	for _, c := range cells {
		edits = append(edits, p.flatCell(c, lines)...)
	}
	p.src.apply(edits)
}

func (p *page) flatCell(c flatCell, lines []line) []edit {
	text := func(s span) string {
		if s.lines() == 0 {
			return ""
		}
		return string(p.src.data[lines[s.first].start:lines[s.end-1].stop])
	}
	code, output := text(c.code), text(c.text)
	language, info := "python", "{run session="+notebook.Session+"}"
	shell := shellOnly(code)
	if shell {
		language, info = "bash", "{run}"
	}
	run := p.options.Run && !installs(code)
	expect := run && c.text.lines() > 0 && deterministic(code, output)

	what := diag.Say("import.flattened-code", "number", c.number, "lines", lineCount(c.code.lines()))
	if c.text.lines() > 0 {
		what = diag.Say("import.flattened-output", "what", what, "lines", lineCount(c.text.lines()))
	}
	switch {
	case expect:
		what = diag.Say("import.output-stable", "what", what)
	case !run:
		what = diag.Say("import.run-info", "what", what, "language", language, "info", info)
	}
	at, stop := lines[c.prompt].start, lines[c.prompt].stop
	m := p.guess(c.sure, at, stop, what, diag.Say("import.flattened-hint"))

	fence := fenceFor(code)
	open := fence + language
	if run {
		open += " " + info
	}
	open = m + p.eol + open
	if next := lines[c.prompt].next; lines[c.code.first].stop >= next && p.src.data[next-1] != '\n' { // code on the same line as its prompt
		stop, open = next, open+p.eol
	}
	edits := []edit{{at, stop, open}}
	for i := c.code.first; i < c.code.end; i++ {
		if before := lines[i-1].next; before < lines[i].start {
			edits = append(edits, edit{before, lines[i].start, ""})
		}
	}
	for i := c.code.end; i < len(lines) && lines[i-1].next < lines[i].start && lines[i].start == lines[i].stop; i++ { // IPython's last "...:"
		edits = append(edits, edit{lines[i-1].next, lines[i].next, ""})
	}
	if shell {
		for i := c.code.first; i < c.code.end; i++ {
			if b := lines[i].start + strings.Index(string(p.src.data[lines[i].start:lines[i].stop]), "!"); b >= lines[i].start {
				edits = append(edits, edit{b, b + 1, ""})
			}
		}
	}
	edits = append(edits, p.closing(lines[c.code.end-1], fence))
	if c.text.lines() == 0 {
		return edits
	}
	first := lines[c.text.first]
	if m := resultForm.FindString(string(p.src.data[first.start:first.stop])); m != "" { // Out[1]: is removed
		end := first.start + len(m)
		if end == first.stop && c.text.lines() > 1 {
			end = first.next
		}
		edits = append(edits, edit{first.start, end, ""})
	}
	fence = fenceFor(output)
	info = "text"
	if expect {
		info = "text {expect}"
	}
	return append(edits, edit{first.start, first.start, fence + info + p.eol}, p.closing(lines[c.text.end-1], fence))
}

// closing returns the edit that closes a fence after a line.
func (p *page) closing(l line, fence string) edit {
	if l.next == l.stop { // the last line has no line end
		return edit{l.next, l.next, p.eol + fence + p.eol}
	}
	return edit{l.next, l.next, fence + p.eol}
}

func lineCount(n int) diag.Text {
	if n == 1 {
		return diag.Say("import.one-line")
	}
	return diag.Say("import.lines", "n", n)
}
