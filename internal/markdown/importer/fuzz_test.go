package importer

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFlattened checks that no word of a flattened notebook is lost, that its parts stay in order, and that
// a second import changes nothing.
func FuzzFlattened(f *testing.F) {
	for _, s := range []string{
		"In [1]:\nx = 2\nx\n\n2\n\nTexto.\n", "In [ ]:\n!ls\n\nIn [2]:\nf(\n\n1)\n\nOut[2]: 3\n", "In [1]:\n# a\n\n# b\n\nx\n\n\n+--+\n|a |\n",
		"In [3]:\ndef f():\n\n    '''\n\n```\n'''\n\n  0 1\n", "```\nIn [1]:\nx\n```\n", "In [1]:\n%%bash\necho\n\nIn [None]:\nfor x in y:\n", "In [1]:\r\nx\r\n\r\n1\r\n", "In [1]: for x in y:\n   ...:   x\n   ...: \nOut[1]: 2\nIn [2]: z",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, bad := firstNonText(data); bad || bytes.Contains(data, []byte(markOpen)) {
			return
		}
		cells, lines := flatCells(data)
		at := 0
		for _, c := range cells {
			if c.prompt < at || c.code.first != c.prompt+1 || c.code.end <= c.code.first || c.text.first < c.code.end || c.text.end < c.text.first || max(c.code.end, c.text.end) > len(lines) {
				t.Fatalf("%+v of %d lines", c, len(lines))
			}
			at = max(c.code.end, c.text.end)
		}
		r := Convert("x.md", data, Options{})
		raw := inText(promptForm.String()).ReplaceAllString(string(data), "")
		if len(cells) > 0 && !strings.Contains(raw, "```") && !strings.Contains(raw, "~~~") {
			prompt := regexp.MustCompile(`In ?\[(?:\d+|\s*|None|\*)\]:`)
			words := func(s string) []string { return wordsOf(prompt.ReplaceAllString(unresulted(s), "")) }
			same(t, "cells", words(raw), words(unfenced(string(r.Data))))
		}
		if again := Convert("x.md", r.Data, Options{}); !bytes.Equal(again.Data, r.Data) {
			t.Fatalf("again:\n%s", firstDifference(r.Data, again.Data))
		}
	})
}

// FuzzImport checks that any text can be converted in any dialect, and that places are within the file.
func FuzzImport(f *testing.F) {
	for _, s := range []string{
		"# a\n:label:`b`\n\n![c](d)\n:width:`3px`\n:label:`e`\n:cite:`f`\n", "[[a|b]] ==c== %%d%% ^e\n\n![[f|3]]\n> [!g]- h\n> > [!i]\n> j\n",
		"!!! a \"b\"\n    ??? c\n        === \"d\"\n            e\n/// f | g\n    type: h\n\n///\n{* i ln[1] *}\n", ":begin_tab:`a`\nb\n:end_tab:\n\n```{.python .input}\n#@tab c\nd\n```\n",
		"- ```py\n  >>> a\n  ```\n> ```sh\n> $ b\n> c\n> ```\n", "---\ndialects: [d2l]\n---\n$$a$$\n:eqlabel:`b`\n|a|\n|-|\n:label:`c`\n", "\t!!! note\n\t\tx\n",
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, run bool) {
		for _, name := range []string{"x.md", "x.ipynb"} {
			r := Convert(name, data, Options{Run: run, Files: map[string]bool{"a/b.ipynb": true}})
			for _, d := range r.Diags {
				if d.Line < 0 || d.Line > bytes.Count(data, []byte("\n"))+1 && name == "x.md" {
					t.Fatalf("%v of %q", d, data)
				}
			}
			if r.Data != nil && !utf8.Valid(r.Data) {
				t.Fatalf("no UTF-8: %q", r.Data)
			}
		}
	})
}

// unresulted returns a text without any Out[1]:.
func unresulted(s string) string {
	return regexp.MustCompile(`Out ?\[(?:\d+|\s*|None)\]:`).ReplaceAllString(s, "")
}
