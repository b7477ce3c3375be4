package page_test

import (
	"fmt"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestInvisibleInPages checks that bidirectional characters in code (https://trojansource.codes) and invisible
// characters in texts are reported with their places.
func TestInvisibleInPages(t *testing.T) {
	t.Parallel()
	const page = "content/pt/x.md"
	for text, want := range map[string]string{
		"# X\n\n```python\nif a: # \u202e } \u2066if x\n```\n":     page + ":4:9 warning U+202E\n" + page + ":4:13 warning U+2066",
		"# X\n\n`a\u2066b\u2069` \u2066c\u2069\n":                  page + ":3:3 warning U+2066\n" + page + ":3:5 warning U+2069",
		"# X\n\n    a\u200bb\n\na\u200bb\n":                        page + ":3:6 warning U+200B",
		"# X\n\n> - a\r\n> - \u202eb\r\n":                          page + ":4:5 warning U+202E",
		"# X\x1b[2J\n\na\x1bb\n":                                   page + ":1:4 warning U+001B",
		"# X\n\na\U000e0069\U000e0067\n":                           page + ":3:2 warning U+E0069\n" + page + ":3:3 warning U+E0067",
		"# X&#10;\n\na&#x202E;b&#27;[2J `&#x2067;` &#160;&#x200d;": page + ":3:2 warning U+202E\n" + page + ":3:11 warning U+001B",
		"# X\n\n:::include _parte.md\n:::\n":                       "content/pt/_parte.md:1:2 warning U+202E",
		"# X\n\n```python {file=\"code/a.py\"}\n```\n":             "code/a.py:2:5 warning U+2067",
		"# X\n\nمقدمة \u2068CUDA\u2069, a\u200bb\n":                "",
	} {
		_, diags := load.Load(sitetest.FS(map[string]string{page: text, "content/pt/_parte.md": "a\u202eb\n", "code/a.py": "x = 1\ny = \u2067'z'\n"}), load.Options{})
		if got := sitetest.Findings(diags, site.RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	_, diags := load.Load(sitetest.FS(map[string]string{"content/pt/x.ipynb": `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": "# X"},
		{"cell_type": "code", "metadata": {}, "outputs": [], "source": "a = 1\nb = '\u202e'"}]}`}), load.Options{})
	if got := sitetest.Findings(diags, site.RuleHidden); got != "content/pt/x.ipynb:2:6 warning U+202E" {
		t.Error(got)
	}
}

// TestTitlesAreOneLine checks that texts for lists and feeds are one line without control characters,
// however a heading writes them.
func TestTitlesAreOneLine(t *testing.T) {
	t.Parallel()
	s, diags := load.Load(sitetest.FS(map[string]string{
		"content/pt/a.md": "# A&#10;&#10;## B&#x202e;&#27;[2Jc\n\n## D&#x2028;e\n",
		"content/pt/b.md": "---\ntitle: |\n  Um\n  título\ndescription: >\n  a\n\n  # b\ntags: [\"c\\nd\"]\n---\n# X\n",
	}), load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	a, b := s.Page("a", "pt"), s.Page("b", "pt")
	if a.Title != "A ## B[2Jc" || a.Headings[0].Text != "D e" || b.Title != "Um título" || b.Description != "a # b" || fmt.Sprint(b.Tags) != "[c d]" {
		t.Errorf("%q %+v %q %q %q", a.Title, a.Headings, b.Title, b.Description, b.Tags)
	}
}
