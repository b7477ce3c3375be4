package load_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var editSteps = flag.Int("edits", 60, "how many random edits TestEdits makes with each seed")

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
	switch n := e.rand(21); {
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
		e.write(name, e.one([]string{"", "x", sitetest.PNG(4, 3), sitetest.PNG(8, 8), "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='4'/>"}))
		return "write " + name
	case n < 17:
		name := e.one([]string{"content/pt/_n.md", "content/pt/gpu/_n.md", "parts/p.md", "code/x.py"})
		e.write(name, e.one([]string{"part [a](a.md)\n", "## um {#um}\n", ":::include parts/p.md\n:::\n", "print(1)\n"}))
		return "write " + name
	case n < 18 && e.rand(2) == 0: // a folder becomes a course, or another one
		name := "content/" + e.one(editLanguages) + "/" + e.one([]string{"config.yaml", "mkdocs.yml", "_quarto.yml"})
		if e.rand(3) == 0 {
			e.remove(name)
			return "remove " + name
		}
		e.write(name, e.one([]string{"", "carpentry: lc\ntitle: T\n", "site_name: S\nnav:\n- a.md\n", "project:\n  type: book\nbook:\n  chapters:\n  - a.md\n"}))
		return "write " + name
	case n < 18:
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
	{"", "[languages.pt]\nname=\"P\"\nweight=1\n[languages.es]\n[languages.en]\n", "[languages.es]\nweight=2\n[languages.pt]\nweight=5\n"},
	{"[markdown]\n"},
	{"", "bibliography = \"refs.bib\"\n"},
	{"", "unsafe_html = true\n"},
	{"", "dialects = [\"obsidian\", \"mkdocs\"]\n", "dialects = [\"d2l\"]\n", "punctuation = \"smart\"\n"},
	{"", "[translations]\nsource = \"es\"\n"},
	{"", "[env.torch]\nconda = \"t\"\n"},
	{"", "[blocks]\nneeds = \"gpus >= 1\"\n", "[site]\nedit = \"https://example.org/{path}\"\n"},
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

// A changingSite is loaded again after each edit, and compared with a clean load.
type changingSite struct {
	*editor
	loader *load.Loader
	valid  int
}

func newChangingSite(random func(n int) int) *changingSite {
	e := &editor{rand: random, files: fstest.MapFS{}, changed: map[string]bool{}, settings: make([]int, len(editSettings))}
	e.write(site.ConfigFile, "")
	e.write("content/pt/index.md", "# Um\n")
	return &changingSite{editor: e, loader: load.NewLoader(e.files, load.Options{Drafts: true, Editing: true})}
}

// step makes some edits, and checks that the site equals one that is loaded for the first time. Edits that break it are undone.
func (c *changingSite) step() (what string, err error) {
	before := maps.Clone(c.files)
	for range 1 + c.rand(3) {
		what += c.edit() + "; "
	}
	valid, err := c.compare()
	if valid || err != nil {
		return what, err
	}
	for name := range c.files {
		if before[name] == nil {
			c.remove(name)
		}
	}
	for name, f := range before {
		if c.files[name] != f {
			c.files[name], c.changed[name] = f, true
		}
	}
	_, err = c.compare()
	return what + "undo; ", err
}

func (c *changingSite) compare() (valid bool, err error) {
	changed := slices.Sorted(maps.Keys(c.changed))
	if c.rand(10) == 0 {
		changed = nil // events were lost
	}
	clear(c.changed)
	s, diags := c.loader.Load(changed)
	clean, want := load.Load(c.files, load.Options{Drafts: true, Editing: true})
	if d := cmp.Diff(append(linesOf(want), textOf(clean)...), append(linesOf(diags), textOf(s)...)); d != "" {
		return false, fmt.Errorf("%q (-clean +again):\n%s", changed, d)
	}
	if want.HasErrors() {
		return false, nil
	}
	c.valid++
	return true, nil
}

func linesOf(l diag.List) (lines []string) {
	for _, d := range l.Sorted() {
		lines = append(lines, fmt.Sprintf("%s:%d:%d+%d %v %v %v %q %s %s", d.File, d.Line, d.Column, d.Width, d.Severity, d.Message, d.Hint, d.Source, d.Rule, d.Error()))
	}
	return lines
}

// textOf returns what a site knows: its pages, their texts and blocks, and where their links lead.
func textOf(s *site.Site) (lines []string) {
	if s == nil {
		return nil
	}
	add := func(form string, values ...any) { lines = append(lines, fmt.Sprintf(form, values...)) }
	target := func(t site.Target) string {
		to := ""
		if t.Page != nil {
			to = t.Page.File.Name
		}
		return fmt.Sprintf("%s %s %s %s %v %s %v", to, t.Asset, t.Generated, t.External, t.Missing, t.Suffix, t.OtherLanguage)
	}
	add("assets %q, included %q, searched %q, left out %v", s.Assets, s.Included, s.Searched, s.LeftOut)
	for _, r := range s.Redirects {
		add("redirect %s %s %s", r.From, r.Language.Code, r.Page.File.Name)
	}
	for _, p := range s.Pages {
		state, changes := s.Translation(p)
		add("%s: %s %q key %s, source %s, %v %v", p.File.Name, p.URL, p.Title, p.Key, s.Source(p.Key).File.Name, state, changes)
		add("%s", p.Source.Data)
		position, listed := s.ListPositions[p]
		add("headings %v, tags %v, position %d %v", p.Headings, p.Tags, position, listed)
		for _, b := range p.Blocks {
			add("block %s %s %q", b.Name, b.ID, b.Code)
		}
		links := s.Links(p)
		add("cites %v, image %s, equations %v", links.Cited, target(links.Image), links.EquationNumbers)
		for _, l := range links.All {
			size, err := s.ImageSize(l.Target.Asset)
			add("link %s to %s, %v %v", l.Destination, target(l.Target), size, err)
		}
		for _, i := range slices.Sorted(maps.Keys(links.ResolvedReferences)) {
			r := links.ResolvedReferences[i]
			add("reference %d to %s, %s %v", i, target(r.Target), r.Number, r.OnOtherPage)
		}
		for _, i := range slices.Sorted(maps.Keys(links.ContentsLists)) {
			for _, t := range links.ContentsLists[i] {
				add("list %d has %s", i, target(t))
			}
		}
	}
	return lines
}

// TestEdits makes random edits, and checks after each of them that a site that is loaded again equals one that is loaded for the
// first time.
func TestEdits(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newChangingSite(rand.New(rand.NewPCG(seed, 1)).IntN)
			var done []string
			for i := range *editSteps {
				what, err := c.step()
				if done = append(done, what); err != nil {
					t.Fatalf("step %d: %v\nafter %q", i, err, done[max(0, len(done)-5):])
				}
			}
			if c.valid < *editSteps/3 {
				t.Errorf("only %d of %d steps left a valid site", c.valid, *editSteps)
			}
		})
	}
}

