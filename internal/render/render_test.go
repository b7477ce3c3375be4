package render

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/test/rendertest"
	"github.com/gpudocs/gpudocs/themes"
)

// TestMain collects garbage less often, which takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

var update = rendertest.Update

const config = "title = \"T\"\n[languages.pt]\nname = \"Português\"\nweight = 1\n[languages.es]\nname = \"Español\"\nweight = 2\n"

// bare is a theme that shows only the data, so that golden files depend on this package and not on the design.
var bare = fstest.MapFS{
	"layouts/page.html": file(`<h1{{with .HeadingID}} id="{{.}}"{{end}}>{{.Heading}}</h1>
{{.Body}}`),
	"layouts/root.html": file(`{{range .Languages}}{{.URL}} {{end}}`),
	"layouts/zz.html": file(`{{define "code"}}<code>{{.Language}}{{with .Anchor}} #{{.}}{{end}}{{with .Needs}} needs={{.}}{{end}}{{if .Expected}} expected{{end}}{{range .Words}} ({{.Text}}: {{or .Source .Code}}){{end}}:
{{.Code}}</code>{{with .Panel}}{{template "panel" .}}{{end}}
{{end}}{{define "diagram"}}{{with .Title}}<figcaption>{{.}}</figcaption>{{end}}{{.SVG}}<code>{{.Source}}</code>
{{end}}{{define "panel"}}
[{{.Status}}: {{.Summary}}]{{range .Results}}
- {{.Machine}}{{if .Local}} (local){{end}}{{if .Selected}} *{{end}} {{.StatusText}}{{with .WasText}} was {{.}}{{end}}; {{.Reason}}{{with .Place}} at {{.}}{{end}}; {{.Date}}; {{.Duration}}; {{.GPU}} {{.Driver}} {{.CUDA}}{{with .Interpreter}}; {{.}}{{end}}{{with .Packages}}; {{.}}{{end}}{{with .Signature.Text}}; {{.}}{{end}}
{{- with .Stdout}}
  out: {{.}}{{end}}{{with .Stderr}}
  err: {{.}}{{end}}{{with .StdoutCut}}
  cut: {{.}}{{end}}{{range .Captures}}
  {{.Name}} = {{.Value}} {{.Unit}}{{end}}{{if .Taken}}
  taken{{end}}{{range .Diff}}
  {{.Op}}: {{range .Parts}}{{if .Taken}}<mark>{{.Text}}</mark>{{else}}{{.Text}}{{end}}{{end}}{{end}}{{range .Rows}}
  {{.Want}} | {{.Found}} | {{.StatusText}} | {{.Reason}}{{end}}{{range .Measurements}}
  {{.Want}}{{range .GPUs}}
    {{.GPU}}: {{.Why}}{{.Rate}} ({{.Bar}}) {{.Share}} {{.Times}} {{.Lesson}} {{.Error}}{{if .Wrong}} wrong{{end}} {{.Backend}} {{.Power}} {{.Throttle}}{{with .Peers}} {{.}}{{end}}{{end}}{{with .CPU}}
    {{.}}{{end}}{{end}}{{end}}
{{end}}{{define "note"}}<note {{.URL}}>{{.Title}}{{with .Lang}} ({{.}}){{end}}
{{.Body}}</note>
{{end}}{{define "tabs"}}<tabs>{{.ID}}{{range .Tabs}}
<tab>{{.Title}}{{if .Selected}} selected{{end}}: {{.Body}}</tab>{{end}}
</tabs>
{{end}}{{define "machines"}}<machines>{{range .Machines}}
{{.Name}} | {{.OS}} | {{.GPU}} | {{.Driver}} | {{.CUDA}} | {{.Memory}} | {{.Compute}} | {{.Passed}} {{.Failed}} {{.NotApplicable}}+{{.Skipped}}{{with .Altered}} +{{.}}{{end}} | {{.Date}}{{with .Signature}}{{with .State}} | {{.}}{{end}}{{with .Text}}: {{.}}{{end}}{{end}}{{range .Devices}}
  {{.}}{{end}}{{range .Software}}
  {{.Name}}{{with .Environment}} in {{.}}{{end}}: {{.Status}}, {{.Text}}{{end}}{{with .Counts}}
  {{.}}{{end}}{{end}}
</machines>
{{end}}{{define "live"}}<live>{{.Machine}}.{{.Fact}}={{.Value}}</live>{{end}}`),
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// compiled has the theme that was compiled last for sites with the same languages: to compile one takes longer than
// most tests.
var compiled sync.Map

func newSite(t testing.TB, files map[string]string, layers fs.FS, o Options, sources ...results.Source) *Site {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		if text == "" && strings.HasSuffix(name, ".png") { // archives have no images
			text = sitetest.PNG(4, 3)
		}
		fsys[name] = file(text)
	}
	if fsys["gpudocs.toml"] == nil {
		fsys["gpudocs.toml"] = file(config)
	}
	site, diags := load.Load(fsys, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return siteOf(t, site, layers, o, sources...)
}

func siteOf(t testing.TB, all *site.Site, layers fs.FS, o Options, sources ...results.Source) *Site {
	t.Helper()
	if o.Theme == nil {
		key := fmt.Sprintf("%T", layers)
		for _, l := range all.Languages {
			key += " " + l.Code
		}
		cache, _ := compiled.LoadOrStore(key, new(theme.Cache))
		o.Theme = cache.(*theme.Cache)
	}
	s, _, err := New(t.Context(), all, sources, layers, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// labSite makes the site of an archive with the reports of its machines. change may change these.
func labSite(t testing.TB, name string, o Options, change func(*report.Report)) *Site {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return archiveSite(t, a, themes.Default(), o, change)
}

func archiveSite(t testing.TB, a *txtar.Archive, layers fs.FS, o Options, change func(*report.Report)) *Site {
	t.Helper()
	all := txtar.Archive{Files: slices.Clone(a.Files)}
	if !slices.ContainsFunc(all.Files, func(f txtar.File) bool { return f.Name == "gpudocs.toml" }) {
		all.Files = append(all.Files, txtar.File{Name: "gpudocs.toml", Data: []byte(config)})
	}
	lab := rendertest.Make(t, &all)
	var sources []results.Source
	for _, r := range lab.Reports {
		if change != nil {
			change(r.Report)
		}
		signature := results.Signature{State: results.SignatureState(r.Signature), By: r.Signer}
		sources = append(sources, results.Source{Report: r.Report, Local: r.Local, Signature: signature})
	}
	return siteOf(t, lab.Site, layers, o, sources...)
}

// everyField has a report with all fields.
const everyField = "results/testdata/every-field.txtar"

func get(t testing.TB, s *Site, name string) string {
	t.Helper()
	data, ok, err := s.File(name)
	if err != nil || !ok {
		t.Fatalf("%s: ok %v, %v; there are %q", name, ok, err, s.Paths())
	}
	return string(data)
}

// TestGolden renders the sites of testdata/*.txtar with the bare theme. A file
// under want/ is the page of that name.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { golden(t, name, bare) })
	}
}

func golden(t *testing.T, name string, layer fs.FS) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := archiveSite(t, a, theme.Overlay(layer, themes.Default()), Options{}, nil)
	wants := 0
	for i, f := range a.Files {
		page, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		wants++
		got := strings.TrimRight(get(t, s, page), "\n") + "\n"
		if *update {
			a.Files[i].Data = []byte(got)
		} else if d := cmp.Diff(string(f.Data), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", page, d)
		}
	}
	if wants == 0 {
		t.Error("the golden file has no pages under want/")
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkIDs returns the ID of every named check.
func checkIDs(t testing.TB, files map[string]string) map[string]report.ID {
	all := maps.Clone(files)
	if all["gpudocs.toml"] == "" {
		all["gpudocs.toml"] = config
	}
	s, _ := load.Load(sitetest.FS(all), load.Options{})
	return rendertest.IDs(s)
}

func TestFallback(t *testing.T) {
	s := newSite(t, map[string]string{
		"content/pt/index.md":   "# Início\n[só](so.md) [ambos](ambos.md#x)\n",
		"content/es/index.md":   "# Inicio\n[solo](so.md)\n",
		"content/pt/so.md":      "# Só em português\n![a](a.png)\n[início](index.md)\n",
		"content/pt/a.png":      "",
		"content/pt/ambos.md":   "# Ambos\n## X\n",
		"content/es/ambos.md":   "# Ambos es\n",
		"content/es/solo-es.md": "# Solo\n[cambio](../pt/so.md)\n",
	}, themes.Default(), Options{BaseURL: "https://example.org/docs"})

	missing := get(t, s, "es/so/index.html")
	for _, want := range []string{
		`<html lang="es">`, `<article lang="pt">`, "Só em português",
		`<link rel="canonical" href="https://example.org/docs/pt/so/">`,
		`<img src="../../pt/a.png"`, `href="../">início`,
	} {
		if !strings.Contains(missing, want) {
			t.Errorf("es/so lacks %s", want)
		}
	}
	if strings.Contains(missing, `rel="alternate" hreflang`) {
		t.Error("es/so claims alternates although it is no translation")
	}
	if home := get(t, s, "es/index.html"); !strings.Contains(home, `href="so/">solo`) {
		t.Error("a link to an untranslated page leaves the language")
	}
	real := get(t, s, "es/ambos/index.html")
	for _, want := range []string{
		`hreflang="pt" href="https://example.org/docs/pt/ambos/"`, `hreflang="es" href="https://example.org/docs/es/ambos/"`,
		`hreflang="x-default" href="https://example.org/docs/pt/ambos/"`,
	} {
		if !strings.Contains(real, want) {
			t.Errorf("es/ambos lacks %s", want)
		}
	}
	if only := get(t, s, "pt/solo-es/index.html"); !strings.Contains(only, `href="../so/">cambio`) {
		t.Error("a link that names another language's folder must lead there: ", only)
	}
}

// TestSameBytes checks that rendering is deterministic, and that pages can be rendered concurrently (with -race).
func TestSameBytes(t *testing.T) {
	files := generated(20)
	one, two := newSite(t, files, themes.Default(), Options{}), newSite(t, files, themes.Default(), Options{})
	if !slices.Equal(one.Paths(), two.Paths()) {
		t.Fatal("the paths differ")
	}
	var wg sync.WaitGroup
	for _, p := range one.Paths() {
		wg.Go(func() {
			a, _, err1 := one.File(p)
			b, _, err2 := two.File(p)
			c, _, err3 := one.File(p)
			if err1 != nil || err2 != nil || err3 != nil || !bytes.Equal(a, b) || !bytes.Equal(a, c) {
				t.Errorf("%s differs between two renderings: %v %v %v", p, err1, err2, err3)
			}
		})
	}
	wg.Wait()
	if _, ok, _ := one.File("../secret"); ok {
		t.Error("a file outside of the site")
	}
}

// TestBalanced checks that pages of the default theme close all elements, also those that Markdown and templates
// write together.
func TestBalanced(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.txtar")
	more, _ := filepath.Glob("*/testdata/*.txtar")
	if names = append(names, more...); len(names) < 10 {
		t.Fatalf("only %q", names)
	}
	for _, name := range names {
		s := labSite(t, name, Options{}, nil)
		for _, p := range s.Paths() {
			if strings.HasSuffix(p, ".html") {
				balanced(t, name+" "+p, get(t, s, p))
			}
		}
	}
}

func balanced(t *testing.T, name, page string) {
	t.Helper()
	var open []string
	ids := map[string]bool{}
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		for _, a := range token.Attr {
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("%s: duplicate id %q", name, a.Val)
			}
			if a.Key == "id" {
				ids[a.Val] = true
			}
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s: <%s %s=...> breaks the content security policy", name, token.Data, a.Key)
			}
		}
		switch token.Type {
		case html.StartTagToken:
			if !rawhtml.Void(token.Data) {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%s: </%s> ends %q", name, token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %q is never ended", name, open)
	}
}

