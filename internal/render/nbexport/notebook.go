// Package nbexport makes a Jupyter notebook of a page, in nbformat 4.5:
// https://nbformat.readthedocs.io/en/latest/format_description.html.
//
// The tree of the page is written as the Markdown that Jupyter reads (text.go, inline.go), so pages of all dialects look
// the same there: a callout is a quotation with a title, tabs stand one below the other, a figure is its image with a
// numbered caption. Source with edits, as package mdexport has it, would keep the directives of dialects, which Jupyter
// shows as text. A block that runs ends the cell of text and becomes a code cell (code.go), wherever it stands: lists
// and quotations go on after it. The first cell installs what the blocks need, and says what it cannot install
// (setup.go). A notebook that is a page is published as it is, without the metadata of gpudocs ([Clean]).
//
// The same page gives the same bytes. The id of a cell is the name of its block, or else that of its section with a
// number, so an edit in a section changes no id in another.
package nbexport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/jsontext"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/render/mdexport"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A Site provides what is not known from the page alone.
type Site interface {
	mdexport.Site
	// Name returns the name of a callout, or of a figure or statement with its number: "Warning", "Figure 3".
	Name(page *site.Page, n ast.Node) string
	// Works returns the list of the works that the page cites, unless it is there already.
	Works() string
	// FileAddress returns the address of a file of the site that sessions get, or "" if it is not published.
	FileAddress(file string) string
	// Requirements returns what a file requires of pip.
	Requirements(file string) []string
	// Check returns the results that the notebook contains as outputs, or nil.
	Check(b *site.Block) *report.Check
}

// Page returns the notebook of a page, or nil if none of its blocks can run in one. heading is the title if the
// text of the page has none, and t has the texts in the language of the page.
func Page(p *site.Page, heading string, config *site.Config, t text.Catalog, s Site) ([]byte, error) {
	w := &writer{site: s, page: p, links: s.Links(p), source: p.Source.Data, config: config, t: t, kernel: kernelOf(p), ids: map[string]int{}, saves: map[int]site.SavedFile{}, holders: map[ast.Node]bool{}}
	w.setup(p)
	doc := p.Doc()
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*site.Fence); ok && entering && w.isCell(f) {
			for up := n.Parent(); up != nil && !w.holders[up]; up = up.Parent() {
				w.holders[up] = true
			}
		}
		return ast.WalkContinue, nil
	})
	if heading != "" {
		w.put("# " + mdexport.Escape(heading))
	}
	w.blocks(doc)
	w.put(s.Works())
	if address := s.Address(site.Target{Page: p}); strings.Contains(address, "://") {
		w.put("---\n\n" + t.Get("nb_page", "page", link(mdexport.Escape(p.Title), address)))
	}
	w.flush()
	return jsontext.Encode(map[string]any{"cells": w.cells, "metadata": w.kernel.metadata(), "nbformat": 4, "nbformat_minor": 5}, " ")
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
	return jsontext.Encode(n, " ")
}

// lines splits a text as nbformat stores it: in lines with their ends.
func lines(s string) []string {
	return slices.AppendSeq([]string{}, strings.Lines(s))
}

// notInID matches what the id of a cell cannot have.
var notInID = lazyregexp.New(`[^A-Za-z0-9_-]+`)

// add adds a cell, with a number after its id if another has it.
func (w *writer) add(kind, id, source string, metadata map[string]any) map[string]any {
	id = strings.Trim(notInID.ReplaceAllString(id, ""), "-")
	id = cmp.Or(id[:min(len(id), 50)], kind) // of a name without such letters nothing is left
	free := id
	for w.ids[free] > 0 {
		w.ids[id]++
		free = id + "-" + strconv.Itoa(w.ids[id])
	}
	w.ids[free]++
	c := map[string]any{"cell_type": kind, "id": free, "metadata": metadata, "source": lines(strings.TrimRight(source, "\n"))}
	if kind == "code" {
		c["execution_count"], c["outputs"] = nil, []any{}
	}
	w.cells = append(w.cells, c)
	return c
}
