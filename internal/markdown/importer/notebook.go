package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A cellWriter writes the cells of a notebook as Markdown.
type cellWriter struct {
	p     *page
	nb    *notebook.Notebook
	b     bytes.Buffer
	line  int // the next line
	cells []diag.Cell
	stem  string // the folder for pictures
}

// notebook sets the text of a notebook.
func (p *page) notebook(data []byte) bool {
	nb, diags := notebook.Read(p.name, data)
	p.result.Diags.Add(diags...)
	if nb == nil {
		return false
	}
	w := &cellWriter{p: p, nb: nb, line: 1, stem: strings.TrimSuffix(path.Base(p.name), path.Ext(p.name)) + "_files"}
	w.frontMatter()
	for i := range nb.Cells {
		w.cell(i+1, &nb.Cells[i])
	}
	p.src = newSource(bytes.TrimRight(w.b.Bytes(), "\n"))
	p.src.data = append(p.src.data, '\n')
	p.file = diag.NewCells(p.name, p.src.data, w.cells)
	return true
}

func (w *cellWriter) write(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
		w.line += strings.Count(s, "\n")
	}
}

// frontMatter writes the notebook's metadata.gpudocs, one key on each line: JSON is YAML.
func (w *cellWriter) frontMatter() {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(w.nb.Page, &keys) // faults are reported when the page is read
	if keys == nil {
		keys = map[string]json.RawMessage{}
	}
	if _, has := keys["title"]; !has && w.nb.Title != "" {
		title, _ := json.Marshal(w.nb.Title)
		keys["title"] = title
	}
	if len(keys) == 0 {
		return
	}
	w.write("---\n")
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		var one bytes.Buffer
		_ = json.Compact(&one, keys[k])
		w.write(k, ": ", one.String(), "\n")
	}
	w.write("---\n\n")
}

// say adds a diagnostic about a cell.
func (w *cellWriter) say(s diag.Severity, cell int, message, hint diag.Text) {
	w.p.result.Diags.Add(diag.Diagnostic{Severity: s, File: w.p.name, Cell: cell, Message: message, Hint: hint})
}

func (w *cellWriter) guess(cell int, what, hint diag.Text) string {
	w.say(diag.Notice, cell, diag.Say("import.guess", "what", what), hint)
	w.p.result.Guesses++
	return mark(what.String())
}

func (w *cellWriter) cell(number int, c *notebook.Cell) {
	w.attachments(c)
	switch {
	case strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0:
		w.cells = append(w.cells, diag.Cell{First: w.line, Base: w.line - 1})
	case c.Kind == notebook.Code:
		w.code(number, c)
	case c.Kind == notebook.Markdown, c.Format == "text/markdown", c.Format == "text/html":
		w.cells = append(w.cells, diag.Cell{First: w.line, Base: w.line - 1})
		text := strings.TrimRight(c.Source, "\n") + "\n"
		w.write(text, unclosed(text), "\n")
	default:
		w.cells = append(w.cells, diag.Cell{First: w.line, Base: w.line - 1})
		w.say(diag.Warning, number, diag.Say("import.raw-cell"), diag.Say("import.raw-cell-hint"))
	}
}

// unclosed returns the line that closes the fence that a cell leaves open, if any. In the notebook
// it ends with the cell.
func unclosed(text string) string {
	var f fenceState
	for _, l := range linesOf([]byte(text)) {
		f.inside(text[l.start:l.stop])
	}
	if f.mark == "" {
		return ""
	}
	return f.mark + "\n"
}

func (w *cellWriter) code(number int, c *notebook.Cell) {
	language := c.Language
	if language == "" {
		language = w.nb.Language
	}
	python := w.nb.Python() && c.Language == "" || strings.HasPrefix(strings.ToLower(c.Language), "python")
	if python {
		language = "python"
	}
	attributes, runs := cellAttributes(c, python)
	code := strings.TrimRight(c.Source, "\n")
	shell := python && shellOnly(code)
	if shell {
		language, code = "bash", unbang(code)
		attributes = slices.DeleteFunc(attributes, func(a string) bool { return strings.HasPrefix(a, "session=") })
	}
	run := runs && w.p.options.Run && !installs(code)
	fence := fenceFor(code)
	open := fence + language
	info := "{" + strings.Join(append([]string{"run"}, attributes...), " ") + "}"
	at := diag.Cell{First: w.line}
	switch {
	case run:
		open += " " + info
	case runs:
		m := w.guess(number, diag.Say("import.run-fence", "language", language, "info", info), diag.Say("import.run-fence-hint"))
		w.write(m, "\n")
	}
	if c.NoInput() {
		w.say(diag.Warning, number, diag.Say("import.notebook-hidden-code"), diag.Say("import.notebook-hidden-code-hint"))
	}
	at.Base = w.line
	w.cells = append(w.cells, at)
	if code != "" {
		w.write(open, "\n", code, "\n", fence, "\n")
	}
	if !c.NoOutput() {
		for i, o := range c.Outputs {
			w.output(number, i, len(c.Outputs) == 1 && run, code, o)
		}
	}
	w.write("\n")
}

