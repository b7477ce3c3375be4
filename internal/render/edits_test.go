package render

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

var editSteps = flag.Int("edits", 40, "how many random edits TestEdits makes with each seed")

// An editor changes a site at random. It uses few words, so that its texts often refer to pages that exist or
// have existed.
type editor struct {
	rand    func(n int) int
	files   fstest.MapFS
	changed map[string]bool
	// settings are the indices of the editSettings in gpudocs.toml.
	settings []int
}

var (
	editLanguages = []string{"pt", "es", "en"}
	editNames     = []string{"index", "a", "b", "gpu/index", "gpu/a", "gpu/c", "x y/é", "_n", "gpu/_n"}
	editAssets    = []string{"pt/i.png", "i.svg", "pt/gpu/i.png", "badges/pt/a.svg", "a.txt", "es/a/index.html", "_headers", "pt/I.png"}
	editLabels    = []string{"um", "dois", "três"}
	editFronts    = []string{"title: Um", "title: Dois", "weight: 1", "weight: 2", "translation: chave", "translation: gpu/a", "draft: true", "slug: outro", "original: true",
		"aliases: [apelido]", "aliases: [b, Um]", "redirect_from: [velho]", "redirect_from: [a, /pt/gpu/antigo]", "dialects: [obsidian]", "dialects: [d2l, mkdocs]",
		"tags: [t]", "punctuation: smart", "updated: 2026-01-02", "blocks: {env: torch}", "description: d",
		"translated: {from: pt, sections: {(top): 5xrnfq2k4b}}", "translated: {from: es, sections: {um: c7d2aaxk3q}}"}
)

func (e *editor) one(list []string) string { return list[e.rand(len(list))] }

func (e *editor) page() string {
	ext := ".md"
	if e.rand(12) == 0 {
		ext = ".ipynb"
	}
	return "content/" + e.one(editLanguages) + "/" + e.one(editNames) + ext
}

// line is a block of Markdown of a page.
func (e *editor) line() string {
	to := e.one([]string{"", "../", "/pt/", "gpu/", "es/"}) + e.one(editNames) + e.one([]string{".md", "", "/"})
	label := e.one(editLabels)
	return e.one([]string{
		"Text " + label + ".",
		"## " + label + " {#" + label + "}",
		"## " + label,
		"[a](<" + to + ">) and [b](<" + to + "#" + label + ">)",
		"[](<" + to + ">) [](<" + to + "#" + label + ">) [](:" + label + ")",
		"[c](https://example.org/docs/" + e.one(editLanguages) + "/" + e.one(editNames) + "/)",
		"![i](<" + e.one([]string{"", "/", "../"}) + e.one(editAssets) + ">)",
		"<img src=\"" + e.one([]string{"i.png", "/i.svg"}) + "\"> <a href=\"" + to + "\" id=\"" + label + "\">x</a>",
		"![i](i.png \"Caption\"){#" + label + "}",
		"[[" + e.one([]string{"a", "c", "apelido", "Um", "gpu/a", "i.png", "é"}) + e.one([]string{"", "#" + label, "#^" + label}) + "]]",
		"![[" + e.one([]string{"a", "b", "c", "index", "i.png", "é#" + label, "a#^" + label}) + "]]",
		"A block. ^" + label,
		"$$ x = y \\label{" + label + "} $$",
		"$x = \\eqref{" + label + "}$ and \\ref{" + label + "} [](#" + label + ")",
		":::include " + e.one([]string{"_n.md", "parts/p.md", "../_n.md", "gpu/_n.md"}) + "\n:::",
		"--8<-- \"parts/p.md\"",
		"```python {file=\"code/x.py\" run name=" + e.one([]string{"soma", "outra"}) + "}\n```",
		"```python {run name=" + e.one([]string{"soma", "outra"}) + " env=torch}\nprint(" + e.one([]string{"1", "2"}) + ")\n```\n```text {expect}\n" + e.one([]string{"1", "{v}"}) + "\n```",
		"```gpu\ngpus >= 1\n```",
		"{live}`" + e.one([]string{"lab.gpu", "lab.cpu", "lab.cpu", "outra.os"}) + "`",
		"Cited [@" + e.one([]string{"silva", "souza"}) + "].",
		"```mermaid\ngraph TD\nA-->B\n```",
		"```toc\n" + e.one(editNames) + "\n" + e.one(editNames) + "\n```",
		":::machines\n:::",
		"Note[^n].\n\n[^n]: " + label + " [d](" + to + ")",
		"[r][missing] \"quoted\" -- dash",
		"<script src=\"i.png\"></script> <a onclick=\"x\" href=\"javascript:x\">" + label + "</a>",
		"[[" + e.one(editNames) + "]] \\eqref{" + label + "}",
		"```{.bash run name=" + label + "}\necho {{v}}\n```",
	})
}

