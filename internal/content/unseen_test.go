package content

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// told are the findings of a rule, each as file:line:column severity and character.
func told(diags diag.List, rule string) string {
	var out []string
	for _, d := range diags {
		if d.Rule == rule {
			name, _, _ := strings.Cut(d.Message.String(), " ")
			out = append(out, fmt.Sprintf("%s:%d:%d %s %s", d.File, d.Line, d.Column, d.Severity, name))
		}
	}
	return strings.Join(out, "\n")
}

// TestUnseenInFrontMatter holds that no text of front matter brings what acts, turns or hides,
// written as it is or as an escape.
func TestUnseenInFrontMatter(t *testing.T) {
	t.Parallel()
	const page = "content/pt/x.md"
	for text, want := range map[string]string{
		"title: a\u202eb": page + ":2:9 error U+202E", "title: \"a\\u202eb\"": page + ":2:8 error U+202E", "title: \"a\\x1b[31m\"": page + ":2:8 error U+001B",
		"weight: 1\ndescription: ok \u0085x":           page + ":3:17 error U+0085",
		"description: |\n  one\n  t\u2066wo":           page + ":4:4 error U+2066",
		"tags: [ok, \"a\u2067\"]":                      page + ":2:14 error U+2067",
		"redirect_from: [a, \"b\\u2028c\"]":            page + ":2:20 error U+2028",
		"aliases: a\U000e0041b":                        page + ":2:11 error U+E0041",
		"blocks: {session: \"\\0\"}":                   page + ":2:19 error U+0000",
		"title: مقدمة \u2068CUDA\u2069 👩\u200d🔬\u200f": "",
	} {
		_, diags := Load(site(map[string]string{page: "---\n" + text + "\n---\n# X\n"}), Options{})
		if got := told(diags, RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestUnseenInConfig(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"title = \"a\u202eb\"":                                        "gpudocs.toml:1:11 error U+202E",
		"title = \"a\\u202Eb\"":                                       "gpudocs.toml:1:11 error U+202E",
		"title = \"a\\eb\\b\"":                                        "gpudocs.toml:1:11 error U+001B\ngpudocs.toml:1:14 error U+0008",
		"title = 'C:\\bin\\ein'":                                      "",
		"[languages.pt]\nname = \"Portugu\\U000000eas\\u0085\"":       "gpudocs.toml:2:27 error U+0085",
		"[params]\nlist = [{ a = \"\U000e0041\" }] # and \\U000E0041": "gpudocs.toml:2:16 error U+E0041\ngpudocs.toml:2:28 error U+E0041",
		"title = \"\"\"\r\nUm\r\ntítulo\"\"\"":                        "",
	} {
		files := map[string]string{"content/pt/x.md": "# X\n"}
		fsys := site(files)
		fsys["gpudocs.toml"].Data = []byte(text + "\n")
		s, diags := Load(fsys, Options{})
		if got := told(diags, RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if strings.Contains(text, "\r\n") && (s == nil || s.Config.Title != "Um título") {
			t.Errorf("%q: %v", text, diags)
		}
	}
}

// TestUnseenInPages holds that code which reads other than it runs is said with its place
// (https://trojansource.codes), and what nobody sees in a text.
func TestUnseenInPages(t *testing.T) {
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
		_, diags := Load(site(map[string]string{page: text, "content/pt/_parte.md": "a\u202eb\n", "code/a.py": "x = 1\ny = \u2067'z'\n"}), Options{})
		if got := told(diags, RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	_, diags := Load(site(map[string]string{"content/pt/x.ipynb": `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": "# X"},
		{"cell_type": "code", "metadata": {}, "outputs": [], "source": "a = 1\nb = '\u202e'"}]}`}), Options{})
	if got := told(diags, RuleHidden); got != "content/pt/x.ipynb:2:6 warning U+202E" {
		t.Error(got)
	}
}

// TestTitlesAreOneLine holds that what goes into lists and feeds is one line, and nothing in it acts,
// however a heading writes it.
func TestTitlesAreOneLine(t *testing.T) {
	t.Parallel()
	s, diags := Load(site(map[string]string{
		"content/pt/a.md": "# A&#10;&#10;## B&#x202e;&#27;[2Jc\n\n## D&#x2028;e\n",
		"content/pt/b.md": "---\ntitle: |\n  Um\n  título\ndescription: >\n  a\n\n  # b\ntags: [\"c\\nd\"]\n---\n# X\n",
	}), Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	a, b := s.Page("a", "pt"), s.Page("b", "pt")
	if a.Title != "A ## B[2Jc" || a.Headings[0].Text != "D e" || b.Title != "Um título" || b.Description != "a # b" || fmt.Sprint(b.Tags) != "[c d]" {
		t.Errorf("%q %+v %q %q %q", a.Title, a.Headings, b.Title, b.Description, b.Tags)
	}
}

// TestNamesThatNobodySees holds that neither a file nor an old address has such a character.
func TestNamesThatNobodySees(t *testing.T) {
	t.Parallel()
	_, diags := Load(site(map[string]string{"content/pt/x.md": "---\nredirect_from: [a%E2%80%AEb, a%C2%85b]\n---\n# X\n", "content/pt/a\u202egpj.exe": "x", "content/pt/b\u2028.md": "# B\n"}), Options{})
	var all []string
	for _, d := range diags {
		all = append(all, d.Message.String())
	}
	text := strings.Join(all, "\n")
	if diags.Count(diag.Error) != 4 || strings.Count(text, "nobody sees") != 2 || strings.Count(text, "cannot be published") != 2 {
		t.Error(text)
	}
}
