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
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A cellWriter writes the cells of a notebook as Markdown.
type cellWriter struct {
	p        *page
	b        bytes.Buffer
	line     int    // the next line
	number   int    // of the current cell
	pictures string // the folder for pictures
	// reported are the infos of fences that would make cells run. A cell that stays code is no guess: one of each says so.
	reported map[string]bool
}

// notebook sets the text of a notebook.
func (p *page) notebook(data []byte) bool {
	nb, diags := notebook.Read(p.name, data)
	p.result.Diags.Add(diags...)
	if nb == nil {
		return false
	}
	w := &cellWriter{p: p, line: 1, pictures: strings.TrimSuffix(path.Base(p.name), path.Ext(p.name)) + "_files", reported: map[string]bool{}}
	w.frontMatter(nb)
	var cells []diag.Cell
	for i := range nb.Cells {
		w.number = i + 1
		cells = append(cells, w.cell(nb, &nb.Cells[i]))
	}
	p.src = newSource(append(bytes.TrimRight(w.b.Bytes(), "\n"), '\n'))
	p.file = diag.NewCells(p.name, p.src.data, cells)
	return true
}

func (w *cellWriter) write(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
		w.line += strings.Count(s, "\n")
	}
}

// frontMatter writes the notebook's metadata.gpudocs, one key on each line: JSON is YAML.
func (w *cellWriter) frontMatter(nb *notebook.Notebook) {
	keys := map[string]json.RawMessage{}
	_ = json.Unmarshal(nb.Page, &keys) // faults are reported when the page is read
	if keys["title"] == nil && nb.Title != "" {
		keys["title"], _ = json.Marshal(nb.Title)
	}
	if len(keys) == 0 {
		return
	}
	w.write("---\n")
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		var value bytes.Buffer
		_ = json.Compact(&value, keys[k])
		w.write(k, ": ", value.String(), "\n")
	}
	w.write("---\n\n")
}

// warn adds a warning about the current cell.
func (w *cellWriter) warn(message, hint diag.Text) {
	w.p.result.Diags.Add(diag.Diagnostic{Severity: diag.Warning, File: w.p.name, Cell: w.number, Message: message, Hint: hint})
}

// guess reports a guess about the current cell, and returns its mark.
func (w *cellWriter) guess(what, hint diag.Text) string {
	return w.p.report(diag.Diagnostic{Severity: diag.Notice, File: w.p.name, Cell: w.number, Message: what, Hint: hint})
}

// cell writes a cell, and returns its place.
func (w *cellWriter) cell(nb *notebook.Notebook, c *notebook.Cell) diag.Cell {
	place := diag.Cell{First: w.line, Base: w.line - 1}
	w.attachments(c)
	switch {
	case strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0:
	case c.Kind == notebook.Code:
		place.Base = w.code(nb.Fence(c), c)
	case c.Kind == notebook.Markdown, c.Format == "text/markdown", c.Format == "text/html":
		text := strings.TrimRight(c.Source, "\n") + "\n"
		w.write(text, unclosed(text), "\n")
	default:
		w.warn(diag.Say("import.raw-cell"), diag.Say("import.raw-cell-hint"))
	}
	return place
}

// attachments changes links to a cell's attachments to the files that they become.
func (w *cellWriter) attachments(c *notebook.Cell) {
	for _, name := range slices.Sorted(maps.Keys(c.Attachments)) {
		file := w.pictures + "/" + path.Base(name)
		w.picture(file, c.Attachments[name])
		for _, form := range []string{name, destination(name)} {
			for _, before := range []string{"(", "(<", `"`, "'"} {
				c.Source = strings.ReplaceAll(c.Source, before+"attachment:"+form, before+destination(file))
			}
		}
	}
}

func (w *cellWriter) picture(name string, p *notebook.Picture) {
	if w.p.result.Pictures == nil {
		w.p.result.Pictures = map[string][]byte{}
	}
	w.p.result.Pictures[name] = p.Data
}

// unclosed returns the line that closes the fence that a cell leaves open, if any. In the notebook
// it ends with the cell.
func unclosed(text string) string {
	var f dialects.Fences
	for l := range strings.Lines(text) {
		f.Inside(strings.TrimRight(l, "\n"))
	}
	if f.Mark == "" {
		return ""
	}
	return f.Mark + "\n"
}

