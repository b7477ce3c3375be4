package nbexport

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/render/mdexport"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A kernel runs the cells of a notebook.
type kernel struct{ Name, Display, Language string }

var python = kernel{"python3", "Python 3", "python"}

// kernels are those of other languages, by the names of their recipes. The blocks of a page of such a language run in
// its kernel instead of each in a program of its own.
var kernels = map[string]kernel{"r": {"ir", "R", "R"}, "julia": {"julia", "Julia", "julia"}, "octave": {"octave", "Octave", "octave"}}

func (k kernel) metadata() map[string]any {
	return map[string]any{"kernelspec": map[string]string{"display_name": k.Display, "language": k.Language, "name": k.Name},
		"language_info": map[string]string{"name": k.Language}}
}

// kernelFor returns the kernel of a block, or the zero kernel if Python's notebooks have a magic for it.
func kernelFor(b *site.Block) kernel {
	switch {
	case b.Kind == site.Kernel && !strings.HasPrefix(b.Session.Kernel, "python"):
		name := b.Session.Kernel
		for _, k := range kernels {
			if strings.HasPrefix(name+"-", k.Name+"-") { // julia-1.10
				return kernel{name, k.Display, k.Language}
			}
		}
		return kernel{name, name, name}
	case b.Recipe != nil && !b.Recipe.Custom && !b.NoBuild:
		return kernels[b.Recipe.Name]
	case b.Kind == site.Python, b.Kind == site.Pycon, b.Kind == site.Kernel:
		return python
	}
	return kernel{}
}

// kernelOf returns the kernel of most blocks of a page: Python's, if no other has more.
func kernelOf(p *site.Page) kernel {
	most, count := python, map[kernel]int{}
	for _, b := range p.Blocks {
		if k := kernelFor(b); k != (kernel{}) {
			if count[k]++; count[k] > count[most] {
				most = k
			}
		}
	}
	return most
}

// runs reports whether a block can be a cell.
func (k kernel) runs(b *site.Block) bool {
	forBlock := kernelFor(b)
	return b.Kind != site.GPU && b.Kind != site.Sbatch && (forBlock == k || k == python && (forBlock == kernel{} || b.Recipe != nil))
}

// Left returns the first block of a page that only another kernel could run than the one of its notebook. If no block
// runs in it there is no notebook, and it is the first of all.
func Left(p *site.Page) (b *site.Block, kernel string, none bool) {
	k := kernelOf(p)
	cells := slices.IndexFunc(p.Blocks, k.runs)
	for _, b := range p.Blocks {
		if cells < 0 || !k.runs(b) && b.Kind != site.GPU && b.Kind != site.Sbatch {
			return b, k.Display, cells < 0
		}
	}
	return nil, "", cells < 0
}

// isCell reports whether a fence becomes a cell: a block that runs, or one that writes a file.
func (w *writer) isCell(f *site.Fence) bool {
	_, saved := w.saves[f.Pos()]
	return f.Expect == nil && (saved || f.Block != nil && w.kernel.runs(f.Block))
}

// fence writes code: as cells if it runs, else as text.
func (w *writer) fence(f *site.Fence) {
	switch {
	case f.Expect != nil && f.Expect.Stderr:
		w.note("nb_expected_stderr", f.Expect.When.String(), f.Code)
	case f.Expect != nil:
		w.note("nb_expected", f.Expect.When.String(), f.Code)
	case f.Diagram != nil:
		w.put(mdexport.Fenced("mermaid", f.Diagram.Source))
	case !w.isCell(f):
		w.shown(f)
	case f.Block == nil:
		w.flush()
		name := w.saves[f.Pos()].Name
		w.add("code", name, "%%writefile "+name+"\n"+f.Code, w.metadata(f))
	default:
		w.flush()
		w.cell(f)
	}
}

// shown writes code that does not run here.
func (w *writer) shown(f *site.Fence) {
	if f.Cell != nil && f.Cell.NoInput() {
		return
	}
	language, code := strings.ToLower(f.Language), f.Code
	if len(f.Signs) > 0 {
		list := lines(code)
		for i := range min(len(list), len(f.Signs)) {
			list[i] = string(f.Signs[i]) + list[i]
		}
		language, code = "diff", strings.Join(list, "")
	}
	if f.Title != "" {
		w.put("*" + mdexport.Escape(f.Title) + "*")
	}
	w.put(mdexport.Fenced(language, code))
}

// note writes an expected output, with the machines that it is for.
func (w *writer) note(label, machines, output string) {
	if strings.TrimSpace(output) == "" {
		return
	}
	label = "*" + mdexport.Escape(w.t.Get(label)) + "*"
	if machines != "" {
		label += " (" + mdexport.CodeSpan(machines) + ")"
	}
	w.put(label + ":")
	w.put(mdexport.Fenced("text", w.inWords(output)))
}

// inWords returns an expected output with its captures in words.
func (w *writer) inWords(code string) string {
	var b strings.Builder
	for _, p := range match.Pieces(code) {
		if p.Capture == nil {
			b.WriteString(p.Text)
		} else {
			b.WriteString("‹" + p.Words(w.t) + "›")
		}
	}
	return b.String()
}

