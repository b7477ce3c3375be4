package dialects

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestRecognise(t *testing.T) {
	for in, want := range map[string]string{
		"# Native\n\n:::note\nx\n:::\n\n```python {run name=a}\n1\n```\n\nx {live}`a.b` y\n": "",
		"[[a]] ==b==\n":  "obsidian",
		"x ==b== #tag\n": "",
		"[[1]](https://x.example) and x[[a]] and [[1,2]]\n": "",
		"Veja :numref:`a`\n":                                                "d2l",
		"```{.python .input}\n#@tab x\n```\n":                               "d2l",
		"```python\n%%tab mxnet\n1\n```\n":                                  "d2l",
		"![a](b.png)\n:width:`400px`\n":                                     "d2l",
		"!!! note\n    x\n\n[[b]]\n":                                        "obsidian, mkdocs",
		"![[a.png|300]] ![[b.SVG]]\n":                                       "",
		"![[a.png]] ![[a.pdf]]\n":                                           "obsidian",
		"![[a.pdf]]\n":                                                      "obsidian",
		":octicons-link-16: x\n":                                            "mkdocs",
		"```{note}\nx\n```\n":                                               "myst",
		"``` {code-cell} ipython3\n1\n```\n":                                "myst",
		":::{tip}\nx\n:::\n":                                                "myst",
		"1. a\n\n   ```{math}\n   x\n   ```\n":                              "myst",
		"See {ref}`a` and {numref}`b`.\n":                                   "myst",
		"(a-b)=\n# A\n":                                                     "myst",
		"---\nkernelspec:\n  name: python3\n---\n# A\n":                     "myst",
		"```{prf:theorem}\nx\n```\n":                                        "myst",
		"```{run}\nx\n```\n":                                                "",
		"```{python}\n1\n```\n":                                             "quarto",
		"```{r setup, include=FALSE}\n1\n```\n":                             "quarto",
		"```{python run}\n1\n```\n":                                         "",
		"::: {.callout-note}\nx\n:::\n":                                     "quarto",
		"::: {#fig-a layout-ncol=2}\nx\n:::\n":                              "quarto",
		":::{.box}\nx\n:::\n":                                               "",
		"{{< video x.mp4 >}}\n":                                             "quarto",
		"{{< figure >}}\n":                                                  "",
		":::::: challenge\nx\n::::::\n":                                     "carpentries",
		"::: callout ::::::\nx\n::::::\n":                                   "carpentries",
		":::exercise\nx\n:::\n:::solution\nx\n:::\n":                        "",
		"> ## A\n{: .challenge}\n":                                          "carpentries",
		"---\nteaching: 10\n---\n# A\n":                                     "carpentries",
		"```{python}\n1\n```\n\n::: challenge\n:::\n\n::: keypoints\n:::\n": "carpentries",
		// The syntax of dialects in code.
		"`!!! note`, `[[a]]`, ``{ref}`a` ``\n\n```\n!!! note\n[[b]]\n```\n": "",
		"````md\n```{note}\nx\n```\n````\n":                                 "",
		"```` ```{.python .input} ````\n":                                   "",
		"a\n\n    !!! note\n\n        [[x]]\n":                              "",
		"- a\n\n    !!! note\n":                                             "mkdocs",
		"a\n\n    ```{note}\n    x\n    ```\n":                              "",
		"a\n\n    ```\n\n[[b]]\n":                                           "obsidian",
		"<!--\n!!! note\n[[b]] -->\n<pre>\n:::{note}\n</pre>\n":             "",
		"<!-- x -->\n[[b]]\n":                                               "obsidian",
		"if [[ -f x ]], from 20%% to 30%%":                                  "",
		"printf(\"%%d %%s\"), %%time and %%bash":                            "",
		"    (label)=\n":                                                    "",
		"/// A comment of Rust.\n":                                          "",
		"/// note | Title\nx\n///\n":                                        "mkdocs",
		"x %%a%% y":                                                         "obsidian",
		"~~~\n::: {.callout-tip}\n~~~\n":                                    "",
		"## A { #a }\n":                                                     "",
		"---\ntitle: '[[a]]'\n---\n":                                        "",
		"":                                                                  "",
	} {
		d, mark := Recognise(in)
		if d.String() != want || (mark == "") != (want == "") {
			t.Errorf("%q: %q by %q, want %q", in, d, mark, want)
		}
		var s Survey
		s.Text(diag.NewFile("x.md", []byte(in)), nil, nil)
		if all := s.Dialects(); !all.Has(d) {
			t.Errorf("%q: recognised as %s, --check says %s", in, d, all)
		}
	}
}