// generated returns a site of n pages in each of two languages, with code and links.
func generated(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		for _, l := range []string{"pt", "es"} {
			files[fmt.Sprintf("content/%s/s%d/p%d.md", l, i/20, i)] = fmt.Sprintf(
				"# Página %d\n\n## Configuração\n\nTexto *com* `código` e um [elo](../s0/p0.md#configuração).\n\n"+
					"```python {run name=a}\nimport math\nprint(math.sqrt(%d))\n```\n\n```text {expect}\n...\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n", i, i)
		}
	}
	return files
}

func BenchmarkRender(b *testing.B) {
	files := generated(200)
	for b.Loop() {
		s := newSite(b, files, themes.Default(), Options{})
		for _, p := range s.Paths() {
			if _, _, err := s.File(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/400, "µs/page")
}

func BenchmarkPage(b *testing.B) {
	s := newSite(b, generated(200), themes.Default(), Options{})
	for b.Loop() {
		if _, _, err := s.File("pt/s3/p60/index.html"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFallbackNeverReplacesAPage checks that a page shown in another language does not get the address of a page of
// that language.
func TestFallbackNeverReplacesAPage(t *testing.T) {
	site, diags := load.Load(fstest.MapFS{"gpudocs.toml": file(config),
		"content/pt/a.md": file("---\ntranslation: x\n---\n# Em português\n"),
		"content/es/a.md": file("# En español\n")}, load.Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	s, diags, err := New(t.Context(), site, nil, themes.Default(), Options{})
	if err != nil || diags.Count(diag.Error) != 2 {
		t.Errorf("two addresses are claimed twice: %v, %v", diags, err)
	}
	if page := get(t, s, "pt/a/index.html"); !strings.Contains(page, "Em português") {
		t.Error("pt/a lost its own text")
	}
}

func TestOddNames(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# Home\n[x](a%23b.md) [y](a%3Ab.md)\n"}
	for _, name := range []string{"a#b", "a?b", "a%20b", "a:b", "a b", "ação"} {
		files["content/pt/"+name+".md"] = "# " + name + "\n"
	}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org"})
	for _, p := range []string{"pt/index.html", "pt/a#b/index.html", "pt/a:b/index.html"} {
		base, _ := url.Parse("https://example.org/" + nav.Escape(strings.TrimSuffix(p, "index.html")))
		for z := html.NewTokenizer(strings.NewReader(get(t, s, p))); z.Next() != html.ErrorToken; {
			token := z.Token()
			for _, a := range token.Attr {
				if a.Key != "href" || token.Data != "a" || strings.HasPrefix(a.Val, "#") {
					continue
				}
				to, err := base.Parse(a.Val)
				if err != nil || to.Host != base.Host {
					t.Errorf("%s: the link %q leads to %v, %v", p, a.Val, to, err)
					continue
				}
				name := strings.TrimPrefix(to.Path, "/")
				if strings.HasSuffix(to.Path, "/") {
					name += "index.html"
				}
				if _, ok, _ := s.File(name); !ok {
					t.Errorf("%s: the link %q leads to %s, which is not there", p, a.Val, to.Path)
				}
			}
		}
	}
}