// cell adds the cells of a block.
func (w *writer) cell(f *site.Fence) {
	b, id, metadata := f.Block, f.Block.Name, w.metadata(f)
	if strings.HasPrefix(id, "#") { // a number in the page
		id = "code-" + w.section
	}
	var c map[string]any
	switch {
	case b.Kind == site.Pycon:
		c = w.pycon(id, b, metadata)
	case b.Kind == site.Bash:
		magic := "%%bash -e" // it stops at the first command that fails, as verify does
		if w.stateful[b.Session] {
			magic += " -s " + b.Session.Name
		}
		c = w.add("code", id, magic+"\n"+b.Code, metadata)
	case b.Recipe != nil && w.kernel == python:
		w.add("code", id+"-file", "%%writefile "+b.Recipe.Source(b.Program())+"\n"+b.Code, metadata)
		c = w.add("code", id, program(b), metadata)
	default:
		c = w.add("code", id, b.Code, metadata)
	}
	if check := w.site.Check(b); check != nil && c != nil {
		c["outputs"] = outputs(check)
	}
}

// raises is nbclient's tag for a cell that raises an exception, and does not end the notebook.
const raises = "raises-exception"

// metadata returns the metadata of a block's cell: the tags of nbclient and of Jupyter Book.
func (w *writer) metadata(f *site.Fence) map[string]any {
	m, tags, count := map[string]any{}, []string{}, len(site.CodeLines(f.Code))
	if f.Cell != nil {
		tags = append(tags, f.Cell.Tags...)
	}
	folded := false // in a solution
	for up := f.Parent(); up != nil && !folded; up = up.Parent() {
		c, ok := up.(*markdown.Callout)
		folded = ok && c.Fold == markdown.Folded
	}
	if folded || slices.ContainsFunc(f.Hidden, func(lines [2]int) bool { return lines[0] == 1 && lines[1] >= count }) {
		tags = append(tags, "hide-input")
	}
	if b := f.Block; b != nil && (b.Recipe == nil || w.kernel != python) && (b.Exit != 0 || slices.ContainsFunc(b.Expects, exits)) {
		tags = append(tags, raises) // on some machines at least
	}
	if slices.Sort(tags); len(tags) > 0 {
		m["tags"] = slices.Compact(tags)
	}
	if f.Cell != nil && f.Cell.FoldInput() || slices.Contains(tags, "hide-input") {
		m["jupyter"] = map[string]any{"source_hidden": true}
	}
	return m
}

var (
	// alternative matches a variable of the shell with the value that it has if it is not set.
	alternative = lazyregexp.New(`\$\{\w+:-([^${}]*)\}`)
	// complicated matches what IPython would change.
	complicated = lazyregexp.New(`[${};]`)
)

// program returns the cell that builds and runs a program. It raises no exception but for another exit code than is
// expected.
func program(b *site.Block) string {
	commands := []string{b.Recipe.Build, b.Recipe.Run}
	if b.NoBuild {
		commands = commands[:1]
	}
	for i, c := range commands {
		commands[i] = strings.Join(strings.Fields(b.Recipe.Expand(alternative.ReplaceAllString(c, "$1"), b.Program(), b.Flags)), " ")
	}
	line := strings.Join(slices.DeleteFunc(commands, func(c string) bool { return c == "" }), " && ")
	wanted := "== " + strconv.Itoa(b.Exit)
	switch {
	case b.NoBuild:
		wanted = "!= 0"
	case slices.ContainsFunc(b.Expects, exits): // it depends on the machine
		wanted = ">= 0"
	}
	if complicated.MatchString(line) {
		return "%%bash\n" + line + "\n(( $? " + wanted + " ))"
	}
	return "!" + line + "\nassert _exit_code " + wanted
}

// exits reports whether an expectation is of an exit code.
func exits(e *site.Expect) bool { return e.Exit != nil }

// pycon adds a cell for each example that prints something, with what it prints below it.
func (w *writer) pycon(id string, b *site.Block, metadata map[string]any) (last map[string]any) {
	code := ""
	for i, e := range b.Examples {
		if code += e.Code; e.Want == "" && i < len(b.Examples)-1 {
			continue
		}
		m := metadata
		if e.Exception != "" {
			tags, _ := metadata["tags"].([]string)
			m = maps.Clone(metadata)
			m["tags"] = append(slices.Clone(tags), raises)
		}
		w.flush()
		last, code = w.add("code", id, code, m), ""
		w.note("nb_expected", "", e.Want)
	}
	return last
}

// outputs returns what a machine found for a block as the outputs of its cell.
func outputs(c *report.Check) []any {
	list := []any{}
	for i, s := range []*report.Stream{c.Stdout, c.Stderr} {
		var b strings.Builder
		for _, span := range notebook.Spans(s.String()) { // without colours
			b.WriteString(span.Text)
		}
		if b.Len() > 0 {
			list = append(list, map[string]any{"output_type": "stream", "name": [...]string{"stdout", "stderr"}[i], "text": lines(b.String())})
		}
	}
	types := map[report.Form]string{report.PNG: "image/png", report.JPEG: "image/jpeg", report.SVG: "image/svg+xml", report.HTML: "text/html", report.LaTeX: "text/latex"}
	for _, f := range c.Figures {
		var data any = lines(string(f.Data()))
		if f.Form() == report.PNG || f.Form() == report.JPEG {
			data = f.Data() // base64 in JSON
		}
		list = append(list, map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{types[f.Form()]: data}})
	}
	return list
}
