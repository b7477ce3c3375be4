package mdexport

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
)

// testSite is a Site without results.
type testSite struct {
	*site.Site
	results *Results
}

func (testSite) Address(t site.Target) string {
	switch {
	case t.Page != nil:
		return "/" + t.Page.URL + "x (y).md" + t.Suffix
	case t.Asset != "":
		return "/" + t.Asset + t.Suffix
	}
	return ""
}

func (testSite) Text(*site.Page, ast.Node) (string, bool) { return "", false }

func (s testSite) Results(f *site.Fence) *Results {
	if f.Block == nil {
		return nil
	}
	return s.results
}

var someResults = &Results{Summary: "s", Machines: []Result{{Machine: "m", Status: "ok"}}}

const toml = "title = \"T\"\n[languages.pt]\nname = \"P\"\n"

const dialects = "[markdown]\ndialects = [\"obsidian\", \"mkdocs\", \"d2l\"]\n"

// loadSite loads a site with a page of that text. Both results are nil if it has errors.
func loadSite(config, text string) (*site.Site, *site.Page) {
	site, diags := load.Load(fstest.MapFS{
		"gpudocs.toml":        {Data: []byte(toml + config)},
		"content/pt/index.md": {Data: []byte(text)},
		"content/pt/b.md":     {Data: []byte("# B\r\n\r\nSee [a](index.md) and [c].\r\n\r\n[c]: index.md\r\n")},
		"content/pt/code.py":  {Data: []byte("print(1)\n")},
		"content/pt/f.png":    {},
	}, load.Options{})
	if site == nil || diags.HasErrors() {
		return nil, nil
	}
	return site, site.Page("index", "pt")
}

// TestEdits checks the edits of an export, and that the rest of the page does not change.
func TestEdits(t *testing.T) {
	const to = "</pt/b/x (y).md"
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"---\ntitle: T\n---\n\n\n  a  \n  b", "  a  \n  b"},
		{"a\r\n\r\nb\r\n", "a\n\nb"},
		{"[b.md](b.md)", "[b.md](" + to + ">)"},
		{"[`](b.md`](b.md#b 'b.md')", "[`](b.md`](" + to + "#b> 'b.md')"},
		{"[a]( <b.md> )", "[a]( " + to + "> )"},
		{"[![](f.png)](b.md)", "[![](/pt/f.png)](" + to + ">)"},
		{"> [a](\n>   b.md)", "> [a](\n>   " + to + ">)"},
		{"[b.md][] [x][b.md] b.md\n\n[b.md]:\n  b.md", "[b.md][] [x][b.md] b.md\n\n[b.md]:\n  " + to + ">"},
		{"- \t[a](b.md)\n\n\t[c](b.md)", "- \t[a](" + to + ">)\n\n\t[c](" + to + ">)"},
		{"[a](missing.md) [b]() <https://x.example/b.md> [c](https://x.example/b.md)", "[a](missing.md) [b]() <https://x.example/b.md> [c](https://x.example/b.md)"},
		{"`[a](b.md)`\n\n    [a](b.md)", "`[a](b.md)`\n\n    [a](b.md)"},
		{"| a |\n|---|\n| [[b\\|c]] |", "| a |\n|---|\n| [c](" + to + ">) |"},
		{"[[missing]] [[b]] [a [[b]]](index.md)", "[[missing]] [b](" + to + ">) [a [[b]]](</pt/x (y).md>)"},
		{"a ![[b|c]] ![[f.png|100]]", "a [c](" + to + ">) ![f.png](/pt/f.png)"},
		{"- ![[b]]\n\n  c", "- > **[B](" + to + ">)**\n  >\n  > See [a](</pt/x (y).md>) and [c].\n  >\n  > [c]: </pt/x (y).md>\n\n  c"},
		{"![[index]]", "> **[index](</pt/x (y).md>)**\n>\n> [index](</pt/x (y).md>)"},
		{strings.Repeat("- ", 40) + "![[b]]", strings.Repeat("- ", 40) + "[B](" + to + ">)"},
		{"a %%b%% c\n\n%%\nd\n%%\n\n<!-- e\n\nf -->\ng <!-- h --> i", "a  c\n\n\n\n\ng  i"},
		{"- a\n<!-- b -->\n- c\n\n<div><!-- d\n-->\ne</div>", "- a\n<!-- -->\n- c\n\n<div><!-- -->\ne</div>"},
		{"<a href=b.md title='b.md'>x</a> <img src='f.png?a&amp;b'\nalt=\"src=f.png\">", `<a href="/pt/b/x (y).md" title='b.md'>x</a> <img src="/pt/f.png?a&amp;b"` + "\nalt=\"src=f.png\">"},
		{"<div data-src='f.png'><img srcset='f.png, f.png 2x'></div>", `<div data-src='f.png'><img srcset="/pt/f.png, /pt/f.png 2x"></div>`},
		{"> ```python {file=\"content/pt/code.py\"}\n> ```", "> ```python\n> print(1)\n> ```"},
		{"```bash {run}\na\n```\nb", "```bash {run}\na\n```\n\n> **R**: s\n>\n> - m: **ok**\n\nb"},
		{"1. > ```bash {run}\n   > a\n   > ```\n   b", "1. > ```bash {run}\n   > a\n   > ```\n   >\n   > > **R**: s\n   > >\n   > > - m: **ok**\n   >\n   b"},
		{"[^label]: ```bash {run}\n    a\n    ```\n\nb[^label]", "[^label]: ```bash {run}\n    a\n    ```\n\n    > **R**: s\n    >\n    > - m: **ok**\n\nb[^label]"},
	} {
		s, p := loadSite(dialects, c.in)
		if p == nil {
			t.Errorf("%q has errors", c.in)
		} else if got := Page(p, Labels{"R", "S"}, testSite{s, someResults}); got != c.want {
			t.Errorf("%q\nis   %q\nwant %q", c.in, got, c.want)
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
			if s, p := loadSite(dialects, strings.Repeat(unit, n)); p != nil {
				Page(p, Labels{"R", "S"}, testSite{s, someResults})
			}
		})
	}
}

