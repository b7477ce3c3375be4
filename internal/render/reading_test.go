package render

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// grouped is a site with groups, a hidden page, prerequisites and ways to report a result.
var grouped = map[string]string{
	"gpudocs.toml": `title = "S"
[languages.pt]
weight = 1
[languages.es]
weight = 2
[site]
repository = "https://github.com/o/r/"
reading_time = true
[[nav.groups]]
name = "learn"
label = {pt = "Aprender", es = "Aprendizaje"}
links = [{label = "CUDA", url = "https://cuda.example/?a&b"}]
[[nav.groups]]
name = "links"
label = "Fora"
links = [{label = {pt = "Um", es = "Uno"}, url = {pt = "https://um.example", es = "https://uno.example"}}]
`,
	"content/pt/index.md":   "# Casa\n",
	"content/pt/b.md":       "---\nweight: 2\ngroup: learn\nprerequisites: [x/c]\ntime: 40\n---\n# B\n\n```bash {run name=ls}\ntrue\n```\n",
	"content/pt/x/c.md":     "---\nweight: 1\ngroup: learn\n---\n# C & Co\n\n## Um\n\n### Dois\n\n## Três\n",
	"content/pt/secret.md":  "---\nhidden: true\n---\n# Secret\n\n```bash {run name=hidden}\nfalse\n```\n",
	"content/pt/x/apart.md": "# Apart\n",
	"content/pt/y/index.md": "---\nhidden: true\n---\n# Secret of y\n",
	"content/pt/y/under.md": "# Under\n\n```bash {run name=below}\ntrue\n```\n",
	"content/es/b.md":       "# Be\n\n```bash {run name=ls}\ntrue\n```\n",
	"content/es/x/c.md":     "# Ce\n\n## Uno\n\n### Dos\n\n## Tres\n",
}

func TestGroups(t *testing.T) {
	t.Parallel()
	s := newSite(t, grouped, themes.Default(), Options{BaseURL: "https://example.org/"})
	page := get(t, s, "pt/b/index.html")
	order := func(text string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			_, after, ok := strings.Cut(text, p)
			if !ok {
				t.Fatalf("no %s after the ones before, in\n%s", p, text)
			}
			text = after
		}
	}
	order(page, `class="side"`, ">Casa<", ">X</a>", ">Apart<", "<span>Y<", ">Under<", "<span>Aprender<", ">C &amp; Co<", `aria-current="page">B<`,
		`<a href="https://cuda.example/?a&amp;b" rel="external">CUDA<`, "<span>Fora<", `href="https://um.example" rel="external">Um<`, "</nav>")
	order(page, `class="crumbs"`, ">Casa<", "<span>Aprender</span>", "</nav>")
	order(page, `class="before"`, "40 min", `<a href="../x/c/">C &amp; Co</a>`)
	order(page, `class="pager-prev"`, "C &amp; Co")
	order(get(t, s, "pt/x/c/index.html"), `class="pager-prev"`, "Under", `class="pager-next"`, ">B<")
	order(get(t, s, "es/b/index.html"), `class="side"`, "<span>Aprendizaje<", ">Ce<", ">Be<", ">CUDA<", "uno.example", ">Uno<", "40 min", ">Ce</a>") // weights as in Portuguese
	order(get(t, s, "pt/llms.txt"), "Casa", "## X", "Apart", "## Y", "Under", "## Aprender", "[C \\& Co](", "[B](")
	order(get(t, s, "pt/_print/index.html"), ">Apart<", ">C &amp; Co<", ">B<")
	for _, name := range []string{"pt/llms.txt", "pt/_print/index.html", "pt/x/index.html", "sitemap.xml", "pt/b/index.html"} {
		if text := get(t, s, name); strings.Contains(strings.ToLower(text), "secret") || strings.Contains(text, "Fora") && !strings.HasSuffix(name, ".html") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	hidden := get(t, s, "pt/secret/index.html")
	order(hidden, `content="noindex"`, "Secret")
	if strings.Contains(hidden, `class="pager`) {
		t.Error("a hidden page has neighbours")
	}
	order(get(t, s, "_results/index.json"), `"below"`, `"hidden"`)
	if strings.Contains(get(t, s, "pt/index.html"), `class="before"`) {
		t.Error("the home page takes time")
	}
}

