package importer

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Options say how a file is taken.
type Options struct {
	// Dialects are those that the file is written in. Where Given is not set they
	// are those that [Look] finds.
	Dialects markdown.Dialect
	Given    bool
	// Run marks what was code of a notebook, a session or a job script to be run.
	Run bool
	// Files are all that come along, by their paths beside the file's own name:
	// pages and pictures that links are to be resolved with.
	Files *Files
	// Labels are those of all pages of d2lbook that come along, each with its file.
	Labels map[string]string
	// Aliases are the further names of notes, as [Aliases] has them, each with its file.
	Aliases map[string]string
	// Keys are those that gpudocs knows in front matter; nil leaves all as they are.
	Keys []string
	// Title and Weight are what a navigation says of the page: front matter that
	// the page has already goes before.
	Title  string
	Weight int
}

// A Result is a file as gpudocs Markdown.
type Result struct {
	// Name is that of the file with the ending of a page.
	Name string
	Data []byte
	// Pictures are those that were in the file, by their paths beside it.
	Pictures map[string][]byte
	// Diags name every guess as a notice, or as a warning where it may well be
	// wrong, and what was kept as it is as a warning.
	Diags diag.List
	// Uses are the files that the page links to or shows, by their paths beside its
	// name; one may be missing, or lie above ("../img/a.png").
	Uses []string
	// Guesses is how many there are.
	Guesses int
}

// A page is a file on its way.
type page struct {
	name    string
	file    *diag.File // as it came, for places
	src     *source
	options Options
	result  *Result
	eol     string // how it ends its lines
}

// Convert turns one file. name is its slash path among the files that come
// along. The data of the result is nil where the file cannot be read.
func Convert(name string, data []byte, o Options) Result {
	r := Result{Name: pageName(name)}
	p := &page{name: name, options: o, result: &r}
	if !p.read(data) {
		return r
	}
	if !o.Given {
		p.options.Dialects = Look(name, data).Dialects()
	}
	p.eol = eol(p.src.data)
	p.flattened()
	p.dialects()
	p.fences()
	p.frontMatter()
	p.keys()
	r.Uses = p.uses()
	r.Data = p.src.data
	r.Diags = r.Diags.Sorted()
	return r
}

// pageName is the name of the page that a file becomes.
func pageName(name string) string { return strings.TrimSuffix(name, path.Ext(name)) + ".md" }

// read makes the text that is to be turned.
func (p *page) read(data []byte) bool {
	if IsNotebook(p.name) {
		return p.notebook(data)
	}
	p.file = diag.NewFile(p.name, data)
	p.src = newSource(data)
	if at, bad := broken(data); bad {
		p.result.Diags.Add(p.file.Error(at, at+1, diag.Say("byte 0x%02x is no text in UTF-8", data[at]), diag.Say("save the file as UTF-8")))
		return false
	}
	return true
}

// IsNotebook tells whether a file is a Jupyter notebook, by its name.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// broken finds the first byte that is no text.
func broken(data []byte) (int, bool) {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n <= 1 || r == 0 {
			return at, true
		}
		at += n
	}
	return 0, false
}

// say notes a finding about a span of the text as it is now.
func (p *page) say(s diag.Severity, start, stop int, message, hint diag.Text) {
	from := p.src.origin(start)
	p.result.Diags.Add(p.file.At(s, from, max(p.src.origin(stop), from+1), message, hint))
}

// kept says that something stays as it is.
func (p *page) kept(start, stop int, message, hint diag.Text) {
	p.say(diag.Warning, start, stop, message, hint)
}