func (e *editor) text() string {
	var b strings.Builder
	if e.rand(2) == 0 {
		b.WriteString("---\n")
		for range e.rand(3) + 1 {
			b.WriteString(e.one(editFronts) + "\n")
		}
		b.WriteString("---\n")
	}
	if e.rand(3) > 0 {
		b.WriteString("# " + e.one([]string{"Um", "Dois", "Três $x$"}) + "\n\n")
	}
	for range e.rand(6) {
		b.WriteString(e.line() + "\n\n")
	}
	return b.String()
}

func (e *editor) write(name, text string) {
	if strings.HasSuffix(name, ".ipynb") {
		text = fmt.Sprintf(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": %q}]}`, text)
	}
	e.files[name] = &fstest.MapFile{Data: []byte(text)}
	e.changed[name] = true
}

func (e *editor) remove(name string) {
	if name != site.ConfigFile {
		delete(e.files, name)
		e.changed[name] = true
	}
}

// any returns an existing file.
func (e *editor) any() string { return e.one(slices.Sorted(maps.Keys(e.files))) }

// edit makes one edit.
func (e *editor) edit() string {
	switch n := e.rand(22); {
	case n < 7: // a new line in a page
		name := e.any()
		if !strings.HasSuffix(name, ".md") {
			name = e.page()
			e.write(name, e.text())
			return "write " + name
		}
		lines := strings.Split(string(e.files[name].Data), "\n\n")
		lines[len(lines)-1-e.rand(min(len(lines), 3))] = e.line()
		e.write(name, strings.Join(lines, "\n\n"))
		return "edit " + name
	case n < 10:
		name := e.page()
		e.write(name, e.text())
		return "write " + name
	case n < 12:
		name := e.any()
		e.remove(name)
		return "remove " + name
	case n < 14:
		from, to := e.any(), e.page()
		if strings.HasSuffix(from, ".md") && path.Ext(from) == path.Ext(to) {
			data := e.files[from].Data
			e.remove(from)
			e.write(to, string(data))
		}
		return "rename " + from + " to " + to
	case n < 15: // a folder is deleted
		dir := "content/" + e.one(editLanguages) + "/gpu"
		for name := range e.files {
			if strings.HasPrefix(name, dir+"/") {
				delete(e.files, name)
			}
		}
		e.changed[dir] = true
		return "remove " + dir
	case n == 15 && e.rand(2) == 0: // or moved
		from, to := "content/"+e.one(editLanguages)+"/gpu", "content/"+e.one(editLanguages)+"/"+e.one([]string{"gpu", "x y", "cpu"})
		for _, name := range slices.Sorted(maps.Keys(e.files)) {
			if below, ok := strings.CutPrefix(name, from+"/"); ok && from != to {
				e.files[to+"/"+below] = e.files[name]
				delete(e.files, name)
			}
		}
		e.changed[from], e.changed[to] = true, true
		return "move " + from + " to " + to
	case n < 16:
		name := "content/" + e.one(editAssets)
		e.write(name, e.one([]string{"", "x", png4x3, png8x8, "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='4'/>"}))
		return "write " + name
	case n < 17:
		name := e.one([]string{"content/pt/_n.md", "content/pt/gpu/_n.md", "parts/p.md", "code/x.py"})
		e.write(name, e.one([]string{"part [a](a.md)\n", "## um {#um}\n", ":::include parts/p.md\n:::\n", "print(1)\n"}))
		return "write " + name
	case n < 18:
		name := "themes/lab/" + e.one([]string{"layouts/note.html", "layouts/extra.html", "i18n/pt.toml", "assets/own.css", "theme.toml"})
		switch path.Ext(name) {
		case ".html":
			e.write(name, e.one([]string{"<p>{{.Title}}</p>", "<div>{{.Title}}</div>", "{{if}}"}))
		case ".toml":
			e.write(name, e.one([]string{"", "contents = \"Neste texto\"\n", "[params]\nx = \"1\"\n"}))
		default:
			e.write(name, e.one([]string{"a{}", "b{}"}))
		}
		return "write " + name
	case n < 19 && e.rand(2) == 0: // a folder becomes a course, or another one
		name := "content/" + e.one(editLanguages) + "/" + e.one([]string{"config.yaml", "mkdocs.yml", "_quarto.yml"})
		if e.rand(3) == 0 {
			e.remove(name)
			return "remove " + name
		}
		e.write(name, e.one([]string{"", "carpentry: lc\ntitle: T\n", "site_name: S\nnav:\n- a.md\n", "project:\n  type: book\nbook:\n  chapters:\n  - a.md\n"}))
		return "write " + name
	case n < 19:
		e.write("refs.bib", e.one([]string{"", "@book{silva, title={T}, author={S}, year=2020}\n", "@book{souza, title={U}, author={S}, year=2021}\n@book{silva, title={T}}\n"}))
		return "write refs.bib"
	default:
		e.write(site.ConfigFile, e.config())
		return "write " + site.ConfigFile
	}
}

// editSettings are the parts of gpudocs.toml, of which it has one each.
var editSettings = [][]string{
	{"title = \"S\"\n", "title = \"T\"\n"},
	{"", "base_url = \"https://example.org/docs/\"\n"},
	{"theme = \"lab\"\n", "", "theme = \"lab\"\n"},
	{"", "[languages.pt]\nname=\"P\"\nweight=1\n[languages.es]\n[languages.en]\n", "[languages.es]\nweight=2\n[languages.pt]\nweight=5\n"},
	{"[publish]\n"},
	{"", "search = false\n", "print = false\nbadges = false\n", "markdown = false\nfeeds = false\n"},
	{"[markdown]\n"},
	{"", "bibliography = \"refs.bib\"\n"},
	{"", "unsafe_html = true\n"},
	{"", "dialects = [\"obsidian\", \"mkdocs\"]\n", "dialects = [\"d2l\"]\n", "punctuation = \"smart\"\n"},
	{"", "[translations]\nsource = \"es\"\n"},
	{"", "[env.torch]\nconda = \"t\"\n"},
	{"", "[launch]\n", "[launch]\noutputs = \"lab\"\n"},
	{"", "[blocks]\nneeds = \"gpus >= 1\"\n", "[site]\nedit = \"https://example.org/{path}\"\n", "[hosting]\nnetlify = false\n", "[params]\nx = \"2\"\n"},
}

// config returns gpudocs.toml with a different setting.
func (e *editor) config() string {
	e.settings[e.rand(len(editSettings))]++
	var b strings.Builder
	for i, choices := range editSettings {
		b.WriteString(choices[e.settings[i]%len(choices)])
	}
	return b.String()
}

// png8x8 is the head of another.
var png8x8 = strings.Replace(png4x3, "\x00\x00\x00\x04\x00\x00\x00\x03", "\x00\x00\x00\x08\x00\x00\x00\x08", 1)

// An incremental site is built again after each edit, and compared with a clean build.
type incremental struct {
	*editor
	options  Options
	theme    theme.Cache
	reports  results.Cache
	loader   *load.Loader
	rendered int
	report   *report.Report
	// machines is the number of machines with that report, more are all but the first.
	machines int
	more     map[string]*copiedReport
	// traces and made are the files of the newest site, as a build records them; reused counts those
	// that were not generated again.
	traces memo.Traces
	made   map[string][]byte
	reused int
}

func newIncremental(random func(n int) int) *incremental {
	e := &editor{rand: random, files: fstest.MapFS{}, changed: map[string]bool{}, settings: make([]int, len(editSettings))}
	e.write(site.ConfigFile, "theme = \"lab\"\n")
	e.write("content/pt/index.md", "# Um\n")
	e.write("themes/lab/theme.toml", "")
	return &incremental{editor: e, traces: memo.Traces{}, options: Options{Lazy: true, Program: "test", Root: "/", Changed: map[string]time.Time{}, Highlighter: new(highlight.Highlighter), Math: tex.New(nil), Diagrams: diagram.New(nil)},
		loader:   load.NewLoader(e.files, load.Options{Drafts: true, Editing: true}),
		machines: 1, more: map[string]*copiedReport{}}
}

// step makes some edits, and checks that the site equals a clean build. It reports whether there was a site to
// render.
func (in *incremental) step() (what string, ok bool, err error) {
	before := maps.Clone(in.files)
	for range 1 + in.rand(3) {
		what += in.edit() + "; "
	}
	if ok, err = in.compare(); err != nil || ok {
		return what, ok, err
	}
	for name := range in.files { // broken files are repaired
		if before[name] == nil {
			in.remove(name)
		}
	}
	for name, f := range before {
		if in.files[name] != f {
			in.files[name] = f
			in.changed[name] = true
		}
	}
	_, err = in.compare()
	return what + "undo; ", false, err
}

func (in *incremental) compare() (ok bool, err error) {
	changed := slices.Sorted(maps.Keys(in.changed))
	if in.rand(10) == 0 {
		changed = nil // events were lost
	}
	clear(in.changed)
	site, diags := in.loader.Load(changed)
	clean, want := load.Load(in.files, load.Options{Drafts: true, Editing: true})
	if d := cmp.Diff(linesOf(want), linesOf(diags)); d != "" {
		return false, fmt.Errorf("%q: diagnostics (-clean +incremental):\n%s", changed, d)
	}
	if want.HasErrors() {
		return false, nil
	}
	o := in.options
	o.BaseURL = clean.Config.BaseURL
	layers := themes.Default()
	if clean.Config.Theme != "default" {
		lab, _ := fs.Sub(in.files, "themes/lab")
		layers = theme.Overlay(theme.Layer{FS: lab, Dir: "themes/lab"}, themes.Default())
	}
	if in.rand(6) == 0 {
		in.report = newReport(clean)
	}
	var sources []results.Source
	for i := range in.machines {
		if in.report != nil {
			sources = append(sources, in.source(i))
		}
	}
	in.around(&o)
	a, moreA, errA := New(context.Background(), clean, sources, layers, o)
	o.Theme, o.Reports = &in.theme, &in.reports
	b, moreB, errB := New(context.Background(), site, sources, layers, o)
	if d := cmp.Diff(append(linesOf(moreA), fmt.Sprint(errA)), append(linesOf(moreB), fmt.Sprint(errB))); d != "" {
		return false, fmt.Errorf("%q: diagnostics of New (-clean +incremental):\n%s", changed, d)
	}
	if errA != nil || moreA.HasErrors() {
		return false, nil
	}
	in.rendered++
	files, err := sameFiles(a, b)
	if err != nil {
		return true, err
	}
	return true, in.build(b, files)
}

// build generates the files of a site that differ from an earlier one, and checks that the result equals a full
// build.
func (in *incremental) build(s *Site, all map[string][]byte) error {
	traces, made := memo.Traces{}, map[string][]byte{}
	for _, name := range s.PathsBeside(in.traces.InFolder) {
		was := in.traces[name]
		want, possible := all[name]
		data, now, ok, err := s.Make(name, was)
		if !ok || (err == nil) != possible {
			return fmt.Errorf("%s: %v, %v; made: %v", name, ok, err, possible)
		}
		if was.Key != (memo.Key{}) && now.Key == was.Key {
			data = in.made[name]
			in.reused++
		}
		if !bytes.Equal(data, want) {
			return fmt.Errorf("%s would not be generated again (-want +reused):\n%s", name, cmp.Diff(string(want), string(data)))
		}
		if err == nil {
			traces[name], made[name] = now, data
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(made))); d != "" {
		return fmt.Errorf("names (-all +beside):\n%s", d)
	}
	in.traces, in.made = traces, made
	return nil
}

// source returns the report of one of the machines, which changes only with that of the first.
func (in *incremental) source(i int) results.Source {
	r := in.report
	if i > 0 {
		key := fmt.Sprintf("lab%d", i)
		if in.more[key] == nil || in.more[key].of != in.report {
			copied := *in.report
			copied.Machine.Name = key
			in.more[key] = &copiedReport{in.report, &copied}
		}
		r = in.more[key].report
	}
	return results.Source{Report: r, Local: i == 1}
}

// A copiedReport is the report of a machine with the same results as another.
type copiedReport struct{ of, report *report.Report }

// around changes the other inputs of a site: dates from Git, and the theme.
func (in *incremental) around(o *Options) {
	if in.rand(6) == 0 {
		dates := maps.Clone(in.options.Changed)
		if name := in.page(); dates[name].IsZero() {
			dates[name] = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		} else {
			delete(dates, name)
		}
		in.options.Changed = dates
	}
	if in.rand(12) == 0 {
		in.options.Style = in.one([]string{"", "a{}", "b{}"})
	}
	if in.rand(12) == 0 {
		in.options.Params = map[string]any{"contact": in.one([]string{"x", "y"})}
	}
	o.Changed, o.Style, o.Params = in.options.Changed, in.options.Style, in.options.Params
}

func linesOf(l diag.List) (lines []string) {
	for _, d := range l.Sorted() {
		lines = append(lines, fmt.Sprintf("%s:%d:%d+%d %v %v %v %q %s %s", d.File, d.Line, d.Column, d.Width, d.Severity, d.Message, d.Hint, d.Source, d.Rule, d.Error()))
	}
	return lines
}

// sameFiles checks that two sites have the same files, and returns them.
func sameFiles(a, b *Site) (map[string][]byte, error) {
	if d := cmp.Diff(a.Paths(), b.Paths()); d != "" {
		return nil, fmt.Errorf("names (-clean +incremental):\n%s", d)
	}
	files := map[string][]byte{}
	for _, name := range a.Paths() {
		x, _, errX := a.File(name)
		y, _, errY := b.File(name)
		if fmt.Sprint(errX) != fmt.Sprint(errY) || !bytes.Equal(x, y) {
			return nil, fmt.Errorf("%s: %v %v (-clean +incremental):\n%s", name, errX, errY, cmp.Diff(string(x), string(y)))
		}
		if errX == nil {
			files[name] = x
		}
		if to, ok := a.Redirect(name); ok {
			if other, _ := b.Redirect(name); other != to {
				return nil, fmt.Errorf("%s redirects to %s, want %s", name, other, to)
			}
		}
	}
	return files, nil
}

// newReport returns the report of a machine that has run some of the current blocks, or nil.
func newReport(site *site.Site) *report.Report {
	r := &report.Report{Machine: report.Machine{Name: "lab", OS: "Linux"}}
	for _, p := range site.Pages {
		for _, b := range p.Blocks {
			if b.ID != "" && len(b.Code)%2 == 0 && !slices.ContainsFunc(r.Checks, func(c report.Check) bool { return c.ID == b.ID }) {
				r.Checks = append(r.Checks, report.Check{ID: b.ID, Page: p.Key, Name: b.Name, Outcome: report.Passed, Places: []report.Place{b.Place(b.Line)},
					Ran: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
			}
		}
	}
	if len(r.Checks) == 0 {
		return nil
	}
	return r
}

// TestEdits makes random edits, and checks after each of them that the site is byte for byte the same as a clean
// build.
func TestEdits(t *testing.T) {
	steps := *editSteps
	if testing.Short() {
		steps = min(steps, 15)
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			in := newIncremental(rand.New(rand.NewPCG(seed, 1)).IntN)
			if seed == 2 {
				in.machines = results.MaxIncluded + 4 // a page does not include all
			}
			var done []string
			for i := range steps {
				what, _, err := in.step()
				if done = append(done, what); err != nil {
					t.Fatalf("step %d: %v\nafter %q", i, err, done[max(0, len(done)-5):])
				}
			}
			if in.reused < in.rendered {
				t.Errorf("only %d files were the same after %d edits", in.reused, in.rendered)
			}
			if in.rendered < steps/3 {
				t.Errorf("only %d of %d steps could be rendered", in.rendered, steps)
			}
		})
	}
}

// TestReorderedList checks that pages follow a list of pages that was reordered, although neither their names nor
// their texts have changed.
func TestReorderedList(t *testing.T) {
	files := fstest.MapFS{"gpudocs.toml": {Data: []byte("[languages.pt]\n")}}
	for _, name := range []string{"a", "b"} {
		files["content/pt/"+name+".md"] = &fstest.MapFile{Data: []byte("# " + name + "\n")}
	}
	list := func(names string) {
		files["content/pt/index.md"] = &fstest.MapFile{Data: []byte("---\ndialects: d2l\n---\n# T\n\n```toc\n" + names + "\n```\n")}
	}
	loader := load.NewLoader(files, load.Options{})
	for _, names := range []string{"a\nb", "b\na"} {
		list(names)
		site, diags := loader.Load([]string{"content/pt/index.md"})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		clean, _ := load.Load(files, load.Options{})
		a, _, errA := New(t.Context(), clean, nil, themes.Default(), Options{})
		b, _, errB := New(t.Context(), site, nil, themes.Default(), Options{})
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		if _, err := sameFiles(a, b); err != nil {
			t.Errorf("%q: %v", names, err)
		}
		first := b.nav.Trees["pt"].Order[1].Placed.Page.Title
		if first != names[:1] {
			t.Errorf("%q: the first page is %q", names, first)
		}
	}
}

// FuzzEdits derives the edits from the fuzzer's bytes.
func FuzzEdits(f *testing.F) {
	f.Add([]byte("edits of a site"))
	f.Fuzz(func(t *testing.T, data []byte) {
		at := 0
		in := newIncremental(func(n int) int {
			at++
			return int(data[(at-1)%len(data)]+byte((at-1)/len(data))) % n
		})
		for range min(len(data)/8, 12) {
			if what, _, err := in.step(); err != nil {
				t.Fatalf("%v\nafter %s", err, what)
			}
		}
	})
}
