package page_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestHeadings(t *testing.T) {
	tests := []struct {
		name, text string
		want       []site.Heading
	}{
		{"letters with accents are kept", "## Configuração do Ambiente\n## ¿Qué GPU? Ñandú\n", []site.Heading{{Level: 2, ID: "configuração-do-ambiente", Text: "Configuração do Ambiente"}, {Level: 2, ID: "qué-gpu-ñandú", Text: "¿Qué GPU? Ñandú"}}},
		{"of any script", "## 日本語 テスト\n## Ελλάδα\n", []site.Heading{{Level: 2, ID: "日本語-テスト", Text: "日本語 テスト"}, {Level: 2, ID: "ελλάδα", Text: "Ελλάδα"}}},
		{"punctuation and blanks", "## C++ / C#: 1.5_x - y\n## -- a --\n", []site.Heading{{Level: 2, ID: "c--c-15_x---y", Text: "C++ / C#: 1.5_x - y"}, {Level: 2, ID: "a", Text: "-- a --"}}},
		{"nothing left of it", "## !!!\n## ???\n##\n", []site.Heading{{Level: 2, ID: "section", Text: "!!!"}, {Level: 2, ID: "section-1", Text: "???"}, {Level: 2, ID: "section-2", Text: ""}}},
		{"duplicates", "## A\n## A\n## A 1\n## A\n", []site.Heading{{Level: 2, ID: "a", Text: "A"}, {Level: 2, ID: "a-1", Text: "A"}, {Level: 2, ID: "a-1-1", Text: "A 1"}, {Level: 2, ID: "a-2", Text: "A"}}},
		{"the author's id wins, wherever it stands", "## X\n## Y {#x}\n", []site.Heading{{Level: 2, ID: "x-1", Text: "X"}, {Level: 2, ID: "x", Text: "Y"}}},
		{"the author's id as written", "## A {#Ümläut-1 .class}\n", []site.Heading{{Level: 2, ID: "Ümläut-1", Text: "A"}}},
		{"an id that goldmark takes for something else", "## A {id=5}\n## B {id=true}\n## C {id=\"c d\"}\n", []site.Heading{{Level: 2, ID: "5", Text: "A"}, {Level: 2, ID: "true", Text: "B"}, {Level: 2, ID: "c d", Text: "C"}}},
		{"a block's id is not free", "## Block 1\n\n```bash {run}\n```\n\n## Code lab\n\n```gpu {name=lab}\ngpus >= 1\n```\n", []site.Heading{{Level: 2, ID: "block-1-1", Text: "Block 1"}, {Level: 2, ID: "code-lab-1", Text: "Code lab"}}},
		{"nor one of raw HTML", "<a id=\"setup\"></a>\n\n## Setup\n", []site.Heading{{Level: 2, ID: "setup-1", Text: "Setup"}}},
		{"markup in it", "## `nvcc` *is* [here](#x) ![image](x.png) <b>bold</b> {live}`m.gpus`\n\n### x\n", []site.Heading{{Level: 2, ID: "nvcc-is-here--bold", Text: "nvcc is here  bold"}, {Level: 3, ID: "x", Text: "x"}}},
		{"entities and escapes, as they are in code", "## a &lt; b \\* c &#233;\n## `a &lt; \\* b`\n", []site.Heading{{Level: 2, ID: "a--b--c-é", Text: "a < b * c é"}, {Level: 2, ID: "a-lt--b", Text: "a &lt; \\* b"}}},
		{"of two lines", "A\nb\n---\n", []site.Heading{{Level: 2, ID: "a-b", Text: "A b"}}},
		{"in a quote, a list and a container", "> ## A\n\n- ## B\n\n:::machines\n## C\n:::\n", []site.Heading{{Level: 2, ID: "a", Text: "A"}, {Level: 2, ID: "b", Text: "B"}, {Level: 2, ID: "c", Text: "C"}}},
		{"the first of the first level is the title", "# T\n## A\n# U\n", []site.Heading{{Level: 2, ID: "a", Text: "A"}, {Level: 1, ID: "u", Text: "U"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // the result is the same the second time
				s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": tt.text, "content/pt/x.png": ""})
				p := s.Pages[0]
				if diff := cmp.Diff(tt.want, p.Headings); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				for _, h := range p.Headings {
					if !p.Anchors[h.ID] {
						t.Errorf("%s is no anchor", h.ID)
					}
				}
				checkIDs(t, p)
			}
		})
	}
}

// checkIDs checks that the ids in the tree are the listed ones, as strings and each once.
func checkIDs(t *testing.T, p *site.Page) {
	t.Helper()
	seen := map[string]bool{}
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			id, _ := h.AttributeString("id")
			text, ok := id.([]byte)
			if !ok || len(text) == 0 || seen[string(text)] {
				t.Errorf("the id %v (%T) is empty, no string, or a duplicate", id, id)
			}
			seen[string(text)] = true
		}
		return ast.WalkContinue, nil
	})
}

func TestTitle(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"of the first heading", "text\n\n# Um\n\n# Dois\n", "Um"},
		{"without markup", "# Use `nvcc` *já* &amp; {#x}\n", "Use nvcc já &"},
		{"front matter first", "---\ntitle: Outro\n---\n# Um\n", "Outro"},
		{"no first-level heading", "## Um\n", "p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p := sitetest.Page(t, tt.text); p.Title != tt.want {
				t.Errorf("title %q, want %q", p.Title, tt.want)
			}
		})
	}
	p := sitetest.Page(t, "---\ntitle: Outro\n---\n# Um\n")
	if diff := cmp.Diff([]site.Heading{{Level: 1, ID: "um", Text: "Um"}}, p.Headings); diff != "" {
		t.Errorf("a heading that did not give the title is listed (-want +got)\n%s", diff)
	}
}

