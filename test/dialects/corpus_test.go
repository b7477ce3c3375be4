// Package dialects proves on real documents that what authors of other tools have
// written comes through whole. The documents are others', so they are no part of
// this repository: GPUDOCS_CORPUS and GPUDOCS_SEEDS name the folders that hold
// them, and ../shared/corpus and ../shared/seeds beside the repository are taken if they are there.
package dialects

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/themes"
)

// folder is where documents of others stand, or the test is skipped.
func folder(t *testing.T, variable, beside string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", beside)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there are no documents in %s; %s names their folder", dir, variable)
	}
	return dir
}

// site makes a site of Markdown files by their path below content/.
func site(t *testing.T, config string, pages map[string]string) (*content.Site, *render.Site) {
	t.Helper()
	fsys := fstest.MapFS{content.ConfigFile: {Data: []byte(config)}}
	for name, text := range pages {
		fsys["content/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, diags := content.Load(fsys, content.Options{})
	for _, d := range diags {
		t.Log(d.Error())
	}
	if diags.HasErrors() {
		t.Fatal("the site has errors")
	}
	r, more, err := render.New(s, nil, themes.Default(), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range more {
		t.Log(d.Error())
	}
	return s, r
}

// whole holds that no line of any page is lost.
func whole(t *testing.T, s *content.Site, r *render.Site, pages map[string]string) {
	t.Helper()
	lines := 0
	for _, p := range s.Pages {
		name := strings.TrimPrefix(p.Source.Name, "content/")
		html, ok, err := r.File(p.URL + "index.html")
		if !ok || err != nil {
			t.Fatalf("%s: %v", p.URL, err)
		}
		for _, l := range lost(pages[name], string(html)) {
			lines++
			t.Errorf("%s:%d: %q is not on the page", name, l.number, strings.Join(l.words, " "))
		}
	}
	t.Logf("%d pages, %d lines lost", len(s.Pages), lines)
}

// markdown reads a folder's documents.
func markdown(t *testing.T, dir, language string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		pages[language+"/"+filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestFastAPI(t *testing.T) {
	dir := folder(t, "GPUDOCS_CORPUS", "corpus")
	pages := markdown(t, filepath.Join(dir, "fastapi", "pt"), "pt")
	for name, text := range markdown(t, filepath.Join(dir, "fastapi", "es"), "es") {
		pages[name] = text
	}
	s, r := site(t, "[markdown]\ndialects = [\"mkdocs\"]\n[languages.pt]\n[languages.es]\n", pages)
	whole(t, s, r, pages)
}

func TestD2L(t *testing.T) {
	pages := markdown(t, filepath.Join(folder(t, "GPUDOCS_CORPUS", "corpus"), "d2l-pt"), "pt")
	s, r := site(t, "[markdown]\ndialects = [\"d2l\"]\n", pages)
	whole(t, s, r, pages)
}

// The measure itself: what is lost is found, what is only markup is not.
func TestLost(t *testing.T) {
	const source = "---\ntitle: x\n---\n# Um título {#id}\n\nTexto com [um link](https://example.org/a_b) e `código ali`.\n\n" +
		"```python {title=x}\nprint(\"olá mundo novo\")\n```\n\n| a b c | d |\n|---|---|\n| e f g | h |\n\n<!-- nada disto -->\n- item de lista\n"
	const page = "<main><h1>Um título</h1><p>Texto com <a href=x>um link</a> e <code>código ali</code>.</p><pre><span>print</span>(\"olá mundo novo\")</pre>" +
		"<table><tr><td>a b c<td>d</tr><tr><td>e f g<td>h</table><ul><li>item de lista</ul></main>"
	if l := lost(source, page); l != nil {
		t.Errorf("nothing is lost: %v", l)
	}
	for _, part := range []string{"Um título", "Texto com ", "um link", "código ali", "mundo", "e f g", "item de lista"} {
		if lost(source, strings.Replace(page, part, "", 1)) == nil {
			t.Errorf("%q is lost and not found", part)
		}
	}
	numbers := []int{}
	for _, l := range lost(source, "<main></main>") {
		numbers = append(numbers, l.number)
	}
	if want := []int{4, 6, 9, 12, 14, 17}; !slices.Equal(numbers, want) {
		t.Errorf("lines %v; want %v", fmt.Sprint(numbers), want)
	}
}
