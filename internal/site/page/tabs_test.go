package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// groups returns the tabs of a page: A|B for a group, with parentheses around the selected tab, and a tab's
// own groups after it.
func groups(n ast.Node) string {
	var out []string
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		g, ok := n.(*markdown.Tabs)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		var tabs []string
		for c := g.FirstChild(); c != nil; c = c.NextSibling() {
			t := c.(*markdown.Tab)
			title := t.Title
			if t.Selected {
				title = "(" + title + ")"
			}
			if inner := groups(t); inner != "" {
				title += "<" + inner + ">"
			}
			tabs = append(tabs, title)
		}
		out = append(out, strings.Join(tabs, "|"))
		return ast.WalkSkipChildren, nil
	})
	return strings.Join(out, " ")
}

func TestTabGroups(t *testing.T) {
	const mkdocs = "---\ndialects: [mkdocs]\n---\n"
	for _, tt := range []struct{ name, text, want string }{
		{"neighbours", ":::tab A\na\n:::\n\n:::tab B\n:::\n", "A|B"},
		{"parted by text", ":::tab A\n:::\n\nb\n\n:::tab B\n:::\n", "A B"},
		{"parted by their author", ":::tab A\n:::\n:::tab B {apart}\n:::\n:::tab C {selected}\n:::\n", "A B|(C)"},
		{"in a group, with others beside it", "::::tabs\n:::tab A\n:::\n:::tab B\n:::\n::::\n\n:::tab C\n:::\n", "A|B C"},
		{"text in a group", "::::tabs\na\n:::tab A\n:::\nb\n:::tab B\n:::\n::::\n", "A|B"},
		{"fences in a group", "::::tabs\n```python {tab=A}\n```\n```c {tab=B}\n```\n::::\n", "A|B"},
		{"fences beside tabs", "```python {tab=A}\n```\n:::tab B\n:::\n", "A|B"},
		{"nested", "::::tab A\n:::tab B\n:::\n:::tab C\n:::\n::::\n", "A<B|C>"},
		{"titles are text", ":::tab Com `uv` &amp; *pip*\n:::\n", "Com uv & pip"},
		{"indented", mkdocs + "=== \"A\"\n\n    === \"B\"\n        b\n\n    === \"C\"\n        c\n\n=== \"D\"\n\n===! \"E\"\n    e\n", "A<B|C>|D E"},
		{"slashes", mkdocs + "//// tab | A\n/// note\n///\n////\n\n//// tab | B\n    select: true\n////\n", "A|(B)"},
		{"in a callout", ":::::note\n:::tab A\n:::\n:::tab B\n:::\n:::::\n", "A|B"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := load.Load(sitetest.FS(map[string]string{"content/pt/p.md": tt.text}), load.Options{})
			if got := groups(s.Pages[0].Doc()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestTabsHoldTheirText checks that text in a group outside of its tabs stays on the page.
func TestTabsHoldTheirText(t *testing.T) {
	p := sitetest.Page(t, "::::tabs\nbefore\n:::tab A\nin\n:::\nbehind\n::::\n")
	if first, ok := p.Doc().FirstChild().(*ast.Paragraph); !ok || p.PlainText(first) != "before" {
		t.Errorf("before the group: %s", p.PlainText(p.Doc().FirstChild()))
	}
	group, ok := p.Doc().LastChild().(*markdown.Tabs)
	if got := p.PlainText(p.Doc().LastChild()); !ok || group.ChildCount() != 1 || got != "Ainbehind" {
		t.Errorf("the group holds %q", got)
	}
}

func TestHeadingsInBlocks(t *testing.T) {
	p := sitetest.Page(t, ":::details D\n## Install\n:::\n\n:::tab Linux\n## Install\n## Only here\n:::\n:::tab Windows\n## Install\n:::\n")
	want := []site.Heading{{Level: 2, ID: "install", Text: "Install"}, {Level: 2, ID: "install-1", Text: "Install (Linux)"}, {Level: 2, ID: "only-here", Text: "Only here"}, {Level: 2, ID: "install-2", Text: "Install (Windows)"}}
	if diff := cmp.Diff(want, p.Headings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestIDsOfBlocks(t *testing.T) {
	p := sitetest.Page(t, "[a](#a) [b](#b) [c](#c)\n\n:::note {#a}\n:::\n\n::::tabs {#c}\n:::tab T {#b}\n:::\n::::\n")
	for _, id := range []string{"a", "b", "c"} {
		if !p.HasAnchor(id) {
			t.Errorf("%s is no anchor", id)
		}
	}
}

// TestTerminal checks that only a terminal session of FastAPI's pages loses its tags.
func TestTerminal(t *testing.T) {
	const fence = "```console\n$ <font color=\"#fff\">a &lt; b</font> <folder>\n```\n"
	for before, want := range map[string]string{
		"<div class=\"x termy\">\n\n":       "$ a < b <folder>\n",
		"<div class=\"termynal\">\n\n":      "$ <font color=\"#fff\">a &lt; b</font> <folder>\n",
		"":                                  "$ <font color=\"#fff\">a &lt; b</font> <folder>\n",
		"<div class=\"termy\">\n\ntext\n\n": "$ <font color=\"#fff\">a &lt; b</font> <folder>\n",
	} {
		for dialect, want := range map[string]string{"mkdocs": want, "d2l": "$ <font color=\"#fff\">a &lt; b</font> <folder>\n"} {
			p := sitetest.Page(t, fmt.Sprintf("---\ndialects: [%s]\n---\n%s%s", dialect, before, fence))
			_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if f, ok := n.(*site.Fence); ok && entering && f.Code != want {
					t.Errorf("%s behind %q: %q", dialect, before, f.Code)
				}
				return ast.WalkContinue, nil
			})
		}
	}
}

// TestBlocksInPlace checks that a block in a callout or tab of any form has the right line and code.
func TestBlocksInPlace(t *testing.T) {
	p := sitetest.Page(t, "---\ndialects: [mkdocs, obsidian]\n---\n!!! note \"T\"\n    ```bash {run name=a}\n    if true; then\n      echo a\n\n    fi\n    ```\n=== \"T\"\n\n\t```bash {run name=b}\n\techo b\n\t```\n\n"+
		"/// note | T\n    open: true\n```bash {run name=c}\necho c\n```\n///\n\n> [!tip]- T\n> ```bash {run name=d}\n> echo d\n> ```\n\n:::note T\n```bash {run name=e}\necho e\n```\n:::\n")
	var got []string
	for _, b := range p.Blocks {
		got = append(got, fmt.Sprintf("%s %d %q", b.Name, b.Line, b.Code))
	}
	want := []string{`a 5 "if true; then\n  echo a\n\nfi\n"`, `b 13 "echo b\n"`, `c 19 "echo c\n"`, `d 25 "echo d\n"`, `e 30 "echo e\n"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
