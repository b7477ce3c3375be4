package coursefile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// outline writes the entries on one line: "Title=path(inner, ...)".
func outline(entries []Entry) string {
	var parts []string
	for _, e := range entries {
		s := e.Path
		if e.Title != "" {
			s = e.Title + "=" + e.Path
		}
		if e.Entries != nil {
			s += "(" + outline(e.Entries) + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // file, dialects, title, docs, bibliography, entries
	}{
		{"mkdocs", map[string]string{"mkdocs.yml": `
site_name: "A: b"
theme:
  custom: !!python/name:material.x.y
extra:
  key: !ENV [A, b]
nav:
  - Home: index.md
  - plain.md
  - Setup:
    - setup/index.md
    - "Deep: er":
      - A: setup/a.md
  - Elsewhere: https://example.org/x.md
markdown_extensions:
- x: !!python/object/apply:a.b
    kwds: {case: lower}
`}, `mkdocs.yml mkdocs "A: b" docs [] Home=index.md, plain.md, Setup=(setup/index.md, Deep: er=(A=setup/a.md))`},
		{"mkdocs without more", map[string]string{"mkdocs.yml": "docs_dir: ../src\n"}, `mkdocs.yml mkdocs ""  [] `},
		{"myst", map[string]string{"myst.yml": `
version: 1
project:
  title: T
  bibliography: [a.bib, b/c.bib]
  toc:
    - file: index.md
    - title: Part
      children:
        - file: b.md
          title: B
        - pattern: more/*.md
    - url: https://example.org
site:
  title: S
`}, `myst.yml myst "T" . [a.bib b/c.bib] index.md, Part=(B=b.md, more/*.md)`},
		{"jupyter book", map[string]string{"_config.yml": "title: T\nbibtex_bibfiles:\n  - r.bib\n", "_toc.yml": `
format: jb-book
root: intro
parts:
- caption: One
  chapters:
  - file: a
    sections:
    - file: a/b
    - glob: c/*
- chapters:
  - file: d
`}, `_toc.yml myst "T" . [r.bib] intro, One=(a(a/b, c/*)), (d)`},
		{"jupyter book, article", map[string]string{"_toc.yml": "format: jb-article\nroot: i\nsections:\n- file: a\n"}, `_toc.yml myst "" . [] i, a`},
		{"jupyter book, old", map[string]string{"_toc.yml": "- file: intro\n- part: P\n  chapters:\n  - file: a\n    sections:\n    - file: b\n- header: H\n"}, `_toc.yml myst "" . [] intro, P=(a(b))`},
		{"quarto book", map[string]string{"_quarto.yml": `
project: {type: book}
book:
  title: "Q"
  chapters:
    - index.qmd
    - part: first.qmd
      chapters: [a.qmd, b.qmd]
    - part: "Second"
      chapters:
        - href: c.qmd
  appendices:
    - d.qmd
bibliography: refs.bib
`}, `_quarto.yml quarto "Q" . [refs.bib] index.qmd, first.qmd(a.qmd, b.qmd), Second=(c.qmd), d.qmd`},
		{"quarto website", map[string]string{"_quarto.yml": `
website:
  title: W
  sidebar:
    - id: a
      title: "A"
      contents:
        - section: "S"
          href: s/index.qmd
          contents: "s/*.qmd"
    - contents:
        - text: "---"
        - x.qmd
`}, `_quarto.yml quarto "W" . [] A=(S=s/index.qmd(s/*.qmd)), (x.qmd)`},
		{"quarto navbar", map[string]string{"_quarto.yml": "website:\n  navbar:\n    left:\n    - text: M\n      menu:\n      - href: a.qmd\n"}, `_quarto.yml quarto "" . [] M=(a.qmd)`},
		{"carpentries", map[string]string{"config.yaml": "carpentry: 'swc'\ntitle: 'C'\nepisodes: \n- b.Rmd\n- a.md\nlearners: \n"},
			`config.yaml carpentries "C" . [] episodes/b.Rmd, episodes/a.md, learners/*, instructors/*, profiles/*`},
		{"carpentries, old", map[string]string{"_config.yml": "# x\n---\ncarpentry: \"swc\"\ntitle: \"C\"\nrepo: <A>/<B>\nepisode_order:\n  - 10-b\n  - 2-a\n"},
			`_config.yml carpentries "C" . [] 10-b, 2-a`},
		{"another config.yaml", map[string]string{"config.yaml": "title: x\n"}, ""},
		{"jekyll", map[string]string{"_config.yml": "title: x\n"}, ""},
		{"vault", map[string]string{".obsidian": ""}, `.obsidian obsidian "" . [] `},
		{"nothing", nil, ""},
		{"paths that lead out", map[string]string{"mkdocs.yml": "nav:\n- ../../etc/passwd\n- /a.md\n- a/../../b.md\n- \"c\\\\d.md\"\n"}, `mkdocs.yml mkdocs "" docs [] a.md`},
		{"aliases", map[string]string{"mkdocs.yml": "nav: &n\n- a.md\n- *n\n"}, `mkdocs.yml mkdocs "" docs [] a.md`},
	} {
		files := map[string][]byte{}
		for name, text := range tt.files {
			files[name] = []byte(text)
		}
		c, err := Read(files)
		got := ""
		if c != nil {
			got = fmt.Sprintf("%s %s %q %s %v %s", c.File, c.Dialect, c.Title, c.Docs, c.Bibliography, outline(c.Entries))
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
	}
}

func TestLeavesOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, text, out, in string }{
		{"mkdocs.yml", "exclude_docs: |\n  drafts/\n  *.tmp.md\n  !keep.tmp.md\n  /top.md\n  # comment\n", "drafts/a.md x/drafts/b.md a.tmp.md x/a.tmp.md top.md", "keep.tmp.md x/top.md a.md"},
		{"_config.yml", "exclude_patterns: [_build, \"*skip.md\", \"**/old/*\"]\n", "_build/a.md xskip.md a/old/b.md", "a/xskip.md b.md"},
		{"_quarto.yml", "project:\n  render:\n    - \"*.qmd\"\n    - \"!ignored.qmd\"\n    - \"!no/\"\n", "ignored.qmd no/a.qmd a.md", "a.qmd x/b.qmd"},
		{"_quarto.yml", "project:\n  render: [\"!no/\"]\n", "no/a.qmd", "a.qmd b.md"},
		{"myst.yml", "project:\n  exclude: [drafts/**, x.md]\n", "drafts/a/b.md x.md", "y/x.md"},
	} {
		files := map[string][]byte{tt.file: []byte(tt.text)}
		if tt.file == "_config.yml" {
			files["_toc.yml"] = []byte("root: a\n")
		}
		c, err := Read(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(tt.out) {
			if !c.LeavesOut(name) {
				t.Errorf("%s %q: %s is kept", tt.file, tt.text, name)
			}
		}
		for _, name := range strings.Fields(tt.in) {
			if c.LeavesOut(name) {
				t.Errorf("%s %q: %s is left out", tt.file, tt.text, name)
			}
		}
	}
}

// hostile are files that must neither take long nor fail to be told.
func hostile() map[string]string {
	laughs := "nav:\n- &a [x.md, x.md, x.md]\n"
	for c := 'b'; c < 'z'; c++ {
		laughs += fmt.Sprintf("- &%c [%s]\n", c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	return map[string]string{
		"laughs": laughs, "brackets": "nav: " + strings.Repeat("[", 5000), "large": "nav:\n" + strings.Repeat("- a.md\n", MaxSize/7+1),
		"indents": "nav:\n" + strings.Repeat(" ", 300) + "- a.md\n", "broken": "nav:\n- a: b: c\n  - d\n",
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for name, text := range hostile() {
		c, err := Read(map[string][]byte{"mkdocs.yml": []byte(text)})
		if c == nil || c.File != "mkdocs.yml" || c.Dialect == 0 || (err == nil) != (name == "laughs") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	for name, one := range map[string]string{"list": "- a/b.md\n", "titles": "- T: a.md\n", "keys": "k: v\n"} {
		complexitytest.Check(t, name, 100_000, func(n int) {
			_, _ = Read(map[string][]byte{"mkdocs.yml": []byte("nav:\n" + strings.Repeat(one, n/len(one)))})
		})
	}
}

// FuzzRead checks that no path leads out of the folder, whatever the file.
func FuzzRead(f *testing.F) {
	for _, text := range hostile() {
		f.Add("mkdocs.yml", text[:min(len(text), 500)])
	}
	f.Add("_quarto.yml", "book:\n  chapters:\n  - part: x\n    chapters: ['../a.qmd', a.qmd]\n")
	f.Add("_toc.yml", "root: ../x\nparts:\n- chapters:\n  - file: a\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		c, _ := Read(map[string][]byte{name: []byte(text)})
		if c == nil {
			return
		}
		c.LeavesOut("a/b.md")
		var check func(list []Entry)
		check = func(list []Entry) {
			for _, e := range list {
				if e.Path == ".." || strings.HasPrefix(e.Path, "../") || strings.HasPrefix(e.Path, "/") {
					t.Fatalf("%q", e.Path)
				}
				check(e.Entries)
			}
		}
		check(c.Entries)
	})
}