// cellAttributes returns the attributes in a cell's metadata, and the session of the notebook. runs
// reports whether the cell is runnable.
func cellAttributes(c *notebook.Cell, python bool) (list []string, runs bool) {
	runs = python && !slices.Contains(c.Tags, "skip-execution")
	session, exit := false, false
	for _, a := range c.Attributes {
		switch {
		case a.Name == "run" || a.Flag && a.Value == "false":
			runs = runs && a.Value != "false"
			continue
		case a.Flag:
			list = append(list, a.Name)
		default:
			list = append(list, a.Name+"="+quoted(a.Value))
		}
		session, exit = session || a.Name == "session", exit || a.Name == "exit"
	}
	if !session {
		list = append(list, "session="+notebook.Session)
	}
	if !exit && slices.Contains(c.Tags, "raises-exception") {
		list = append(list, "exit=1")
	}
	return list, runs
}

var bareForm = lazyregexp.New(`^[\p{L}\p{N}_.-]+$`)

func quoted(s string) string {
	if bareForm.MatchString(s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// unbang removes the ! from shell commands.
func unbang(code string) string {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		if t := strings.TrimLeft(l, " \t"); strings.HasPrefix(t, "!") {
			lines[i] = t[1:]
		}
	}
	return strings.Join(lines, "\n")
}

func (w *cellWriter) output(cell, i int, run bool, code string, o notebook.Output) {
	if o.Cut > 0 {
		w.say(diag.Warning, cell, diag.Say("import.output-cut", "cut", o.Cut), diag.Say("import.output-cut-hint"))
	}
	switch o.Kind {
	case notebook.Drawing:
		name := fmt.Sprintf("%s/cell-%d-%d.%s", w.stem, cell, i+1, o.Picture.Ext)
		w.picture(name, o.Picture)
		alt := strings.Trim(strings.TrimSpace(o.Text), "<>")
		if alt == "" || strings.ContainsAny(alt, "[]\n") {
			alt = fmt.Sprintf("Out [%d]", cell)
		}
		m := w.guess(cell, diag.Say("import.image-alt", "name", path.Base(name)), diag.Say("import.image-alt-hint"))
		w.write("\n", m, "\n\n![", alt, "](", destination(name), ")\n")
	case notebook.HTML:
		if t := tidyHTML(o.Text); t != "" {
			w.write("\n", t, "\n")
			return
		}
		w.text(cell, run, code, o.Plain)
	case notebook.LaTeX:
		t := strings.TrimSpace(o.Text)
		if !strings.HasPrefix(t, "$") && !strings.HasPrefix(t, `\`) {
			t = "$$\n" + t + "\n$$"
		}
		w.write("\n", blankless(t), "\n")
	case notebook.Error, notebook.Stderr:
		w.text(cell, false, code, o.Text)
	default:
		w.text(cell, run, code, o.Text)
	}
}

// text writes an output as a terminal shows it.
func (w *cellWriter) text(cell int, run bool, code, text string) {
	var b strings.Builder
	for _, s := range notebook.Spans(text) {
		b.WriteString(s.Text)
	}
	text = strings.TrimRight(strings.ReplaceAll(b.String(), "\r", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	info := "text"
	if run && deterministic(code, text) {
		info = "text {expect}"
		w.write(w.guess(cell, diag.Say("import.output-expected"), diag.Say("import.output-expected-hint")), "\n")
	}
	fence := fenceFor(text)
	w.write(fence, info, "\n", text, "\n", fence, "\n")
}

func (w *cellWriter) picture(name string, p *notebook.Picture) {
	if w.p.result.Pictures == nil {
		w.p.result.Pictures = map[string][]byte{}
	}
	w.p.result.Pictures[name] = p.Data
}

// attachments changes links to a cell's attachments to the files that they become.
func (w *cellWriter) attachments(c *notebook.Cell) {
	for _, name := range slices.Sorted(maps.Keys(c.Attachments)) {
		file := w.stem + "/" + path.Base(name)
		w.picture(file, c.Attachments[name])
		for _, form := range []string{name, destination(name)} {
			for _, before := range []string{"(", "(<", `"`, "'"} {
				c.Source = strings.ReplaceAll(c.Source, before+"attachment:"+form, before+destination(file))
			}
		}
	}
}

// blankless removes empty lines, which would end a block of HTML.
func blankless(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" }), "\n")
}

// tidyHTML returns HTML as one block of Markdown, without scripts and styles. It returns "" if no
// text and no picture is left.
func tidyHTML(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	skip, shows := "", false
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := string(z.Raw())
		t := z.Token()
		switch {
		case skip != "":
			if kind == html.EndTagToken && t.Data == skip {
				skip = ""
			}
			continue
		case kind == html.StartTagToken && (t.Data == "script" || t.Data == "style"):
			skip = t.Data
			continue
		case kind == html.CommentToken:
			continue
		case kind == html.TextToken:
			shows = shows || strings.TrimSpace(t.Data) != ""
		case t.Data == "img" || t.Data == "svg":
			shows = true
		}
		b.WriteString(raw)
	}
	if !shows {
		return ""
	}
	return "<div>\n" + strings.TrimSpace(blankless(b.String())) + "\n</div>"
}
