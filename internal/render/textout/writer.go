// Package textout writes pages as text: the Markdown export of a page, and its Jupyter notebook.
//
// One writer takes the nodes of a page to Markdown (blocks.go, inline.go, code.go), so pages of all dialects look the same:
// a figure is its image with a numbered caption, tabs are a list, a directive is what it shows. An export has what Markdown
// has elsewhere, such as alerts and footnotes, and below each block what machines found (results.go). In a notebook
// (notebook.go) a block that runs ends the cell of text, and becomes a code cell.
package textout

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// An Input is a page, and what its text is made from.
type Input struct {
	Page    *site.Page
	Nav     *nav.Map
	Results *results.Presenter
	// Text has the texts in the language of the page.
	Text text.Catalog
	// From is the folder in which links begin.
	From string
	// Outputs returns the results that a notebook has as the outputs of a block, or nil.
	Outputs func(b *site.Block) *report.Check
}

// File returns the name of the Markdown export of a page, which programs and readers can copy. It is the page's
// address followed by index.html.md, as in https://llmstxt.org/.
func File(p *site.Page) string { return p.URL + "index.html.md" }

// Markdown returns the Markdown export of a page: its title, its text, and the works that it cites.
func Markdown(in Input) string {
	w := newWriter(in)
	w.whole()
	return w.text.String()
}

// A writer writes a page as Markdown, into one text or into the cells of a notebook.
type writer struct {
	Input
	origin
	labels page.Labels
	words  page.Words
	// notebook is nil in an export.
	notebook *ipynb
	// listed is set if the list of works is written.
	listed bool
	// in is where the page that is being written is embedded in that of the input.
	in site.Embedding

	text   strings.Builder
	levels []level
	glued  bool // the next block needs no blank line before it
	// ended is what marks the items of the list that ended last, if nothing was written after it.
	ended string
}

// An origin is the page whose nodes are written: that of the input, or one that it embeds.
type origin struct {
	on     *site.Page
	links  *site.Links
	source []byte
	works  *page.Bibliography
	// notes are the labels of footnotes by their numbers, and referred those to which the text refers.
	notes    map[int]string
	referred map[int]bool
}

func newWriter(in Input) *writer {
	w := &writer{
		Input:  in,
		labels: page.NewLabels(in.Nav, in.Page.Language, in.Text),
		words:  page.Words{Text: in.Text, Results: in.Results},
		in:     site.NewEmbedding(),
	}
	w.origin = w.from(in.Page)
	return w
}

func (w *writer) from(p *site.Page) origin {
	o := origin{
		on: p, links: w.Nav.Content.Links(p), source: p.Source.Data, works: page.NewBibliography(p, w.Nav.Content, w.Text),
		notes: map[int]string{}, referred: map[int]bool{},
	}
	if list, ok := p.Doc().LastChild().(*extast.FootnoteList); ok {
		for _, n := range page.Children(list) {
			note := n.(*extast.Footnote)
			o.notes[note.Index] = string(note.Ref)
		}
	}
	return o
}

// whole writes the page.
func (w *writer) whole() {
	if page.Title(w.Page) == nil {
		w.put("# " + Escape(w.Page.Title))
	}
	w.blocks(w.Page.Doc())
	if !w.listed && len(w.links.Cited) > 0 {
		w.put("## " + Escape(w.Text.Get("references")))
		w.put(w.workList())
	}
}

// A level is a quotation or an item of a list. first begins its first line, and rest the others.
type level struct {
	first, rest string
	begun       bool
}

// put writes a block of text.
func (w *writer) put(block string) {
	block = strings.Trim(block, "\n")
	if block == "" {
		return
	}
	if w.text.Len() > 0 && !w.glued {
		rest := ""
		for _, l := range w.levels {
			if l.begun {
				rest += l.rest
			}
		}
		w.text.WriteString(strings.TrimRight(rest, " ") + "\n")
	}
	w.glued, w.ended = false, ""
	for line := range strings.Lines(block) {
		prefix := ""
		for i := range w.levels {
			if l := &w.levels[i]; l.begun {
				prefix += l.rest
			} else {
				prefix, l.begun = prefix+l.first, true
			}
		}
		if line == "\n" {
			prefix = strings.TrimRight(prefix, " ")
		}
		w.text.WriteString(prefix + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// maxLevels limits how deep lists and quotations are nested, because each adds to every line of it.
const maxLevels = 24

// within writes the children of a block in a quotation or an item of a list.
func (w *writer) within(first, rest string, write func()) {
	if len(w.levels) >= maxLevels {
		write()
		return
	}
	w.levels = append(w.levels, level{first: first, rest: rest})
	write()
	w.levels = w.levels[:len(w.levels)-1]
}

// item writes the children of a block as an item of a list.
func (w *writer) item(marker string, write func()) {
	w.ended = ""
	w.within(marker, strings.Repeat(" ", len(marker)), write)
	w.ended = marker[len(marker)-2:]
}

// begin begins a list. It must not go on with another that ends before it.
func (w *writer) begin(ordered bool) {
	if w.ended == map[bool]string{true: ". ", false: "- "}[ordered] {
		w.put(noComment)
	}
}

// quote writes a quotation that begins with a title.
func (w *writer) quote(title string, write func()) {
	w.within("> ", "> ", func() {
		w.put(title)
		write()
	})
}

func (w *writer) blocks(n ast.Node) {
	for _, c := range page.Children(n) {
		w.block(c)
	}
}
