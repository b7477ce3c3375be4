package search

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/gpudocs/gpudocs/themes"
)

// An engine is the browser's script, run in an interpreter, with the files of an index.
type engine struct {
	testing.TB
	vm     *goja.Runtime
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
	e := &engine{TB: t, vm: goja.New(), Files: map[string][]byte{}}
	e.must("var gpudocs = {}, calls = 0, outcome;")
	for _, part := range []string{"10-words", "20-index", "30-ask", "40-context"} {
		source, err := fs.ReadFile(themes.Default(), "assets/search.js/"+part+".js")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.vm.RunScript(part, string(source)); err != nil {
			t.Fatal(err)
		}
	}
	_ = e.vm.Set("bring", func(name string, done goja.Callable) {
		data, ok := e.Files[name]
		if ok {
			e.loaded = append(e.loaded, name)
			e.must(string(data))
		}
		_, _ = done(nil, e.vm.ToValue(ok))
	})
	_ = e.vm.Set("part", func(name string, from, to int, done goja.Callable) {
		text := goja.Null()
		if data := e.Files[name]; !e.whole && to <= len(data) {
			text = e.vm.ToValue(string(data[from:to]))
			e.parts += to - from
		}
		_, _ = done(nil, text)
	})
	e.anew()
	return e
}

// anew discards what was loaded.
func (e *engine) anew() {
	e.must("var index = new gpudocs.search.Index(bring, part);")
	e.loaded, e.parts = nil, 0
}

func (e *engine) must(code string) goja.Value {
	e.Helper()
	v, err := e.vm.RunString(code)
	if err != nil {
		e.Fatalf("%v in %.200s", err, code)
	}
	return v
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
	_ = e.vm.Set("query", query)
	_ = e.vm.Set("show", show)
	v := e.must(`(function () {
		function text(runs) { return (runs || []).map(function (r) { return r[1] ? "[" + r[0] + "]" : r[0]; }).join(""); }
		var out = null, search = gpudocs.search;
		search.ask(index, query, function (found) {
			out = {Pages: found.pages.map(function (p) { return p.page; }), Partly: found.partly, Shown: []};
			var pages = found.pages.slice(0, show), chunks = [];
			pages.forEach(function (p) { chunks = chunks.concat(search.picks(index, p)); });
			index.read(chunks, function () {
				pages.forEach(function (p) {
					var c = search.context(index, p, found.terms);
					out.Shown.push({URL: c.url, Enter: c.enter, Lang: c.lang, Title: text(c.title), Snippet: c.snippet ? text(c.snippet.runs) : "",
						Sections: c.sections.map(function (s) { return {ID: s.id, Heading: text(s.heading), Snippet: text(s.snippet.runs)}; })});
				});
			});
		});
		return out;
	})()`)
	var a answer
	if err := e.vm.ExportTo(v, &a); err != nil {
		e.Fatal(err)
	}
	return a
}

// terms returns the terms that the browser finds in a text.
func (e *engine) terms(text string) []string {
	e.Helper()
	_ = e.vm.Set("text", text)
	v := e.must(`(function () {
		var list = [];
		index.need([""], function () {
			gpudocs.search.words(text, index.language).forEach(function (w) {
				w.parts.forEach(function (p) { if (p.term) list.push(p.term); });
				if (w.whole) list.push(w.whole);
			});
		});
		return list;
	})()`)
	var list []string
	if err := e.vm.ExportTo(v, &list); err != nil {
		e.Fatal(err)
	}
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
