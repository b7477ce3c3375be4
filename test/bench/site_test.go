package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// tree reads all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSite(t *testing.T) {
	t.Parallel()
	docs := generated()
	for code := range docs {
		docs[code] = docs[code][:10]
	}
	once, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{once, again} {
		if err := (site{pages: 240, languages: names, docs: docs}).write(dir); err != nil {
			t.Fatal(err)
		}
	}
	files, others := tree(t, once), tree(t, again)
	pages := map[string]int{}
	for name, data := range files {
		if others[name] != data {
			t.Errorf("%s differs in the second run", name)
		}
		if path.Ext(name) == ".md" {
			pages[strings.Split(name, "/")[1]]++
		}
	}
	if len(files) != len(others) || len(pages) != 12 {
		t.Errorf("%d and %d files, pages by language: %v", len(files), len(others), pages)
	}
	for code, n := range pages {
		if n != 20 {
			t.Errorf("%s has %d pages", code, n)
		}
	}
	code := func(name string) string {
		_, block, _ := strings.Cut(files[name], "```python\n")
		block, _, _ = strings.Cut(block, "```")
		return block
	}
	pt, es, later := code("content/pt/section-0/page-0.md"), code("content/es/section-0/page-0.md"), code("content/pt/part-1/section-0/page-0.md")
	if pt == "" || pt != es || later == "" || later == pt {
		t.Errorf("a translation must have the same code, and a later variant other code:\n%s\n%s\n%s", pt, es, later)
	}
}

// With one language, no two pages have the same code.
func TestOneLanguage(t *testing.T) {
	t.Parallel()
	docs := map[string][]document{"fr": generated()["es"][:10]}
	dir := t.TempDir()
	if err := newSite(30, 1, docs).write(dir); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for name, data := range tree(t, filepath.Join(dir, "content", "fr")) {
		for i, part := range strings.Split(data, "```") {
			if i%2 == 1 && seen[part] != "" {
				t.Errorf("%s has a block of %s", name, seen[part])
			} else if i%2 == 1 {
				seen[part] = name
			}
		}
	}
	if len(seen) != 90 {
		t.Errorf("%d blocks", len(seen))
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll("---\nx: y\n---\n# The title { #top }\n\nText with [a page](other.md), [a site](https://example.org), $x^2$ and <b>markup</b>.\n\n"+
		"/// tip\n\n{* ../code/one.py hl[2] *}\n\n{* ../../code/two.py *}\n\n'''{.python .input}\nx = '$1' # {* kept *}\n'''\n\n'''mermaid\ngraph\n", "'''", "```")
	d := plain(text, fstest.MapFS{"code/two.py": {Data: []byte("print(2)\n\n")}})
	if d.title != "The title" {
		t.Errorf("title %q", d.title)
	}
	for _, want := range []string{"Text with a page, [a site](https://example.org), x and markup.", "```python\nx = '$1' # {* kept *}\n```\n", "# ../code/one.py\n", "```python\nprint(2)\n```\n", "```text\ngraph\n\n```\n"} {
		if !strings.Contains(d.text, want) {
			t.Errorf("missing %q in\n%s", want, d.text)
		}
	}
	if strings.Contains(d.text, "///") || strings.Count(d.text, "```")%2 != 0 {
		t.Errorf("remains of a dialect:\n%s", d.text)
	}
	if first, again := program("a.py"), program("a.py"); first != again || first == program("b.py") {
		t.Error("the program of a name is not always the same, or two names have the same")
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	got := median([]sample{{3, 1, 10}, {1, 2, 30}, {2, 9, 20}})
	if want := (sample{2, 2, 20}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
