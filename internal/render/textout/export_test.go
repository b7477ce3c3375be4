package textout

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// inputs returns the pages of a lab, in order.
func inputs(t testing.TB, lab *rendertest.Lab, baseURL string) (list []Input) {
	t.Helper()
	var sources []results.Source
	for _, r := range lab.Reports {
		sources = append(sources, results.Source{Report: r.Report})
	}
	return inputsOf(t, lab.Site, baseURL, sources...)
}

func inputsOf(t testing.TB, s *site.Site, baseURL string, sources ...results.Source) (list []Input) {
	t.Helper()
	m, index := &nav.Map{Content: s, BaseURL: baseURL}, results.NewIndex(s, sources, nil, &results.Cache{})
	m.Build()
	for _, p := range s.Pages {
		words := rendertest.Texts(t, p.Language.Code)
		list = append(list, Input{
			Page:    p,
			Nav:     m,
			Results: index.Present(words, p.URL, index.Included(p)),
			Text:    words,
			From:    p.Language.Code + "/",
			Outputs: func(*site.Block) *report.Check { return nil },
		})
	}
	return list
}

const config = "title = \"T\"\n[languages.pt]\nname = \"P\"\n"

// pageOf returns the first page of a site, unless it has errors.
func pageOf(t testing.TB, more, text string) (in Input, ok bool) {
	t.Helper()
	s, diags := load.Load(sitetest.FS(map[string]string{
		"gpudocs.toml":        config + more,
		"content/pt/index.md": text,
		"content/pt/b.md":     "# B\r\n\r\nSee [a](index.md) and [c][^n].\r\n\r\n[^n]: Note.\r\n",
		"content/pt/code.py":  "print(1)\n",
		"content/pt/f.png":    "",
	}), load.Options{})
	if s == nil || diags.HasErrors() {
		return in, false
	}
	for _, in = range inputsOf(t, s, "") {
		if in.Page.Key == "index" {
			return in, true
		}
	}
	return in, false
}

func onePage(t testing.TB, more, text string) Input {
	t.Helper()
	in, ok := pageOf(t, more, text)
	if !ok {
		t.Fatalf("%q has errors", text)
	}
	return in
}

// TestExports compares the exports of pages with their goldens.
func TestExports(t *testing.T) {
	lab, got := rendertest.Read(t, "testdata/exports.txtar"), map[string]string{}
	for _, in := range inputs(t, lab, "") {
		in.From = in.Page.URL
		got[File(in.Page)] = Markdown(in)
	}
	lab.Golden(t, got)
}

const inDialects = "[markdown]\ndialects = [\"obsidian\", \"mkdocs\", \"d2l\"]\n"

