package textout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A kernel runs the cells of a notebook.
type kernel struct{ Name, Display, Language string }

var python = kernel{"python3", "Python 3", "python"}

// kernels are those of other languages, by the names of their recipes. The blocks of a page of such a language run in
// its kernel instead of each in a program of its own.
var kernels = map[string]kernel{"r": {"ir", "R", "R"}, "julia": {"julia", "Julia", "julia"}, "octave": {"octave", "Octave", "octave"}}

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
		count[kernelFor(b)]++
	}
	for _, b := range p.Blocks {
		if k := kernelFor(b); k != (kernel{}) && count[k] > count[most] {
			most = k
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

// An ipynb is what a writer has written of a notebook, in nbformat 4.5:
// https://nbformat.readthedocs.io/en/latest/format_description.html.
//
// The same page gives the same bytes. The id of a cell is the name of its block, or else that of its section with a
// number, so an edit in a section changes no id in another.
type ipynb struct {
	kernel  kernel
	cells   []map[string]any
	ids     map[string]int
	section string
	// saves are the blocks that write files, by position, and holders the blocks that contain code cells.
	saves   map[int]site.SavedFile
	holders map[ast.Node]bool
	// stateful are the bash sessions whose state is carried from cell to cell.
	stateful map[*site.Session]bool
}

// Notebook returns the notebook of a page.
func Notebook(in Input) ([]byte, error) {
	w := newWriter(in)
	n := &ipynb{
		kernel:   kernelOf(in.Page),
		ids:      map[string]int{},
		saves:    map[int]site.SavedFile{},
		holders:  map[ast.Node]bool{},
		stateful: map[*site.Session]bool{},
	}
	w.notebook = n
	w.setup()
	for _, f := range markdown.Find[*site.Fence](in.Page.Doc()) {
		if n.isCell(f) {
			for up := f.Parent(); up != nil && !n.holders[up]; up = up.Parent() {
				n.holders[up] = true
			}
		}
	}
	w.whole()
	if address := w.address(site.Target{Page: in.Page}); strings.Contains(address, "://") {
		w.put("---\n\n" + in.Text.Get("nb_page", "page", link(Escape(in.Page.Title), address)))
	}
	w.flush()
	metadata := map[string]any{
		"kernelspec":    map[string]string{"display_name": n.kernel.Display, "language": n.kernel.Language, "name": n.kernel.Name},
		"language_info": map[string]string{"name": n.kernel.Language},
	}
	return text.JSON(map[string]any{"cells": n.cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, " ")
}

// Clean returns a notebook that is a page as it is published: without the metadata of gpudocs.
func Clean(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // as they are written
	var n map[string]any
	if err := d.Decode(&n); err != nil {
		return nil, err
	}
	cells, _ := n["cells"].([]any)
	for _, holder := range append(cells, n) {
		if m, ok := holder.(map[string]any); ok {
			if metadata, ok := m["metadata"].(map[string]any); ok {
				delete(metadata, "gpudocs")
			}
		}
	}
	return text.JSON(n, " ")
}

// lines splits a text as nbformat stores it: in lines with their ends.
func lines(s string) []string {
	return slices.AppendSeq([]string{}, strings.Lines(s))
}

// notInID matches what the id of a cell cannot have.
var notInID = lazyregexp.New(`[^A-Za-z0-9_-]+`)

// add adds a cell, with a number after its id if another has it.
func (n *ipynb) add(kind, id, source string, metadata map[string]any) map[string]any {
	id = strings.Trim(notInID.ReplaceAllString(id, ""), "-")
	id = cmp.Or(id[:min(len(id), 50)], kind) // of a name without such letters nothing is left
	free := id
	for n.ids[free] > 0 {
		n.ids[id]++
		free = id + "-" + strconv.Itoa(n.ids[id])
	}
	n.ids[free]++
	c := map[string]any{"cell_type": kind, "id": free, "metadata": metadata, "source": lines(strings.TrimRight(source, "\n"))}
	if kind == "code" {
		c["execution_count"], c["outputs"] = nil, []any{}
	}
	n.cells = append(n.cells, c)
	return c
}

// flush ends the cell of text.
func (w *writer) flush() {
	if w.text.Len() > 0 {
		w.notebook.add("markdown", "text-"+w.notebook.section, w.text.String(), map[string]any{})
	}
	w.text.Reset()
	w.glued = false
	for i := range w.levels { // indentation would make code of what goes on in the next cell
		w.levels[i].rest = strings.TrimLeft(w.levels[i].rest, " ")
	}
}

// isCell reports whether a fence becomes a cell: a block that runs, or one that writes a file. In an export none does.
func (n *ipynb) isCell(f *site.Fence) bool {
	if n == nil || f.Expect != nil {
		return false
	}
	_, saved := n.saves[f.Pos()]
	return saved || f.Block != nil && n.kernel.runs(f.Block)
}

// holds reports whether code cells are in a block.
func (n *ipynb) holds(block ast.Node) bool { return n != nil && n.holders[block] }

// cell adds the cells of a block.
func (w *writer) cell(f *site.Fence) {
	w.flush()
	n, b, metadata := w.notebook, f.Block, w.notebook.metadata(f)
	if b == nil {
		name := n.saves[f.Pos()].Name
		n.add("code", name, "%%writefile "+name+"\n"+f.Code, metadata)
		return
	}
	id := b.Name
	if strings.HasPrefix(id, "#") { // a number in the page
		id = "code-" + n.section
	}
	var c map[string]any
	switch {
	case b.Kind == site.Pycon:
		c = w.pycon(id, b, metadata)
	case b.Kind == site.Bash:
		magic := "%%bash -e" // it stops at the first command that fails, as verify does
		if n.stateful[b.Session] {
			magic += " -s " + b.Session.Name
		}
		c = n.add("code", id, magic+"\n"+b.Code, metadata)
	case b.Recipe != nil && n.kernel == python:
		n.add("code", id+"-file", "%%writefile "+b.Recipe.Source(b.Program())+"\n"+b.Code, metadata)
		c = n.add("code", id, program(b), metadata)
	default:
		c = n.add("code", id, b.Code, metadata)
	}
	if check := w.Outputs(b); check != nil && c != nil {
		c["outputs"] = outputs(check)
	}
}

// raises is nbclient's tag for a cell that raises an exception, and does not end the notebook.
const raises = "raises-exception"

// metadata returns the metadata of a block's cell: the tags of nbclient and of Jupyter Book.
func (n *ipynb) metadata(f *site.Fence) map[string]any {
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
	if b := f.Block; b != nil && (b.Recipe == nil || n.kernel != python) && (b.Exit != 0 || slices.ContainsFunc(b.Expects, exits)) {
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
		last, code = w.notebook.add("code", id, code, m), ""
		w.expected(nil, e.Want)
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
			name := [...]string{"stdout", "stderr"}[i]
			list = append(list, map[string]any{"output_type": "stream", "name": name, "text": lines(b.String())})
		}
	}
	types := map[report.Form]string{
		report.PNG:   "image/png",
		report.JPEG:  "image/jpeg",
		report.SVG:   "image/svg+xml",
		report.HTML:  "text/html",
		report.LaTeX: "text/latex",
	}
	for _, f := range c.Figures {
		var data any = lines(string(f.Data()))
		if f.Form() == report.PNG || f.Form() == report.JPEG {
			data = f.Data() // base64 in JSON
		}
		shown := map[string]any{types[f.Form()]: data}
		list = append(list, map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": shown})
	}
	return list
}
