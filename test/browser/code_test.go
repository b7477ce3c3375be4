package browser

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

const codePage = `---
title: Code
---

` + "```python {numbers=9 hl_lines=2 title=\"long.py\"}" + `
import torch
model = torch.nn.Linear(4096, 4096, device="cuda")  # a line that is a good deal wider than any page is, to see what it does

print(model)
` + "```" + `

` + "```python {diff numbers}" + `
 import torch
-x = torch.ones(3)  # on the CPU
+x = torch.ones(3, device="cuda")
` + "```" + `

` + "```python {hide=\"1-2\" numbers}" + `
import os
import sys
print(os, sys)
` + "```" + `

` + "```python {annotate}" + `
y = x * 2  # (1)!
print("two", 2)  # a comment (2)
` + "```" + `

1. One.
2. Two.
`

// TestCode checks code whose lines have numbers, signs and annotations: only the code is selected and
// copied, and it is readable in both colour schemes at every width.
func TestCode(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		for _, lang := range []string{"pt", "es"} {
			s.write(t, path.Join("content", lang, "index.md"), codePage)
		}
	})
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.copied = []; navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve(); }`)
	tb.visit("pt/")
	figure := func(n int) string { return fmt.Sprintf("document.querySelectorAll('figure.code')[%d]", n) }

	// The copied text is the code that runs: of a diff the new version, and with hidden lines.
	for n, want := range []string{
		"import torch\nmodel = torch.nn.Linear(4096, 4096, device=\"cuda\")  # a line that is a good deal wider than any page is, to see what it does\n\nprint(model)",
		"import torch\nx = torch.ones(3, device=\"cuda\")",
		"import os\nimport sys\nprint(os, sys)",
		"y = x * 2  \nprint(\"two\", 2)  # a comment ",
	} {
		eval[any](tb, figure(n)+".querySelector('.copy').click()")
		is(tb, "copied.at(-1)", want)
	}

	// The selected text is the visible code, without numbers and signs.
	selected := func(n int) string {
		return eval[string](tb, "getSelection().selectAllChildren("+figure(n)+".querySelector('pre')), getSelection().toString()")
	}
	for n, want := range []string{
		"import torch\nmodel = torch.nn.Linear(4096, 4096, device=\"cuda\")  # a line that is a good deal wider than any page is, to see what it does\n\nprint(model)",
		"import torch\nx = torch.ones(3)  # on the CPU\nx = torch.ones(3, device=\"cuda\")",
	} {
		if got := strings.TrimRight(selected(n), "\n"); got != want {
			t.Errorf("selected is\n%q, want\n%q", got, want)
		}
	}

	// A mark links to its item, and the item back.
	tb.click("#_mark\\.1\\.2")
	tb.until("location.hash === '#_note.1.2'")
	tb.click("#_note\\.1\\.2 .note-back")
	tb.until("location.hash === '#_mark.1.2'")
	is(tb, "(r => r.height >= 24 && r.width >= 24)((m => { let s = getComputedStyle(m, '::after'); return {height: parseFloat(s.height), width: parseFloat(s.width)} })(document.querySelector('.note-mark')))", true)

	tb.openDetails()
	for _, fault := range eval[audited](tb, audit).Faults {
		t.Error(fault)
	}
	for _, width := range []int64{360, 768, 1440} {
		tb.size(width, 900)
		is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
		// Numbers stay where they are while their lines scroll.
		is(tb, "(p => { p.scrollLeft = 200; const s = getComputedStyle(p.querySelector('.line'), '::before'); return s.position === 'sticky' && s.content.includes('9') })("+figure(0)+".querySelector('pre'))", true)
		for _, scheme := range []string{"light", "dark"} {
			tb.scheme(scheme)
			tb.contrast(fmt.Sprint(width, " pixels"), scheme)
			tb.picture(fmt.Sprintf("code-%s-%d", scheme, width), true)
		}
	}
}

// Of a transcript only the typed lines are copied, for every kind of prompt.
func TestTranscriptsAreCopiedWithoutPrompts(t *testing.T) {
	t.Parallel()
	cases := []struct{ language, text, want string }{
		{"pycon", ">>> for i in x:\n...     f(i)\n...\n0\n>>> g()", "for i in x:\n    f(i)\n\ng()"},
		{"pycon", ">>> x\narray([0,\n... 9])", "x"},
		{"text", "In [1]: import torch\nIn [2]: def f():\n   ...:     return 1\nOut[2]: 3", "import torch\ndef f():\n    return 1"},
		{"console", "$ apt install \\\n>   nvidia\nReading\n# as root\n$ echo\nhi", "apt install \\\n  nvidia\necho"},
		{"console", "$ make \\\n  all\nbuilt", "make \\\n  all"},
		{"console", "(torch) $ a\nx\nana@lab:~/x$ b\n[ana@lab ~]$ c\nbash-5.1$ d", "a\nb\nc\nd"},
		{"console", "# nvidia-smi -pm 1\nEnabled", "nvidia-smi -pm 1"},
		{"console", "root@lab:/etc# ls\n50% of it", "ls"},
		{"console", "$ cat > a.py <<EOF\n> print(1)\n> EOF\n$ npm test\n> a@1 test", "cat > a.py <<EOF\nprint(1)\nEOF\nnpm test"},
		{"powershell", "PS C:\\Users> dir\na.txt", "dir"},
		{"bash", "# a comment\nls", "# a comment\nls"},
		{"text", "% of LaTeX\nx", "% of LaTeX\nx"},
		{"console", "no prompt\nat all", "no prompt\nat all"},
	}
	page := "# Code\n"
	for _, c := range cases {
		page += "\n```" + c.language + "\n" + c.text + "\n```\n"
	}
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", page)
		s.write(t, "content/es/index.md", page)
	})
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.copied = []; navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve(); }`)
	tb.visit("pt/")
	eval[any](tb, "document.querySelectorAll('.copy').forEach(b => b.click())")
	copied := eval[[]string](tb, "copied")
	if len(copied) != len(cases) {
		t.Fatalf("%d of %d blocks were copied", len(copied), len(cases))
	}
	for i, c := range cases {
		if copied[i] != c.want {
			t.Errorf("%s: %q: copied %q, want %q", c.language, c.text, copied[i], c.want)
		}
	}
}

// TestHiddenCodeWithoutScripts checks that hidden lines open without JavaScript.
func TestHiddenCodeWithoutScripts(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", codePage)
		s.write(t, "content/es/index.md", codePage)
	})
	tb := openTab(t, site.base)
	tb.withoutScripts()
	tb.visit("pt/")
	is(tb, "document.querySelector('.code-hidden pre').checkVisibility()", false)
	tb.click(".code-hidden > summary")
	tb.until("document.querySelector('.code-hidden pre').checkVisibility()")
	is(tb, "document.querySelector('.code-hidden').innerText.includes('import sys')", true)
}
