package search

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/scripttest"
)

// An engine is the browser's script, run in an interpreter, with the files of an index.
type engine struct {
	scripttest.VM
	Files  map[string][]byte
	loaded []string
	// parts is the number of bytes read as parts of files; if whole is set, the server does not send
	// parts.
	parts int
	whole bool
}

// engineOf starts the browser's script with an index.
func engineOf(t testing.TB, language string, pages []Page) *engine {
	t.Helper()
	e := NewEngine(t)
	for _, f := range Build(language, pages, nil) {
		e.Files[f.Name] = f.Data
	}
	return e
}

// NewEngine starts the browser's script. It is exported for the test of a whole site, which is in another package.
func NewEngine(t testing.TB) *engine {
	t.Helper()
	e := &engine{VM: scripttest.New(t), Files: map[string][]byte{}}
	e.Load("search.js", "10-words", "20-index", "30-ask", "40-context")
	e.Func("file", func(name string) any {
		data, ok := e.Files[name]
		if !ok {
			return nil
		}
		e.loaded = append(e.loaded, name)
		return string(data)
	})
	e.Func("partOf", func(name string, from, to int) any {
		data := e.Files[name]
		if e.whole || to > len(data) {
			return nil
		}
		e.parts += to - from
		return string(data[from:to])
	})
	e.Run(`function bring(name, done) {
		var text = file(name);
		if (text !== null) (0, eval)(text);
		done(text !== null);
	}
	function part(name, from, to, done) { done(partOf(name, from, to)); }`)
	e.anew()
	return e
}

// anew discards what was loaded.
func (e *engine) anew() {
	e.Run("var index = new gpudocs.search.Index(bring, part);")
	e.loaded, e.parts = nil, 0
}

// An answer is the result of a query: pages in order, with the context of each.
type answer struct {
	Pages  []int
	Partly bool
	Shown  []shown
}

type shown struct {
	URL, Lang, Title, Snippet string
	Enter                     int
	Sections                  []struct{ ID, Heading, Snippet string }
}

// Engine and Ask are exported like NewEngine.
type Engine = engine

func (e *engine) Ask(query string, show int) answer { return e.ask(query, show) }

// ask answers a query; marked text is put in brackets.
func (e *engine) ask(query string, show int) answer {
	e.Helper()
	var found answer
	e.Call(&found, `
		function text(runs) { return (runs || []).map(function (r) { return r[1] ? "[" + r[0] + "]" : r[0]; }).join(""); }
		var out = null, search = gpudocs.search;
		search.ask(index, a, function (found) {
			out = {Pages: found.pages.map(function (p) { return p.page; }), Partly: found.partly, Shown: []};
			var pages = found.pages.slice(0, b), chunks = [];
			pages.forEach(function (p) { chunks = chunks.concat(search.picks(index, p)); });
			index.read(chunks, function () {
				pages.forEach(function (p) {
					var c = search.context(index, p, found.terms);
					out.Shown.push({URL: c.url, Enter: c.enter, Lang: c.lang, Title: text(c.title), Snippet: c.snippet ? text(c.snippet.runs) : "",
						Sections: c.sections.map(function (s) { return {ID: s.id, Heading: text(s.heading), Snippet: text(s.snippet.runs)}; })});
				});
			});
		});
		return out;`, query, show)
	return found
}

// terms returns the terms that the browser finds in a text.
func (e *engine) terms(text string) []string {
	e.Helper()
	var list []string
	e.Call(&list, `
		var list = [];
		index.need([""], function () {
			gpudocs.search.words(a, index.language).forEach(function (w) {
				w.parts.forEach(function (p) { if (p.term) list.push(p.term); });
				if (w.whole) list.push(w.whole);
			});
		});
		return list;`, text)
	return list
}

func termsOf(language, text string) []string {
	list := []string{}
	newStemmer(language).terms(text, func(t string) { list = append(list, t) })
	return list
}

// page returns a page of a text: "# Title" first, then "## Heading" and paragraphs; a line that begins
// with a tab is code.
func page(text string) Page {
	p := Page{Sections: []Section{{}}}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		last := &p.Sections[len(p.Sections)-1]
		switch {
		case strings.HasPrefix(line, "# "):
			p.Title = line[2:]
			p.URL = strings.ReplaceAll(strings.ToLower(p.Title), " ", "-") + "/"
		case strings.HasPrefix(line, "## "):
			p.Sections = append(p.Sections, Section{ID: strings.ReplaceAll(strings.ToLower(line[3:]), " ", "-"), Heading: line[3:]})
		case strings.HasPrefix(line, "\t"):
			last.Blocks = append(last.Blocks, Block{Text: line[1:], Code: true})
		case strings.TrimSpace(line) != "":
			last.Blocks = append(last.Blocks, Block{Text: line})
		}
	}
	return p
}
