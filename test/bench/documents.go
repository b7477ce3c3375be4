package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A document is the text of a page without front matter, in the Markdown that both programs read alike:
// CommonMark, GitHub's tables, and headings with an id.
type document struct {
	// folder and name are its place below a language: "tutorial", "first-steps".
	folder, name string
	title, text  string
}

// read returns the documents below a folder, by the first part of their path: "pt", "es".
func read(dir string) (map[string][]document, error) {
	found := map[string][]document{}
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		language, rest, below := strings.Cut(name, "/")
		if !below {
			return nil // of the folder, not of a language
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		doc := plain(string(data), fsys)
		doc.folder = strings.TrimPrefix(path.Dir("/"+rest), "/")
		doc.name = strings.TrimSuffix(path.Base(rest), ".md")
		if doc.name == "index" {
			doc.name = "start"
		}
		found[language] = append(found[language], doc)
		return nil
	})
	return found, err
}

var (
	fence = regexp.MustCompile("^( *)(```+|~~~+) *\\{?\\.?([A-Za-z0-9+-]*)")
	// included matches a line that shows a file of code, which is not in the corpus.
	included = regexp.MustCompile(`^\s*\{\*!? *(\S+).*\*\}\s*$`)
	// foreign matches lines in dialects that only one of the programs knows.
	foreign = regexp.MustCompile(`^\s*(///.*|:(label|numref|begin_tab|end_tab|toc).*|#@tab.*|\$\$.*)\s*$`)
	dollar  = regexp.MustCompile(`\$[^$\n]*\$`)
	role    = regexp.MustCompile(":[a-z]+:`[^`]*`")
	link    = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]*)[^)]*\)(\{[^}]*\})?`)
	markup  = regexp.MustCompile(`</?[a-zA-Z][^>]*>`)
	title   = regexp.MustCompile(`(?m)^# +(.*?)( *\{.*\})? *$`)
)

// plain removes what is not measured: dialects, formulas, missing images, links within the site, raw HTML. A
// file of code that a page shows is taken from the corpus, where its path without the leading ../ is looked for. If it is
// not there, a program generated from its name takes its place, so that translations show the same one.
func plain(text string, corpus fs.FS) document {
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, closed := strings.Cut(rest, "\n---\n"); closed {
			text = body
		}
	}
	var doc document
	var out strings.Builder
	open := ""
	for line := range strings.Lines(text) {
		switch m := fence.FindStringSubmatch(line); {
		case open != "" && strings.HasPrefix(strings.TrimSpace(line), open):
			out.WriteString(open + "\n")
			open = ""
		case open != "":
			out.WriteString(line)
		case m != nil:
			open = m[2]
			language := cmp.Or(strings.ToLower(m[3]), "text")
			if language == "mermaid" { // only one of the programs draws it
				language = "text"
			}
			out.WriteString(open + language + "\n")
		case included.MatchString(line):
			fmt.Fprintf(&out, "```python\n%s```\n", code(corpus, included.FindStringSubmatch(line)[1]))
		case foreign.MatchString(line):
		default:
			out.WriteString(flat(line))
		}
	}
	if open != "" {
		out.WriteString("\n" + open + "\n")
	}
	doc.text = out.String()
	if m := title.FindStringSubmatch(doc.text); m != nil {
		doc.title = strings.Trim(m[1], " `\"")
		doc.text = strings.Replace(doc.text, m[0], "", 1)
	}
	if doc.title == "" {
		doc.title = "Sem nome"
	}
	return doc
}

// code returns the text of a file that a page shows.
func code(corpus fs.FS, name string) string {
	data, err := fs.ReadFile(corpus, strings.TrimLeft(name, "./"))
	if err != nil {
		return program(name)
	}
	return strings.TrimRight(string(data), "\n") + "\n"
}

// flat removes from a line of text what the programs read differently.
func flat(line string) string {
	line = dollar.ReplaceAllString(line, "x")
	line = role.ReplaceAllString(line, "")
	line = link.ReplaceAllStringFunc(line, func(l string) string {
		m := link.FindStringSubmatch(l)
		if m[1] == "" && strings.HasPrefix(m[3], "http") {
			return "[" + m[2] + "](" + m[3] + ")"
		}
		return m[2]
	})
	return markup.ReplaceAllString(line, "")
}

