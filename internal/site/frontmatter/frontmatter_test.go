package frontmatter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestFrontMatter(t *testing.T) {
	type meta struct {
		Title, Description, Key string
		Weight                  int
		Draft                   bool
	}
	tests := []struct {
		name, text string
		want       meta
	}{
		{"none", "# Título\n", meta{Title: "Título", Key: "p"}},
		{"no heading either", "text\n", meta{Title: "p", Key: "p"}},
		{"empty file", "", meta{Title: "p", Key: "p"}},
		{
			"all keys", "---\ntitle: GPU na prática\ndescription: \"Uma: frase\"\nweight: -3\ntranslation: gpu/uso\ndraft: false\nblocks: {timeout: 5s}\n---\n# Heading\n",
			meta{Title: "GPU na prática", Description: "Uma: frase", Key: "gpu/uso", Weight: -3},
		},
		{"empty", "---\n---\n# H\n", meta{Title: "H", Key: "p"}},
		{"only a comment", "---\n# no title\n---\n# H\n", meta{Title: "H", Key: "p"}},
		{"a key without a value", "---\ntitle:\nweight:\ndraft: ~\n---\n# H\n", meta{Title: "H", Key: "p"}},
		{"a number", "---\ntitle: 2024\n---\n", meta{Title: "2024", Key: "p"}},
		{"a number as it is written", "---\ntitle: 1.50\ndescription: 0x10\n---\n", meta{Title: "1.50", Description: "0x10", Key: "p"}},
		{"a date", "---\ntitle: 2024-01-02\n---\n", meta{Title: "2024-01-02", Key: "p"}},
		{"a truth value", "---\ntitle: true\n---\n", meta{Title: "true", Key: "p"}},
		{"quotes", "---\ntitle: 'it''s # 1'\ndescription: \"a\\\"b\"\n---\n", meta{Title: "it's # 1", Description: `a"b`, Key: "p"}},
		{"a comment behind", "---\ntitle: x # y\n---\n", meta{Title: "x", Key: "p"}},
		{"a block of text", "---\ntitle: >\n  a\n  b\ndescription: |\n  c\n  d\n---\n", meta{Title: "a b", Description: "c d", Key: "p"}},
		{"several lines", "---\ntitle: a\n  b\n---\n", meta{Title: "a b", Key: "p"}},
		{"in braces", "---\n{title: x, weight: 2}\n---\n", meta{Title: "x", Key: "p", Weight: 2}},
		{"blanks behind the lines, dots at the end", "--- \t\ntitle: x\n... \n# H\n", meta{Title: "x", Key: "p"}},
		{"Windows line ends", "---\r\ntitle: x\r\nweight: 2\r\n---\r\n# H\r\n", meta{Title: "x", Key: "p", Weight: 2}},
		{"byte order mark", "\ufeff---\ntitle: x\n---\n# H\n", meta{Title: "x", Key: "p"}},
		{"byte order mark alone", "\ufeff# H\n", meta{Title: "H", Key: "p"}},
		{"closed at the file's end", "---\ntitle: x\n---", meta{Title: "x", Key: "p"}},
		{"not on the first line", "\n---\ntitle: x\n---\n", meta{Title: "p", Key: "p"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": tt.text}).Pages[0]
			if diff := cmp.Diff(tt.want, meta{p.Title, p.Description, p.Key, p.Weight, p.Draft}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestDialectsOfAPage(t *testing.T) {
	const settings = "[markdown]\ndialects = [\"d2l\"]\n"
	for _, tt := range []struct{ config, text, want string }{
		{"", "# x\n", ""},
		{settings, "# x\n", "d2l"},
		{settings, "---\ndialects: [mkdocs, obsidian]\n---\n", "obsidian, mkdocs"},
		{settings, "---\ndialects: obsidian\n---\n", "obsidian"},
		{settings, "---\ndialects: []\n---\n", ""},
	} {
		p := sitetest.LoadValid(t, map[string]string{site.ConfigFile: tt.config, "content/pt/p.md": tt.text}).Pages[0]
		if got := p.Dialects.String(); got != tt.want {
			t.Errorf("%q: %s; want %s", tt.text, got, tt.want)
		}
	}
}

func TestFrontMatterFaults(t *testing.T) {
	const (
		quotes = "  hint: write key: value on each line, without tabs, each key once; a value with : # [ or { in it needs quotes\n"
		text   = "  hint: one text, as in title: A page; quotes if it holds : or #\n"
		plain  = "  hint: as in hidden: true or weight: 5, without quotes, anchors or lists\n"
	)
	tests := []struct{ name, text, want string }{
		{
			"unknown key", "---\ntitel: x\ncategories: [a]\n---\n",
			"content/pt/p.md:2:1: warning: unknown key \"titel\" in the front matter\n    2 | titel: x\n      | ^~~~~\n  hint: did you mean \"title\"?\n" +
				"content/pt/p.md:3:1: warning: unknown key \"categories\" in the front matter\n    3 | categories: [a]\n      | ^~~~~~~~~~\n" +
				"  hint: known are title, description, weight, translation, draft, blocks, slug, original, translated, dialects, punctuation, updated, tags, aliases, redirect_from, group, hidden, image, time, prerequisites, noindex, toc, prev, next, solutions_after\n",
		},
		{
			"no such day", "---\nupdated: 2026-02-30\n---\n",
			"content/pt/p.md:2:10: error: \"2026-02-30\" is not a day\n    2 | updated: 2026-02-30\n      |          ^~~~~~~~~~\n  hint: write it as 2026-11-02\n",
		},
		{
			"no such dialect", "---\ndialects: [mkdoc]\n---\n",
			"content/pt/p.md:2:12: error: there is no dialect \"mkdoc\"\n    2 | dialects: [mkdoc]\n      |            ^~~~~\n  hint: did you mean \"mkdocs\"?\n",
		},
		{
			"not closed", "---\ntitle: x\n\n# H\n",
			"content/pt/p.md:1:1: error: the front matter is not closed\n    1 | ---\n      | ^~~\n  hint: end it with a line \"---\"\n",
		},
		{
			"nothing but the first line", "---",
			"content/pt/p.md:1:1: error: the front matter is not closed\n    1 | ---\n      | ^~~\n  hint: end it with a line \"---\"\n",
		},
		{
			"colon", "---\ndescription: ok\ntitle: ação: b\n---\n",
			"content/pt/p.md:3:8: error: broken YAML: mapping value is not allowed in this context\n    3 | title: ação: b\n      |        ^~~~\n" + quotes,
		},
		{
			"behind text that is not ASCII, Windows line ends", "---\r\ndescription: \"ação\" x\r\n---\r\n",
			"content/pt/p.md:2:21: error: broken YAML: value is not allowed in this context. map key-value is pre-defined\n    2 | description: \"ação\" x\n      |                     ^\n" + quotes,
		},
		{
			"behind a byte order mark", "\ufeff---\ntitle: [a\n---\n",
			"content/pt/p.md:2:8: error: broken YAML: sequence end token ']' not found\n    2 | title: [a\n      |        ^\n" + quotes,
		},
		{
			"quote", "---\ntitle: \"x\n---\n",
			"content/pt/p.md:2:8: error: broken YAML: could not find end character of double-quoted text\n    2 | title: \"x\n      |        ^~\n" + quotes,
		},
		{
			"the same key twice", "---\ntitle: x\ntitle: y\n---\n",
			"content/pt/p.md:3:1: error: broken YAML: mapping key \"title\" already defined\n    3 | title: y\n      | ^~~~~\n" + quotes,
		},
		{
			"a list", "---\n- a\n---\n",
			"content/pt/p.md:2:1: error: the front matter must be keys and values\n    2 | - a\n      | ^\n  hint: title: A page\n",
		},
		{
			"a text", "---\nção\n---\n",
			"content/pt/p.md:2:1: error: the front matter must be keys and values\n    2 | ção\n      | ^~~\n  hint: title: A page\n",
		},
		{
			"values of other kinds", "---\ntitle: [a]\ndescription: {a: b}\nweight: 1.5\ndraft: yes\n---\n",
			"content/pt/p.md:2:8: error: a text is expected here\n    2 | title: [a]\n      |        ^\n" + text +
				"content/pt/p.md:3:14: error: a text is expected here\n    3 | description: {a: b}\n      |              ^\n" + text +
				"content/pt/p.md:4:9: error: a whole number is expected here\n    4 | weight: 1.5\n      |         ^~~\n" + plain +
				"content/pt/p.md:5:8: error: true or false is expected here\n    5 | draft: yes\n      |        ^~~\n" + plain,
		},
		{
			"values that look like others", "---\nweight: \"5\"\ndraft: 1\n---\n",
			"content/pt/p.md:2:9: error: a whole number is expected here\n    2 | weight: \"5\"\n      |         ^\n" + plain +
				"content/pt/p.md:3:8: error: true or false is expected here\n    3 | draft: 1\n      |        ^\n" + plain,
		},
		{
			"numbers that are none", "---\nweight: true\n---\n",
			"content/pt/p.md:2:9: error: a whole number is expected here\n    2 | weight: true\n      |         ^~~~\n" + plain,
		},
		{
			"a number that is too large", "---\nweight: 99999999999999999999\n---\n",
			"content/pt/p.md:2:9: error: a whole number is expected here\n    2 | weight: 99999999999999999999\n      |         ^~~~~~~~~~~~~~~~~~~~\n" + plain,
		},
		{
			"anchors, aliases and tags", "---\ntitle: &a x\ndescription: *a\nweight: &b 5\ntranslation: !!str x\n---\n",
			"content/pt/p.md:2:8: error: a text is expected here\n    2 | title: &a x\n      |        ^\n" + text +
				"content/pt/p.md:3:14: error: a text is expected here\n    3 | description: *a\n      |              ^\n" + text +
				"content/pt/p.md:4:9: error: a whole number is expected here\n    4 | weight: &b 5\n      |         ^\n" + plain +
				"content/pt/p.md:5:14: error: a text is expected here\n    5 | translation: !!str x\n      |              ^~~~~\n" + text,
		},
		{
			"blocks", "---\nblocks:\n  timeout: 5\n  env: toch\n  sesion: x\n  needs: gpu >= 1\n  session: [a]\n---\n",
			"content/pt/p.md:3:12: error: \"5\" is not a time limit\n    3 |   timeout: 5\n      |            ^\n  hint: write it as 30s, 2m or 1h; at most 24h\n" +
				"content/pt/p.md:4:8: error: there is no environment \"toch\"\n    4 |   env: toch\n      |        ^~~~\n  hint: add [env.toch] to gpudocs.toml\n" +
				"content/pt/p.md:5:3: error: unknown key \"sesion\" in blocks\n    5 |   sesion: x\n      |   ^~~~~~\n  hint: did you mean \"session\"?\n" +
				"content/pt/p.md:6:10: error: needs: gpu is compared with == or !=\n    6 |   needs: gpu >= 1\n      |          ^~~~~~~~\n  hint: did you mean \"gpus\"?\n" +
				"content/pt/p.md:7:12: error: a text is expected here\n    7 |   session: [a]\n      |            ^\n" + text,
		},
		{
			"blocks as a text", "---\nblocks: 30s\n---\n",
			"content/pt/p.md:2:9: error: blocks must be keys and values\n    2 | blocks: 30s\n      |         ^~~\n  hint: blocks: {timeout: 30s, session: main}\n",
		},
		{
			"the pages before and after", "---\nprev: \"\"\nnext: [a]\ntoc: 2\n---\n",
			"content/pt/p.md:3:7: error: a text is expected here\n    3 | next: [a]\n      |       ^\n" + text +
				"content/pt/p.md:4:6: error: true or false is expected here\n    4 | toc: 2\n      |      ^\n" + plain,
		},
		{
			"a next page that does not exist", "---\nnext: q\n---\n",
			"content/pt/p.md:2:7: error: no page has the key \"q\"\n    2 | next: q\n      |       ^\n  hint: write the path of the page below the folder of its language, without .md, or its translation key\n",
		},
		{
			"too large", "---\n# " + strings.Repeat("x", frontmatter.MaxSize) + "\n---\n",
			"content/pt/p.md:1:1: error: the front matter is larger than 16 KiB\n    1 | ---\n      | ^~~\n  hint: keep the page's facts there, and its text below\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got := sitetest.Load(t, map[string]string{"content/pt/p.md": tt.text})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestFrontMatterDoesNotGrow checks that aliases are rejected without expanding them: the ten lists below
// would have 8¹⁰ words.
func TestFrontMatterDoesNotGrow(t *testing.T) {
	yaml := "---\na: &a [x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'j'; c++ {
		alias := fmt.Sprintf("*%c", c-1)
		yaml += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Join(slices.Repeat([]string{alias}, 8), ","))
	}
	_, got := sitetest.Load(t, map[string]string{"content/pt/p.md": yaml + "title: *j\nweight: *j\nblocks: *j\n---\n"})
	for _, want := range []string{
		"content/pt/p.md:12:8: error: a text is expected here\n",
		"content/pt/p.md:13:9: error: a whole number is expected here\n",
		"content/pt/p.md:14:9: error: blocks must be keys and values\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestFrontMatterBlocks(t *testing.T) {
	tests := []struct {
		name, yaml, fence            string
		session, env, needs, timeout string
	}{
		{name: "the site's own", session: "site", env: "torch", needs: "gpus >= 1", timeout: "90s"},
		{
			name: "the page's own", yaml: "session: here\n  env: jax\n  needs: \"gpus == 0\"\n  timeout: 2m",
			session: "here", env: "jax", needs: "gpus == 0", timeout: "2m",
		},
		{
			name: "the block's own", yaml: "session: here\n  env: jax\n  needs: gpus == 0\n  timeout: 2m",
			fence:   `session=s env=torch needs="gpus > 2" timeout=3s`,
			session: "s", env: "torch", needs: "gpus > 2", timeout: "3s",
		},
		{name: "none, for the page", yaml: "session: \"\"\n  env:\n  needs: ~", timeout: "90s"},
		{name: "none, for the block", fence: `session= env="" needs=`, timeout: "90s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			yaml := ""
			if tt.yaml != "" {
				yaml = "---\nblocks:\n  " + tt.yaml + "\n---\n"
			}
			s := sitetest.LoadValid(t, map[string]string{
				site.ConfigFile:   "[blocks]\nsession='site'\nenv='torch'\nneeds='gpus>=1'\ntimeout='90s'\n[env.torch]\npython='x'\n[env.jax]\nconda='x'\n",
				"content/pt/p.md": yaml + "```python {run " + tt.fence + "}\npass\n```\n",
			})
			b := s.Pages[0].Blocks[0]
			timeout, err := time.ParseDuration(tt.timeout)
			if err != nil {
				t.Fatal(err)
			}
			if b.Session.Name != tt.session || b.Session.Env != tt.env || b.Needs.String() != tt.needs || b.Timeout != timeout {
				t.Errorf("session %q, env %q, needs %q, timeout %v", b.Session.Name, b.Session.Env, b.Needs, b.Timeout)
			}
		})
	}
}

// TestFrontMatterIsBlanked checks that front matter is replaced by blanks, so that offsets do not change.
func TestFrontMatterIsBlanked(t *testing.T) {
	for _, text := range []string{"---\ntitle: ção\n---\n# Um\n\n[x](#um)\n", "---\r\ntitle: ção\r\n---\r\n# Um\r\n\r\n[x](#um)\r\n"} {
		p := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": text}).Pages[0]
		data := string(p.Source.Data)
		if len(data) != len(text) || strings.Count(data, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%d bytes became %d", len(text), len(data))
		}
		at := strings.Index(text, "# Um")
		if strings.TrimSpace(data[:at]) != "" || data[at:] != text[at:] {
			t.Errorf("%q", data)
		}
	}
}

// TestCellsOfMyST checks the keys of MyST that cells depend on, in any order.
func TestCellsOfMyST(t *testing.T) {
	for front, want := range map[string]int{
		"": 1, "execute: {cache: true}\n": 1, "execute: {skip: true}\n": 0, "execute: {eval: false}\n": 0, "skip_execution: true\n": 0, "skip_execution: false\n": 1,
		"kernelspec: {name: python3}\n": 1, "kernelspec: {name: c}\n": 0,
	} {
		for _, text := range []string{front + "dialects: [myst]\n", "dialects: [myst]\n" + front} {
			p := sitetest.Page(t, "---\n"+text+"---\n```{code-cell}\nx\n```\n")
			if len(p.Blocks) != want {
				t.Errorf("%q: %d blocks, want %d", text, len(p.Blocks), want)
			}
		}
	}
}

// TestCellsOfQuarto checks that cells of a page run unless it, or they, say that they do not.
func TestCellsOfQuarto(t *testing.T) {
	for text, want := range map[string]int{
		"---\n```{python}\nx\n```\n":                                         1,
		"execute:\n  eval: false\n---\n```{python}\nx\n```\n":                0,
		"execute:\n  eval: false\n---\n```{python}\n#| eval: true\nx\n```\n": 1,
	} {
		if p := sitetest.Page(t, "---\ndialects: [quarto]\n"+text); len(p.Blocks) != want {
			t.Errorf("%q: %d blocks, want %d", text, len(p.Blocks), want)
		}
	}
}

// TestKeysOfMkDocs checks that keys of Material for MkDocs are accepted in its dialect only.
func TestKeysOfMkDocs(t *testing.T) {
	const keys = "icon: a\nhide: [toc]\nstatus: new\n"
	for dialect, want := range map[string]int{"mkdocs": 0, "d2l": 3} {
		_, out := sitetest.PageIn(t, "", map[string]string{"content/pt/p.md": "---\ndialects: [" + dialect + "]\n" + keys + "---\n# A\n"})
		if n := strings.Count(out, "unknown key"); n != want {
			t.Errorf("%s: %d unknown keys, want %d\n%s", dialect, n, want, out)
		}
	}
}