// TestMarkdown checks how what authors write is written in an export.
func TestMarkdown(t *testing.T) {
	const to = "pt/b/index.html.md"
	none := "\n\n> **Resultados por máquina**: Nenhuma máquina executou isto ainda"
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a\r\n\r\nb\r\n", "a\n\nb"},
		{"[b.md](b.md)", "[b.md](" + to + ")"},
		{"[`](b.md`](b.md#b 'b.md')", "[`](b.md`](" + to + "#b \"b.md\")"},
		{"[![](f.png)](b.md)", "[![](pt/f.png)](" + to + ")"},
		{"> [a](\n>   b.md)", "> [a](" + to + ")"},
		{"[b.md][] [x][b.md] b.md\n\n[b.md]:\n  b.md", "[b.md](" + to + ") [x](" + to + ") b.md"},
		{"[a](missing.md) [b]() <https://x.example/b.md> [c](https://x.example/b.md)", "a [b](pt/index.html.md) <https://x.example/b.md> [c](https://x.example/b.md)"},
		{"`[a](b.md)`\n\n    [a](b.md)", "`[a](b.md)`\n\n```\n[a](b.md)\n```"},
		{"| a |\n|---|\n| [[b\\|c]] |", "| a |\n|---|\n| [c](" + to + ") |"},
		{"[[missing]] [[b]] [a [[b]]](index.md)", "missing [b](" + to + ") [a b](pt/index.html.md)"},
		{"a ![[b|c]] ![[f.png|100]]", "a [c](" + to + ") ![f.png](pt/f.png)"},
		{"- ![[b]]\n\n  c", "- > **[B](" + to + ")**\n  >\n  > See [a](pt/index.html.md) and [c][^b-n].\n  >\n  > [^b-n]: Note.\n\n  c"},
		{"![[index]]", "> **[index](pt/index.html.md)**\n>\n> [index](pt/index.html.md)"},
		{strings.Repeat("- ", 40) + "![[b]]", strings.Repeat("- ", maxLevels) + "[B](" + to + ")"},
		{"a %%b%% c\n\n%%\nd\n%%\n\n<!-- e\n\nf -->\ng <!-- h --> i", "a  c\n\ng  i"},
		{"- a\n<!-- b -->\n- c\n\n<div><!-- d\n-->\ne</div>", "- a\n\n<!-- -->\n\n- c\n\n<div><!-- -->\ne</div>"},
		{"<a href=b.md title='b.md'>x</a> <img src='f.png?a&amp;b'\nalt=\"src=f.png\">", "<a href=\"" + to + "\" title='b.md'>x</a> <img src=\"pt/f.png?a&amp;b\"\nalt=\"src=f.png\">"},
		{"<div data-src='f.png'><img srcset='f.png, f.png 2x'></div>", "<div data-src='f.png'><img srcset=\"pt/f.png, pt/f.png 2x\"></div>"},
		{"> ```python {file=\"code.py\" title=t.py hl_lines=1}\n> ```", "> *t.py*\n>\n> ```python {1}\n> print(1)\n> ```"},
		{"```bash {run}\na\n```\nb", "```bash\na\n```" + none + "\n\nb"},
		{"1. > ```bash {run}\n   > a\n   > ```\n   b", "1. > ```bash\n   > a\n   > ```\n   >\n   > > **Resultados por máquina**: Nenhuma máquina executou isto ainda\n\n   b"},
		{"[^label]: ```bash {run}\n    a\n    ```\n\nb[^label]", "b[^label]\n\n[^label]:\n\n    ```bash\n    a\n    ```\n\n    > **Resultados por máquina**: Nenhuma máquina executou isto ainda"},
		{"=== \"A\"\n\n    a\n\nb\n\n- c\n\n=== \"B\"\n\n    b\n\n- d\n", "- **A**\n\n  a\n\nb\n\n- c\n\n<!-- -->\n\n- **B**\n\n  b\n\n<!-- -->\n\n- d"},
		{"## É {#e}\n\n### F\n\n### F\n", "## É {#e}\n\n### F\n\n### F {#f-1}"},
		{"*[GPU]: *unit*\n\nA GPU.", "*[GPU]: *unit*\n\nA GPU."},
		{"!!! tip \"\"\n    a\n\n??? foo\n    b\n\n???+ note \"c\"\n    d\n", "> [!tip]\n> a\n\n> [!foo]- Foo\n> b\n\n> [!note]+ c\n> d"},
	} {
		in := onePage(t, inDialects, c.in)
		in.From = ""
		if got := strings.Trim(strings.TrimPrefix(Markdown(in), "# index\n"), "\n"); got != c.want {
			t.Errorf("%q\nis   %q\nwant %q", c.in, got, c.want)
		}
	}
}

// TestWithheld checks that a solution that is not published yet is the day on which it is.
func TestWithheld(t *testing.T) {
	for day, want := range map[time.Time]string{{}: "> **Exercício 1**\n>\n> a\n", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC): "> **Exercício 1**\n>\n> a\n\n*A solução sai em 2 de nov. de 2026.*\n"} {
		in := onePage(t, "", "# T\n\n:::exercise\na\n:::\n\n:::solution\nb\n:::\n")
		for _, c := range markdown.Find[*markdown.Callout](in.Page.Doc()) {
			c.Withheld = c.Name == markdown.Solution
		}
		in.Page.SolutionsAfter = day
		if got := Markdown(in); got != "# T\n\n"+want {
			t.Errorf("%v: %s", day, got)
		}
	}
}