// TestAllDialects checks that the list has each dialect once, with forms that indicate it.
func TestAllDialects(t *testing.T) {
	var seen markdown.Dialect
	for _, s := range all {
		if s.Dialect != 0 && seen.Has(s.Dialect) {
			t.Errorf("%s is twice in the list", s.Dialect)
		}
		seen |= s.Dialect
		strong := slices.ContainsFunc(s.Forms, func(f markdown.Form) bool { return !f.Weak })
		if s.Dialect != 0 && !strong {
			t.Errorf("nothing indicates %s", s.Dialect)
		}
	}
	if seen != markdown.AllDialects {
		t.Errorf("the list has %s of %s", seen, markdown.AllDialects)
	}
}

func TestRecogniseFile(t *testing.T) {
	const marks = "[[a]]\n\n```{note}\n```\n"
	for _, tt := range []struct {
		name, text string
		configured markdown.Dialect
		want, by   string
	}{
		{"a.md", marks, 0, "myst", "{directive}"},
		{"a.QMD", marks, 0, "quarto", ".QMD"},
		{"a.Rmd", marks, 0, "carpentries", ".Rmd"},
		{"a.md", "text", 0, "", ""},
		{"a.md", "[[a]]\n", markdown.MkDocs, "obsidian, mkdocs", "mkdocs.yml"},
		{"a.md", marks, markdown.Quarto, "quarto", "mkdocs.yml"},
		{"a.Rmd", marks, markdown.MyST, "myst", "mkdocs.yml"},
	} {
		d, by := RecogniseFile(tt.name, tt.text, tt.configured, "mkdocs.yml")
		if d.String() != tt.want || by != tt.by {
			t.Errorf("%s in %q: %q by %q, want %q by %q", tt.name, tt.configured, d, by, tt.want, tt.by)
		}
	}
}

func TestUnsupported(t *testing.T) {
	var s Survey
	s.Text(diag.NewFile("x.md", []byte("{{< figure >}}\n\n{{< video x >}}\n\n.. note:: x\n\n```{note}\nx\n```\n\n:abbr:`x` {live}`a.b`\n")), nil, nil)
	if len(s.Unknown) != 3 || s.Unknown[2].Line != 11 {
		t.Errorf("%v", s.Unknown)
	}
}

// FuzzRecognise checks that a dialect is recognised only if its literal marks are there, and that the lines
// are those of the text.
func FuzzRecognise(f *testing.F) {
	for _, seed := range []string{"---\nkernelspec:\n---\n```{note}\n```\n", "a\r\n\r\n    `b``\n", "> - ~~~\n{r}`x`\n", "``\n`"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		Recognise(in)
		at := 0
		for l := range lines(in, nil) {
			if l.At < at || l.At+len(l.Text) > len(in) {
				t.Fatalf("%d %q after %d", l.At, l.Text, at)
			}
			if l.zone == markdown.InInfo || l.zone == markdown.InCode {
				if in[l.At:l.At+len(l.Text)] != l.Text {
					t.Fatalf("%q at %d of %q", l.Text, l.At, in)
				}
			}
			at = l.At
		}
	})
}

func TestRecogniseIsLinear(t *testing.T) {
	for name, one := range map[string]string{"runs": "`a``b```{x}``", "links": "[[a", "fences": "\n```{note}\n```", "colons": "\n:::: {a", "front": "\n---", "roles": "{a}`b` "} {
		complexitytest.Check(t, name, 20_000, func(n int) { Recognise(strings.Repeat(one, n)) })
	}
}

// BenchmarkRecognise measures pages without and with a part of a mark.
func BenchmarkRecognise(b *testing.B) {
	plain := strings.Repeat("Some words of a page, **bold** and `code`, with a [link](page.md#there).\n\n```python {run}\nx = f(1)\n```\n\n", 80)
	for name, text := range map[string]string{"plain": plain, "marks": "x[[a]] !!!\n" + plain + "{{< a >}}"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Recognise(text)
			}
		})
	}
}
