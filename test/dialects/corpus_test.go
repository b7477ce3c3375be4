// Package dialects checks with real documents written for other tools that nothing of them is lost. The
// documents belong to others, so they are not part of this repository: GPUDOCS_CORPUS and GPUDOCS_SEEDS
// name their folders. The defaults are ../shared/corpus and ../shared/seeds beside the repository.
package dialects

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// TestMain collects garbage less often, which takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// folder returns a folder of documents, or skips the test if there is none.
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

// A proof is a site of such documents, and its diagnostics.
type proof struct {
	*testing.T
	pages map[string]string // by their path below content/
	site  *site.Site
	out   *render.Site
	diags map[string]int // the number of diagnostics by their text without names
	// reported are the pages with a diagnostic that marks stay text.
	reported map[string]bool
}

// quoted are the names in a diagnostic.
var quoted = regexp.MustCompile(`"[^"]*"`)

func build(t *testing.T, config string, pages map[string]string) *proof {
	t.Helper()
	fsys := fstest.MapFS{site.ConfigFile: {Data: []byte(config)}}
	for name, text := range pages {
		fsys["content/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, diags := load.Load(fsys, load.Options{})
	if diags.HasErrors() {
		t.Fatalf("the site has errors: %v", diags)
	}
	out, more, err := render.New(t.Context(), s, nil, themes.Default(), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &proof{T: t, pages: pages, site: s, out: out, diags: map[string]int{}, reported: map[string]bool{}}
	for _, d := range append(diags, more...) {
		t.Log(d.Error())
		p.diags[d.Severity.String()+": "+quoted.ReplaceAllString(d.Message.String(), "…")]++
		if strings.Contains(d.Message.String(), "is text") {
			p.reported[strings.TrimPrefix(d.File, "content/")] = true
		}
	}
	return p
}

// whole checks that no line of any page is lost, and no mark of a dialect is shown.
func (p *proof) whole() {
	p.Helper()
	for _, page := range p.site.Pages {
		name := strings.TrimPrefix(page.Source.Name, "content/")
		html := p.html(page)
		for _, m := range markup.FindAllString(prose(html), -1) {
			if !p.reported[name] {
				p.Errorf("%s: %q is shown as text without a diagnostic", name, m)
			}
		}
		for _, l := range lost(p.pages[name], html) {
			p.Errorf("%s:%d: %q is not on the page", name, l.number, strings.Join(l.words, " "))
		}
	}
}

func (p *proof) html(page *site.Page) string {
	p.Helper()
	html, ok, err := p.out.File(page.URL + "index.html")
	if !ok || err != nil {
		p.Fatalf("%s: %v", page.URL, err)
	}
	return string(html)
}

// wantDiagnostics checks the number of diagnostics of each kind. Each kind was verified in the source.
func (p *proof) wantDiagnostics(want map[string]int) {
	p.Helper()
	if diff := cmp.Diff(want, p.diags); diff != "" {
		p.Errorf("diagnostics (-want +got)\n%s", diff)
	}
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
	p := build(t, "[markdown]\ndialects = [\"mkdocs\"]\n[languages.pt]\n[languages.es]\n", pages)
	p.whole()
	p.wantDiagnostics(map[string]int{
		// The code that pages include in a form of their own, their pictures, and three pages are not among the documents.
		"warning: this line is shown as it is: the file is not included":       180,
		"warning: there is no file …":                                          232,
		"warning: there is no page …":                                          6,
		"warning: this image has no text for those who cannot see it":          230,
		"warning: unknown key … in the front matter":                           2,
		"notice: no page, for its name begins with _, and no page includes it": 2,
		// Styles, a button and data of a script of the documents' own theme.
		"warning: raw HTML is sanitised: <button> is not shown":                                          2,
		"warning: raw HTML is sanitised: <style> is not shown":                                           2,
		"warning: raw HTML is sanitised: the attribute data-fastapi-opinions of <div> is left out":       2,
		"warning: raw HTML is sanitised: the attribute style of <div> is left out":                       2,
		"warning: raw HTML is sanitised: the attribute style of <img> is left out":                       2,
		"warning: templates of Jinja are not filled in, such as {% for sponsor in sponsors.keystone -%}": 2,
	})
}

func TestD2L(t *testing.T) {
	pages := markdown(t, filepath.Join(folder(t, "GPUDOCS_CORPUS", "corpus"), "d2l-pt"), "pt")
	p := build(t, "[markdown]\ndialects = [\"d2l\"]\n", pages)
	p.whole()
	p.wantDiagnostics(map[string]int{
		// Pictures, the bibliography and other chapters are not among the documents.
		"warning: there is no image …":                                         27,
		"warning: nothing in this language has the label …":                    15,
		"warning: this site has no bibliography, so citations show their keys": 6,
		// These are mistakes of the documents.
		"warning: :numref: without backquotes is text":                3,
		"warning: the tab is not closed, and ends with its paragraph": 1,
	})
}

// The check itself: lost text is found, and markup is not taken for lost text.
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