// FuzzPage checks that the export of a page has the same headings and blocks.
func FuzzPage(f *testing.F) {
	f.Add("# A\n\n- x\n\n  > y\n  > ```\n  > z\n  > ```\n", false)
	f.Add("| a |\n|---|\n| [[b\\|c]] `|` |\n\n![[b]]\n", true)
	f.Add("- ```bash {run}\n  echo\n  ```\n  text\n\n> ~~~python {run}\n> 1\n> ~~~\n> [a](b.md)\n\n## B\n", false)
	f.Add("[^n]: ```bash {run}\n      echo\n      ```\n\na[^n] <img src='b.md'> [](#b)\n\n# B\n", true)
	f.Add("```python {file=\"content/pt/code.py\"}\n```\n1. [a][x] ![[b.md]]\n\n[x]: <b.md> 'T'\n", false)
	f.Fuzz(func(t *testing.T, text string, inDialects bool) {
		config := ""
		if inDialects {
			config = dialects
		}
		s, p := loadSite(config, text)
		if p == nil {
			return
		}
		export := Page(p, Labels{"R", "S"}, testSite{s, someResults})
		if utf8.ValidString(text) && !utf8.ValidString(export) {
			t.Errorf("%q has the export %q", text, export)
		}
		// Text that a comment separates may join without it, and embeds and files add headings and
		// blocks.
		if strings.HasPrefix(text, "---") || strings.Contains(text, "%%") || strings.Contains(text, "<!--") || s.Links(p).EmbedsPages || len(p.Includes) > 0 {
			return
		}
		_, again := loadSite(config, export)
		if again == nil {
			t.Fatalf("the export of %q has errors:\n%s", text, export)
		}
		if want, got := outline(p), outline(again); want != got {
			t.Errorf("%q has %s, its export %s:\n%s", text, want, got, export)
		}
	})
}

// outline returns the headings and the blocks of a page.
func outline(p *site.Page) string {
	var b strings.Builder
	for _, h := range p.Headings {
		fmt.Fprintf(&b, "%d %q\n", h.Level, h.Text)
	}
	for _, c := range p.Blocks {
		fmt.Fprintf(&b, "%s %q %q\n", c.Kind, c.Code, c.Name)
	}
	return b.String()
}