// code writes a code cell with its outputs, and returns the line of the opening fence.
func (w *cellWriter) code(f notebook.Fence, c *notebook.Cell) (opening int) {
	code := strings.TrimRight(c.Source, "\n")
	attributes := slices.Concat(f.Given, f.Defaults)
	if f.Language == "python" && shellOnly(code) {
		f.Language, code = "bash", withoutBangs(code)
		attributes = slices.DeleteFunc(attributes, func(a notebook.Attribute) bool { return a.Name == "session" })
	}
	info := fenceInfo(attributes)
	run := f.Runs && w.p.options.Run && !installs(code)
	fence := fenceFor(code)
	open := fence + f.Language
	switch {
	case run:
		open += " " + info
	case f.Runs && !w.reported[f.Language+info]:
		w.reported[f.Language+info] = true
		w.write(w.guess(diag.Say("import.run-fence", "language", f.Language, "info", info), diag.Say("import.run-fence-hint")), "\n")
	}
	if c.NoInput() {
		w.warn(diag.Say("import.notebook-hidden-code"), diag.Say("import.notebook-hidden-code-hint"))
	}
	opening = w.line
	if code != "" {
		w.write(open, "\n", code, "\n", fence, "\n")
	}
	if !c.NoOutput() {
		for i, o := range c.Outputs {
			w.output(i, len(c.Outputs) == 1 && run, code, o)
		}
	}
	w.write("\n")
	return opening
}

var bareForm = lazyregexp.New(`^[\p{L}\p{N}_.-]+$`)

// fenceInfo returns the attributes of a runnable fence in braces.
func fenceInfo(attributes []notebook.Attribute) string {
	info := "{run"
	for _, a := range attributes {
		info += " " + a.Name
		switch {
		case a.Flag:
		case bareForm.MatchString(a.Value):
			info += "=" + a.Value
		default:
			info += "=" + notebook.Quote(a.Value)
		}
	}
	return info + "}"
}

// output writes the i-th output of a cell. expect is set if it may become an expectation.
func (w *cellWriter) output(i int, expect bool, code string, o notebook.Output) {
	if o.Cut > 0 {
		w.warn(diag.Say("import.output-cut", "cut", o.Cut), diag.Say("import.output-cut-hint"))
	}
	switch o.Kind {
	case notebook.Drawing:
		name := fmt.Sprintf("%s/cell-%d-%d.%s", w.pictures, w.number, i+1, o.Picture.Ext)
		w.picture(name, o.Picture)
		alt := strings.Trim(strings.TrimSpace(o.Text), "<>")
		if alt == "" || strings.ContainsAny(alt, "[]\n") {
			alt = fmt.Sprintf("Out [%d]", w.number)
		}
		m := w.guess(diag.Say("import.image-alt", "name", path.Base(name)), diag.Say("import.image-alt-hint"))
		w.write("\n", m, "\n\n![", alt, "](", destination(name), ")\n")
	case notebook.HTML:
		if t := tidyHTML(o.Text); t != "" {
			w.write("\n", t, "\n")
			return
		}
		w.text(expect, code, o.Plain)
	case notebook.LaTeX:
		t := strings.TrimSpace(o.Text)
		if !strings.HasPrefix(t, "$") && !strings.HasPrefix(t, `\`) {
			t = "$$\n" + t + "\n$$"
		}
		w.write("\n", withoutBlankLines(t), "\n")
	case notebook.Error, notebook.Stderr:
		w.text(false, code, o.Text)
	default:
		w.text(expect, code, o.Text)
	}
}

// text writes an output as a terminal shows it.
func (w *cellWriter) text(expect bool, code, text string) {
	var b strings.Builder
	for _, s := range notebook.Spans(text) {
		b.WriteString(s.Text)
	}
	text = strings.TrimRight(strings.ReplaceAll(b.String(), "\r", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	info := "text"
	if expect && deterministic(code, text) {
		info = "text {expect}"
		w.write(w.guess(diag.Say("import.output-expected"), diag.Say("import.output-expected-hint")), "\n")
	}
	fence := fenceFor(text)
	w.write(fence, info, "\n", text, "\n", fence, "\n")
}

// withoutBlankLines removes empty lines, which would end a block of HTML.
func withoutBlankLines(s string) string {
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
	return "<div>\n" + strings.TrimSpace(withoutBlankLines(b.String())) + "\n</div>"
}