// generated returns documents of a few hundred made-up words in the form of a tutorial, the same at
// each call.
func generated() map[string][]document {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 600)
	for i := range words {
		for range 1 + r.IntN(3) {
			words[i] += string("bcdfglmnprstv"[r.IntN(13)]) + string("aeiou"[r.IntN(5)])
		}
	}
	found := map[string][]document{}
	for _, language := range []string{"pt", "es"} {
		for i := range 120 {
			found[language] = append(found[language], document{folder: fmt.Sprintf("section-%d", i/12), name: fmt.Sprintf("page-%d", i),
				title: sentence(r, words, 4), text: generate(r, words, i)})
		}
	}
	return found
}

// generate returns one document. Its code depends only on i, because translations have the same code.
func generate(r *rand.Rand, words []string, i int) string {
	var b strings.Builder
	for section := range 5 {
		fmt.Fprintf(&b, "## %s\n\n", sentence(r, words, 5))
		for range 4 {
			fmt.Fprintf(&b, "%s **%s** `%s` %s\n\n",
				sentence(r, words, 30), words[r.IntN(len(words))], words[r.IntN(len(words))], sentence(r, words, 25))
		}
		fmt.Fprintf(&b, "- %s\n- %s\n\n", sentence(r, words, 8), sentence(r, words, 12))
		if section%2 == 0 {
			fmt.Fprintf(&b, "```python\nimport torch\n\n\ndef step_%d(batch, scale=%d):\n"+
				"    \"\"\"Multiply, and return the sum.\"\"\"\n    total = 0.0\n"+
				"    for i, x in enumerate(batch):\n        if x is not None:\n            total += scale * x + %d  # of section %d\n"+
				"    return total\n\n\nprint(step_%d([1, 2, 3]))\n```\n\n", i, section, i, section, i)
		}
	}
	return b.String()
}

// program returns a program of 10 to 40 lines, the same one for the same name.
func program(name string) string {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	lines := []string{
		"    if value_%d is not None and len(items) > %d:  # a bound",
		"        items.append({\"name\": \"part %d\", \"price\": %d.5})",
		"    total_%d = sum(x * %d for x in items if x)",
		"    print(f\"{total_%d:>8} of {len(items)} in %d runs\")",
		"    value_%d: list[int] | None = [i for i in range(%d)]",
		"    assert isinstance(value_%d, (int, float)), 'more than %d'",
		"    return torch.ones(%d, %d, device=\"cuda\").sum().item()",
	}
	var b strings.Builder
	fmt.Fprintf(&b, "from typing import Annotated\n\nimport torch\n\n# %s\n\n", name)
	for f := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "@app.get(\"/items/%d\")\n"+
			"async def read_%d(items: list, q: Annotated[str | None, Query(max_length=%d)] = None):\n"+
			"    \"\"\"Return part %d.\"\"\"\n", f, f, r.IntN(99), f)
		for range 2 + r.IntN(6) {
			fmt.Fprintf(&b, lines[r.IntN(len(lines))]+"\n", r.IntN(99), r.IntN(99))
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

func sentence(r *rand.Rand, words []string, n int) string {
	picked := make([]string, n)
	for i := range picked {
		picked[i] = words[r.IntN(len(words))]
	}
	s := strings.Join(picked, " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// documents returns the documents of the corpus, or generated ones if it is empty, by language.
func documents(corpus string) (map[string][]document, string, error) {
	if corpus == "" {
		return generated(), "generated pages", nil
	}
	found, err := read(corpus)
	if err != nil {
		return nil, "", err
	}
	if len(found) == 0 {
		return nil, "", fmt.Errorf("%s: no folder in it holds Markdown", corpus)
	}
	for _, docs := range found {
		slices.SortFunc(docs, func(a, b document) int { return strings.Compare(a.folder+"/"+a.name, b.folder+"/"+b.name) })
	}
	return found, filepath.Base(corpus), nil
}
