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
		edits = append(edits, p.flatCell(c, lines))
	}
	p.src.apply(edits)
}

// flatCell returns the edit that makes fences of a cell.
func (p *page) flatCell(c flatCell, lines []line) edit {
	code, output := p.text(lines[c.code.first:c.code.end]), p.text(lines[c.text.first:c.text.end])
	if m := resultForm.FindString(output); m != "" { // Out[1]: is removed, and its line if nothing follows
		output = output[len(m):]
		if c.text.lines() > 1 {
			output = strings.TrimPrefix(strings.TrimPrefix(output, "\r"), "\n")
		}
	}
	language, info := "python", "{run session="+notebook.Session+"}"
	if shellOnly(code) {
		language, info, code = "bash", "{run}", withoutBangs(code)
	}
	run := p.options.Run && !installs(code)
	expect := run && output != "" && deterministic(code, strings.TrimRight(output, "\r\n"))

	what := diag.Say("import.flattened-code", "number", c.number, "lines", lineCount(c.code.lines()))
	if output != "" {
		what = diag.Say("import.flattened-output", "what", what, "lines", lineCount(c.text.lines()))
	}
	switch {
	case expect:
		what = diag.Say("import.output-stable", "what", what)
	case !run:
		what = diag.Say("import.run-info", "what", what, "language", language, "info", info)
	}
	prompt := lines[c.prompt]
	comment := p.guess(c.sure, prompt.start, prompt.stop, what, diag.Say("import.flattened-hint"))

	open := language
	if run {
		open += " " + info
	}
	var between []line // code and output, without IPython's last "...:"
	for i := c.code.end; i < c.text.first; i++ {
		if lines[i].start == lines[i-1].next {
			between = append(between, lines[i])
		}
	}
	text := comment + p.eol + p.fenced(open, code) + p.text(between)
	switch {
	case expect:
		text += p.fenced("text {expect}", output)
	case output != "":
		text += p.fenced("text", output)
	}
	return edit{prompt.start, lines[c.text.end-1].next, text}
}

// text returns lines with their line ends.
func (p *page) text(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.Write(p.src.data[l.start:l.next])
	}
	return b.String()
}

// fenced returns lines in a fence.
func (p *page) fenced(info, text string) string {
	if !strings.HasSuffix(text, "\n") { // the end of the file
		text += p.eol
	}
	fence := fenceFor(text)
	return fence + info + p.eol + text + fence + p.eol
}

func lineCount(n int) diag.Text {
	if n == 1 {
		return diag.Say("import.one-line")
	}
	return diag.Say("import.lines", "n", n)
}