func TestAnchorsOfRawHTML(t *testing.T) {
	p := sitetest.Page(t, "<a name=top2></a> <div\nid='outer'></div>\n\n<p class=\"x\" ID = \"inner\">x</p>\n\n<!--\n--> <span id=\"last\"></span>\n\n`<b id=\"code\">` data-id=\"x\"\n")
	for _, want := range []string{"top2", "outer", "inner", "last"} {
		if !p.Anchors[want] {
			t.Errorf("%s is no anchor: %v", want, p.Anchors)
		}
	}
	for _, other := range []string{"code", "x"} {
		if p.Anchors[other] {
			t.Errorf("%s is an anchor", other)
		}
	}
}

// TestFencesAreClosed checks the lines of the fences that are not closed;
// testdata/diagnostics/fences.txtar has the output.
func TestFencesAreClosed(t *testing.T) {
	tests := []struct {
		name, text string
		open       []int
	}{
		{"closed", "```\na\n```\n", nil},
		{"without a line end behind it", "```\na\n```", nil},
		{"empty", "```\n```\n", nil},
		{"only blank lines", "```\n\n\n```\n", nil},
		{"longer closing fence", "```\na\n`````\n", nil},
		{"blanks behind the closing fence", "```\na\n``` \t \n", nil},
		{"closing fence indented by three", "```\na\n   ```\n", nil},
		{"indented", "   ```\n   a\n   ```\n", nil},
		{"Windows line ends", "```bash\r\na\r\n```\r\n", nil},
		{"tildes", "~~~\n```\na\n~~~~\n", nil},
		{"in a list", "1. a\n\n   ```\n   b\n\n   c\n   ```\n2. d\n", nil},
		{"right behind the list's mark", "- ```\n  a\n  ```\n", nil},
		{"in a list, with tabs", "- a\n\n\t```\n\tb\n\t```\n", nil},
		{"in a quote", "> ```\n> a\n> ```\n", nil},
		{"in a quote without blanks", ">```\n>a\n>```\n", nil},
		{"in a quote in a list", "- > ```\n  > a\n  > ```\n", nil},
		{"in a list in a quote", "> - ```\n>   a\n>   ```\n", nil},
		{"in a definition", "a\n: ```\n  b\n  ```\n", nil},
		{"a quote's mark in the code", "```\n> a\n```\n", nil},
		{"one behind another", "```\na\n```\n```\nb\n```\n", nil},
		{"not a fence but indented code", "    ```\n    a\n", nil},

		{"end of the file", "a\n\n```\nb\n", []int{3}},
		{"only its first line", "```", []int{1}},
		{"closing fence too short", "````\na\n```\n", []int{1}},
		{"closing fence of the other kind", "```\na\n~~~\n", []int{1}},
		{"closing fence with a word", "```\na\n``` b\n", []int{1}},
		{"closing fence indented by four", "```\na\n    ```\n", []int{1}},
		{"end of a list's item", "- ```\n  a\n\n- b\n", []int{1}},
		{"end of a quote", "> ```\n> a\n\nb\n", []int{1}},
		{"the closing fence lacks the indentation", "- ```\n  a\n```\nb\n```\n", []int{1}},
		{"the closing fence lacks the quote's mark", "> ```\n> a\n```\nb\n```\n", []int{1}},
		{"empty, the closing fence lacks the indentation", "- ```\n```\n", []int{1, 2}},
		{"two", "- ```\n\n- ~~~\n", []int{1, 3}},
		{"quote's mark at the closing fence alone", "```\na\n> ```\n", []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := load.Load(sitetest.FS(map[string]string{"content/pt/p.md": tt.text}), load.Options{})
			var open []int
			for _, d := range diags {
				if d.Message.String() != "the code fence is not closed" {
					t.Errorf("unexpected: %v", d)
				}
				open = append(open, d.Line)
			}
			if !slices.Equal(open, tt.open) {
				t.Errorf("not closed in lines %v, want %v", open, tt.open)
			}
		})
	}
}

// TestTreeIsShared checks that one Markdown can parse pages concurrently: with -race it fails if parsers
// share state.
func TestTreeIsShared(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("content/pt/p%d.md", i)] = "# T\n\n:::machines\n:::\n\n```bash {run name=a}\n```\n\n" + strings.Repeat("- [x](p0.md#t)\n", i)
	}
	s := sitetest.LoadValid(t, files)
	if len(s.Pages) != 50 {
		t.Errorf("%d pages", len(s.Pages))
	}
}

// TestIDsTwice checks that if an author's id occurs twice, as in a file that is included twice, the second
// one gets a different id.
func TestIDsTwice(t *testing.T) {
	const part = "## A {#a}\n\nB ^b\n\n:::figure C {#c}\nd\n:::\n\n:::note {#e}\nf\n:::\n\n"
	s, diags := sitetest.Load(t, map[string]string{"content/pt/_a.md": part, "content/pt/p.md": "---\ndialects: [obsidian]\n---\n# T\n\n:::include _a.md\n:::\n\n:::include _a.md\n:::\n\n## A {#a-1}\n"})
	if n := strings.Count(diags, "occurs twice on this page"); n != 4 {
		t.Errorf("%d duplicate ids:\n%s", n, diags)
	}
	var ids []string
	_ = ast.Walk(s.Pages[0].Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		id, _ := n.AttributeString("id")
		switch n := n.(type) {
		case *obsidian.Anchor:
			id = n.ID()
		case *markdown.Figure:
			id = n.ID
		}
		if id != nil && entering {
			ids = append(ids, fmt.Sprintf("%s", id))
		}
		return ast.WalkContinue, nil
	})
	want := []string{"t", "a", "^b", "c", "e", "a-2", "^b-1", "c-1", "e-1", "a-1"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
