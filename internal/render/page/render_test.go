package page_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/test/rendertest"
	"github.com/gpudocs/gpudocs/themes"
)

const config = "title = \"T\"\n[languages.pt]\nname = \"Português\"\nweight = 1\n[languages.es]\nname = \"Español\"\nweight = 2\n"

// shared are caches for all tests, as starting an interpreter takes long.
var (
	shared      = tex.New(nil)
	drawer      = diagram.New(nil)
	highlighter = &highlight.Highlighter{}
	ofDefault   = sync.OnceValues(func() (*theme.Compiled, error) {
		return new(theme.Cache).Compile(themes.Default(), theme.CompileOptions{Languages: []string{"pt", "es", "en"}})
	})
)

// forget lets go of the interpreters. Each collection of garbage would look at them, which takes longer than what is measured.
func forget() { shared, drawer = tex.New(nil), diagram.New(nil) }

// dumped are templates that show their data.
type dumped struct{ t testing.TB }

func (d dumped) ExecuteTo(b *bytes.Buffer, name string, data any) error {
	_, err := fmt.Fprintf(b, "[%s\n%s]\n", name, rendertest.Dump(d.t, data))
	return err
}

// textsOf renders the pages of a site, by their addresses. change may change the input.
func textsOf(t testing.TB, s *site.Site, sources []results.Source, change func(*page.Input)) map[string]string {
	t.Helper()
	compiled, err := ofDefault()
	if err != nil {
		t.Fatal(err)
	}
	m, texts := &nav.Map{Content: s}, map[string]string{}
	list, _ := m.Build()
	index := results.NewIndex(s, sources, nil, &results.Cache{})
	for _, e := range list {
		at := *e.Placed
		words := rendertest.Texts(t, at.Language.Code)
		in := page.Input{
			Page:        at.Page,
			At:          at,
			Text:        words,
			Nav:         m,
			Results:     index.Present(words, at.URL(), index.Machines),
			Theme:       compiled,
			Highlighter: highlighter,
			Math:        shared,
			Diagrams:    drawer,
			UnsafeHTML:  s.Config.UnsafeHTML,
			Smaller:     true,
		}
		if change != nil {
			change(&in)
		}
		body, err := page.Render(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		id := ""
		if body.HeadingID != "" {
			id = fmt.Sprintf(" id=%q", body.HeadingID)
		}
		texts[at.URL()] = fmt.Sprintf("<h1%s>%s</h1>\n%s", id, body.Heading, body.HTML)
	}
	return texts
}

// rendered renders the pages of a site of these files, which must have no errors.
func rendered(t testing.TB, files map[string]string) map[string]string {
	t.Helper()
	files = maps.Clone(files)
	if files["gpudocs.toml"] == "" {
		files["gpudocs.toml"] = config
	}
	s, diags := load.Load(sitetest.FS(files), load.Options{})
	if diags.HasErrors() {
		t.Fatal(sitetest.Print(diags))
	}
	return textsOf(t, s, nil, nil)
}

// faultyPage renders a page, and returns its HTML and its diagnostics.
func faultyPage(t testing.TB, text string) (body, messages string) {
	t.Helper()
	s, diags := load.Load(sitetest.FS(map[string]string{"gpudocs.toml": config, "content/pt/p.md": text}), load.Options{})
	faults, err := page.Faults(t.Context(), s, shared, drawer, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return textsOf(t, s, nil, nil)["pt/p/"], sitetest.Print(append(diags, faults...).Sorted())
}

// TestGolden renders the sites of testdata with templates that show their data.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		lab := rendertest.Read(t, name)
		var sources []results.Source
		for _, r := range lab.Reports {
			sources = append(sources, results.Source{Report: r.Report, Local: r.Local})
		}
		lab.Golden(t, textsOf(t, lab.Site, sources, func(in *page.Input) { in.Theme = dumped{t} }))
	}
}

// balanced checks that elements are closed, ids are unique, and that nothing has style= or runs.
func balanced(t *testing.T, name, text string) {
	t.Helper()
	var open []string
	ids := map[string]bool{}
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		token := z.Token()
		for _, a := range token.Attr {
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("%s: duplicate id %q", name, a.Val)
			}
			ids[a.Val] = ids[a.Val] || a.Key == "id"
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s: <%s %s=...>", name, token.Data, a.Key)
			}
		}
		switch {
		case token.Type == html.StartTagToken && !rawhtml.Void(token.Data):
			open = append(open, token.Data)
		case token.Type == html.EndTagToken && (len(open) == 0 || open[len(open)-1] != token.Data):
			t.Fatalf("%s: </%s> ends nothing of %q", name, token.Data, open)
		case token.Type == html.EndTagToken:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %q stay open", name, open)
	}
}

// TestRenderWithin: a page within another has ids of its own, headings below a level, and links that lead to itself.
func TestRenderWithin(t *testing.T) {
	t.Parallel()
	s := sitetest.LoadValid(t, map[string]string{"gpudocs.toml": config, "content/pt/a.md": "# A\n\n## B {#b}\n\n[x](#b) [y](b.md)\n", "content/pt/b.md": "# B\n"})
	textsOf(t, s, nil, func(in *page.Input) {
		in.ForPrint, in.Anchors = true, map[string]string{"pt/b/": page.PrintPrefix + "2"}
		body, err := page.RenderWithin(t.Context(), *in, "_p.1.", "../a/", 2)
		if want := `<h3 id="_p.1.b">B</h3>` + "\n" + `<p><a href="#_p.1.b">x</a> <a href="#_p.2">y</a></p>` + "\n"; in.At.URL() == "pt/a/" && (err != nil || string(body.HTML) != want) {
			t.Errorf("%s, want %s; %v", body.HTML, want, err)
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	textsOf(t, s, nil, func(in *page.Input) {
		if _, err := page.Render(ctx, *in); err == nil {
			t.Error("a page after its end")
		}
	})
}

// TestResultBlock: results stand below the last expectation of a block.
func TestResultBlock(t *testing.T) {
	t.Parallel()
	p := sitetest.Page(t, "```bash {run name=x}\na\n```\n```text {expect}\nb\n```\n```text {expect stream=stderr}\nc\n```\n\nText.\n\n```bash {run name=y}\na\n```\n\n```bash\nz\n```\n")
	got := ""
	for _, f := range sitetest.Fences(p) {
		if b := page.ResultBlock(f); b != nil {
			got += b.Name
		}
		got += ";"
	}
	if got != ";;x;y;;" {
		t.Error(got)
	}
}