// TestDeep checks that lines of deep nesting do not get all marks of the first line.
func TestDeep(t *testing.T) {
	for _, mark := range []string{"> ", "- "} {
		text := "# T\n\n" + strings.Repeat(mark, 300) + "x\n" + strings.Repeat("y\n", 2000)
		if export := Markdown(onePage(t, "", text)); len(export) > 2003*(2*maxLevels+2) || strings.Count(export, "y\n") != 2000 {
			t.Errorf("%q: %d bytes of %d", mark, len(export), len(text))
		}
	}
}

// TestLinear checks that an export takes time proportional to its page.
func TestLinear(t *testing.T) {
	for name, unit := range map[string]string{
		"links in a line": "[a](b.md) ", "wiki links in a line": "[[b]] ", "live values": "{live}`m.gpu` ", "embeds in a line": "![[b]] ",
		"embeds": "![[b]]\n\n", "blocks": "```bash {run}\n```\n", "comments": "a <!-- b --> ", "open comments": "<!-- ", "HTML": "<img src='f.png' alt=''> ",
		"definitions": "[a]\n\n[a]: b.md\n\n",
	} {
		complexitytest.Check(t, name, 2000, func(n int) {
			if in, ok := pageOf(t, inDialects, strings.Repeat(unit, n)); ok {
				Markdown(in)
			}
		})
	}
}

// FuzzPage checks that the export of a page has the same headings and code.
func FuzzPage(f *testing.F) {
	f.Add("# A\n\n- x\n\n  > y\n  > ```\n  > z\n  > ```\n", false)
	f.Add("| a |\n|---|\n| [[b\\|c]] `|` |\n\n![[b]]\n", true)
	f.Add("- ```bash {run}\n  echo\n  ```\n  text\n\n> ~~~python {run}\n> 1\n> ~~~\n> [a](b.md)\n\n## B\n", false)
	f.Add("[^n]: ```bash {run}\n      echo\n      ```\n\na[^n] <img src='b.md'> [](#b)\n\n# B\n", true)
	f.Add("```python {file=\"code.py\"}\n```\n1. [a][x] ![[b.md]]\n\n[x]: <b.md> 'T'\n", false)
	f.Fuzz(func(t *testing.T, text string, anywhere bool) {
		more := ""
		if anywhere {
			more = inDialects
		}
		in, ok := pageOf(t, more, "# T\n\n"+text)
		if !ok {
			return
		}
		export := Markdown(in)
		if utf8.ValidString(text) && !utf8.ValidString(export) {
			t.Errorf("%q has the export %q", text, export)
		}
		// Text that a comment separates may join without it, embeds and files add headings and code, captures are in words.
		if strings.Contains(text, "%%") || strings.Contains(text, "<!--") || in.Nav.Content.Links(in.Page).EmbedsPages || strings.Contains(text, "expect") {
			return
		}
		again, ok := pageOf(t, more, export)
		if !ok {
			t.Fatalf("the export of %q has errors:\n%s", text, export)
		}
		if want, got := outline(in.Page), outline(again.Page); want != got {
			t.Errorf("%q has\n%s, its export\n%s:\n%s", text, want, got, export)
		}
	})
}

// outline returns the headings and the code of a page. Footnotes may stand elsewhere.
func outline(p *site.Page) string {
	var list []string
	for _, h := range p.Headings {
		list = append(list, fmt.Sprintf("%d %q\n", h.Level, h.Text))
	}
	for n := range markdown.Nodes(p.Doc()) {
		switch n := n.(type) {
		case *site.Fence:
			list = append(list, fmt.Sprintf("%q\n", n.Code))
		case *ast.CodeBlock:
			list = append(list, fmt.Sprintf("%q\n", n.Lines().Value(p.Source.Data)))
		}
	}
	slices.Sort(list)
	return strings.Join(list, "")
}