// FuzzEdits derives the edits from the fuzzer's bytes.
func FuzzEdits(f *testing.F) {
	f.Add([]byte("edits of a site"))
	f.Fuzz(func(t *testing.T, data []byte) {
		at := 0
		c := newChangingSite(func(n int) int {
			at++
			return int(data[(at-1)%len(data)]+byte((at-1)/len(data))) % n
		})
		for range min(len(data)/8, 12) {
			if what, err := c.step(); err != nil {
				t.Fatalf("%v\nafter %s", err, what)
			}
		}
	})
}

// TestReorderedList checks that pages follow a list of pages that was reordered, although neither their names nor
// their texts have changed.
func TestReorderedList(t *testing.T) {
	files := sitetest.FS(map[string]string{site.ConfigFile: "[languages.pt]\n", "content/pt/a.md": "# a\n", "content/pt/b.md": "# b\n"})
	l := load.NewLoader(files, load.Options{})
	for first, names := range map[string]string{"a": "a\nb", "b": "b\na"} {
		files["content/pt/index.md"] = &fstest.MapFile{Data: []byte("---\ndialects: d2l\n---\n# T\n\n```toc\n" + names + "\n```\n")}
		s, _ := l.Load([]string{"content/pt/index.md"})
		got := ""
		for p, position := range s.ListPositions {
			if position == 1 {
				got += p.Title
			}
		}
		if got != first {
			t.Errorf("%q: the first page is %q", names, got)
		}
	}
}