// Numbers go on from group to group, in the order of each language, and stand wherever a page is named for a reader. Links to other
// sites and hidden pages have none.
func TestNumberedGroups(t *testing.T) {
	t.Parallel()
	files := maps.Clone(grouped)
	files["gpudocs.toml"] = strings.Replace(files["gpudocs.toml"], `name = "l`, "numbered = true\n"+`name = "l`, 2)
	for _, l := range []string{"pt", "es"} {
		files["content/"+l+"/b.md"] += "\n---\n"
		files["content/"+l+"/b/below.md"] = "# Below\n"
		files["content/"+l+"/z.md"] = "---\ngroup: links\nprerequisites: [b/below]\n---\n# Zet\n"
	}
	files["content/es/x/c.md"] = "---\nweight: 3\n---\n" + files["content/es/x/c.md"]
	s := newSite(t, files, themes.Default(), Options{})
	for _, c := range []struct{ name, begin, want string }{
		{"pt/b/index.html", `class="side"`, ">1. C &amp; Co<|>2. B<|>2.1. Below<|>CUDA<|>3. Zet<|>Um<"},
		{"pt/b/index.html", "<h1", ">2. B<"},
		{"pt/b/index.html", `class="pager"`, ">1. C &amp; Co<|>2.1. Below<"},
		{"pt/b/below/index.html", `class="crumbs"`, ">2. B<"},
		{"es/z/index.html", "<h1", ">3. Zet<|>1.1. Below<"},
		{"pt/_print/index.html", "print-contents", "<ul>|>1. C &amp; Co<|>2. B<|>2.1. Below<|>3. Zet<"},
		{"pt/_print/index.html", "printed-title", ">1. C &amp; Co<"},
		{"pt/llms.txt", "## Aprender", "[1. C|[2. B]|[2.1. Below]|[3. Zet]"},
		{"pt/_my-gpu.js", "", `"2. B"`},
		{"pt/secret/index.html", "<h1", ">Secret<"},
	} {
		text := get(t, s, c.name)
		_, after, found := strings.Cut(text, c.begin)
		for want := range strings.SplitSeq(c.want, "|") {
			if _, after, found = strings.Cut(after, want); !found {
				t.Errorf("%s has no %s after %s", c.name, want, c.begin)
			}
		}
	}
	for _, b := range s.Books() {
		html, err := b.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if text := string(html); b.All && b.Language == "pt" && (!strings.Contains(text, ">2. B</span>") || !strings.Contains(text, ">2. B</h1>")) {
			t.Errorf("a book has no numbers:\n%s", text)
		}
	}
}

// A site without the keys has no trace of them.
func TestWithoutGroups(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"content/pt/b.md": "# B\n\n```bash {run}\ntrue\n```\n"}, themes.Default(), Options{}, results.Source{Report: &report.Report{Schema: 1, Machine: report.Machine{Name: "m1"}}})
	for _, no := range []string{`class="before"`, `rel="external`, "data-sections", `class="changed"`} {
		if page := get(t, s, "pt/b/index.html"); strings.Contains(page, no) {
			t.Errorf("%s:\n%s", no, page)
		}
	}
}

func TestReportLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ site, base, want string }{
		{`repository = "https://github.com/o/r"`, "https://example.org/", "https://github.com/o/r/issues/new?title=Resultado errado: A & B&body=Página: https://example.org/pt/b/#run-ls\nBloco: ls\nMáquina: m1\n\nO que vi e o que esperava:\n"},
		{`repository = "https://gitlab.lab.example/g/r/"`, "", "https://gitlab.lab.example/g/r/-/issues/new?issue[title]=Resultado errado: A & B&issue[description]=Página: content/pt/b.md#run-ls\nBloco: ls\nMáquina: m1\n\nO que vi e o que esperava:\n"},
		{`report_url = "https://t.example/{machine}?p={page}&b={block}&t={title}"`, "", "https://t.example/m1?p=content/pt/b.md#run-ls&b=ls&t=Resultado errado: A & B"},
		{`repository = "https://git.example/o/r"`, "", ""},
		{"", "", ""},
	} {
		files := map[string]string{"gpudocs.toml": "[languages.pt]\n[site]\n" + tt.site + "\n", "content/pt/b.md": "# A & B\n\n```bash {run name=ls}\ntrue\n```\n"}
		s := newSite(t, files, themes.Default(), Options{BaseURL: tt.base})
		p := s.plan.content.Pages[0]
		got, err := url.QueryUnescape(s.plan.reportURL(s.plan.theme.Text("pt"), p, p.Blocks[0], "m1"))
		if want := strings.ReplaceAll(tt.want, "#run-ls", "#"+p.Blocks[0].Anchor()); err != nil || got != want {
			t.Errorf("%s: %q, want %q", tt.site, got, want)
		}
		if of := s.plan.reportURL(s.plan.theme.Text("pt"), p, nil, ""); strings.Contains(get(t, s, "pt/b/index.html"), `class="changed"`) != (of != "") || strings.ContainsAny(of, " \n\"") {
			t.Errorf("%s: below the page is no link, or %q", tt.site, of)
		}
	}
}

func TestCounterparts(t *testing.T) {
	headings := func(text string) (list []theme.TOCEntry) {
		for _, f := range strings.Fields(text) {
			list = append(list, theme.TOCEntry{Level: int(f[0] - '0'), ID: f[1:]})
		}
		return list
	}
	for _, tt := range []struct{ page, other, want string }{
		{"2a 3b 2c", "2a 3b 2c", ""},
		{"2a 3b 2c", "2x 3y 2z", "x y z"},
		{"2a 3b 2c 2d", "2x 3y 2c 2w", "x y c w"},
		{"2a 2b 2c", "2c 2x", "_content _content c"}, // moved, and two are new
		{"2a 3b 2c", "2x 2c", "x x c"},
		{"2a 2b", "", "_content _content"},
		{"", "2a", ""},
		{"2a 2b 2c", "2b 2a 2x", "a b b"}, // in another order
	} {
		if got := counterparts(headings(tt.page), headings(tt.other)); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.page, tt.other, got, tt.want)
		}
	}
}
