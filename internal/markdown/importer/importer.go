package importer

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options control an import.
type Options struct {
	// Run makes cells of notebooks, Python sessions and job scripts runnable.
	Run bool
	// Files are the slash paths of all files that are imported together. Links to notebooks among
	// them are changed to their pages.
	Files map[string]bool
}

// A Result is a file as gpudocs Markdown.
type Result struct {
	// Name is the name of the file, with the extension of a page.
	Name string
	// Data is nil if the file cannot be read.
	Data []byte
	// Unchanged is set if the page needs no import, because it is written in a dialect that gpudocs
	// reads and contains nothing to convert. Data is then the content of the file.
	Unchanged bool
	// Pictures are the pictures that were in the file, by path relative to its folder.
	Pictures map[string][]byte
	// Diags contain every guess: as a notice, or as a warning if it may well be wrong.
	Diags diag.List
	// Uses are the files that the page links to or shows, as slash paths like its name. They may be
	// missing, or be above the folder ("../img/a.png").
	Uses []string
	// Guesses is the number of guesses.
	Guesses int
}

// A page is a file that is being converted.
type page struct {
	name     string
	options  Options
	dialects markdown.Dialect // of the file
	file     *diag.File       // the original, for positions
	src      *source
	eol      string // its line end
	result   *Result
}

// Convert converts one file. name is its slash path, as in [Options.Files].
func Convert(name string, data []byte, o Options) Result {
	r := Result{Name: strings.TrimSuffix(name, path.Ext(name)) + ".md"}
	p := &page{name: name, options: o, dialects: Survey(name, data).Dialects(), result: &r}
	if !p.read(data) {
		return r
	}
	p.eol = eol(p.src.data)
	p.flattened()
	p.fences()
	p.notebookLinks()
	r.Uses = p.uses()
	r.Data = p.src.data
	p.noteDialects(data)
	r.Diags = r.Diags.Sorted()
	return r
}

// read sets the text to convert.
func (p *page) read(data []byte) bool {
	if IsNotebook(p.name) {
		return p.notebook(data)
	}
	p.file = diag.NewFile(p.name, data)
	p.src = newSource(data)
	if at, bad := firstNonText(data); bad {
		p.result.Diags.Add(p.file.Error(at, at+1, diag.Say("import.utf8-invalid", "data", fmt.Sprintf("%02x", data[at])),
			diag.Say("page.utf8-hint")))
		return false
	}
	return true
}

// IsNotebook reports whether a file is a Jupyter notebook, by its name.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// firstNonText returns the offset of the first byte that is not text.
func firstNonText(data []byte) (int, bool) {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n <= 1 || r == 0 {
			return at, true
		}
		at += n
	}
	return 0, false
}

// noteDialects reports that the dialects of a page are not converted.
func (p *page) noteDialects(original []byte) {
	if p.dialects == 0 {
		return
	}
	names := p.dialects.String()
	quoted := `"` + strings.ReplaceAll(names, ", ", `", "`) + `"`
	d := diag.Diagnostic{
		File: p.name, Severity: diag.Notice,
		Message: diag.Say("import.dialect-part-kept", "names", names),
		Hint:    diag.Say("import.dialect-part-kept-hint", "dialects", quoted),
	}
	if bytes.Equal(p.result.Data, original) {
		p.result.Unchanged = true
		d.Severity = diag.Warning
		d.Message = diag.Say("import.dialect-page-kept", "names", names)
		d.Hint = diag.Say("import.dialect-copy-hint", "dialects", quoted)
	}
	p.result.Diags.Add(d)
}

// parse parses the text as a site does, with its front matter blanked.
func (p *page) parse() ast.Node {
	data := p.src.data
	if end := dialects.FrontEnd(string(data)); end > 0 {
		data = bytes.Clone(data)
		for i := range end + 3 {
			if data[i] != '\n' {
				data[i] = ' '
			}
		}
	}
	return dialects.New(markdown.Options{Dialects: p.dialects}).Parser().Parse(text.NewReader(data))
}
