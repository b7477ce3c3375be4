package page_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestCodeLines holds the HTML of code whose lines have something of their own.
func TestCodeLines(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"nothing to say of lines", "```text\na\nb\n```", "<code>a\nb\n</code>"},
		{"marked", "```text {hl_lines=2}\na\nb\n```",
			"<code>" + `<span class="line"><span class="cl">a` + "\n</span></span>" + `<span class="line hl"><span class="cl">b` + "\n</span></span></code>"},
		{"numbers of one width", "```text {numbers=9}\na\n\nc\n```",
			`<span class="line" data-n=" 9"><span class="cl">a` + "\n</span></span>" + `<span class="line" data-n="10"><span class="cl">` + "\n</span></span>" + `<span class="line" data-n="11"><span class="cl">c`},
		{"as MkDocs writes it", "``` text linenums=\"1\"\na\n```", `<span class="line" data-n="1"><span class="cl">a`},
		{"a diff keeps the language's colours", "```python {diff}\n import os\n-x = 1\n+x = 2\n```",
			`<span class="line same"><span class="cl"><span class="kn">import</span>`},
		{"and says in words what a sign means", "```text {diff}\n a\n-b\n+c\n```",
			`<span class="line same"><span class="cl">a` + "\n</span></span>" +
				`<span class="line del"><span class="sign">removida: </span><span class="cl">b` + "\n</span></span>" +
				`<span class="line add"><span class="sign">adicionada: </span><span class="cl">c`},
		{"a diff without a column for what stays", "```text {diff}\na\n+b\n```", `<span class="line same"><span class="cl">a` + "\n"},
		{"hidden lines", "```text {hide=\"2-3\" numbers}\na\nb\nc\nd\n```",
			`<span class="line" data-n="1"><span class="cl">a` + "\n" + `</span></span></code></pre>` + "\n" + `<details class="code-hidden"><summary>2 linhas ocultas</summary><pre class="chroma" tabindex="0"><code><span class="line" data-n="2">`},
		{"one hidden line", "```text {hide=1}\na\nb\n```", `<summary>1 linha oculta</summary>`},
		{"code in HTML's own letters", "```text {numbers}\n<b> & \"c\"\n```", `&lt;b&gt; &amp; &#34;c&#34;`},
		{"ranges beyond the last line, and over each other", "```text {hl_lines=\"2-9 2 3-3 7\"}\na\nb\nc\n```",
			`<span class="line"><span class="cl">a` + "\n</span></span>" + `<span class="line hl"><span class="cl">b` + "\n</span></span>" + `<span class="line hl"><span class="cl">c`},
		{"a byte of zero", "```text\na\x00b\n```", "<code>a\ufffdb\n"},
		{"and in numbered lines", "```text {numbers}\na\x00b\n```", "a\ufffdb\n"},
		{"a lone carriage return ends no line", "```text {numbers}\na\rb\nc\n```", `<span class="line" data-n="2"><span class="cl">c`},
		{"an annotation in the place of its comment", "```python {annotate}\nx = 1  # (1)!\n```\n\n1. One.\n",
			`<span class="mi">1</span>  <a class="note-mark" id="_mark.1.1" href="#_note.1.1">1</a>` + "\n"},
		{"one that leaves the comment", "```python {annotate}\nx = 1  # why (1)\n```\n\n1. One.\n",
			`<span class="c1"># why </span><a class="note-mark" id="_mark.1.1" href="#_note.1.1">1</a>`},
		{"and its item", "```python {annotate}\nx = 1  # (1)!\n```\n\n1. One.\n",
			"<ol class=\"annotations\">\n<li id=\"_note.1.1\">One. <a class=\"note-back\" href=\"#_mark.1.1\" aria-label=\"Voltar à marca 1 do código\">↩</a></li>"},
		{"an item of several paragraphs", "```c {annotate}\nint x; // (1)!\n```\n\n1. One.\n\n   Two.\n",
			`<p>Two. <a class="note-back"`},
		{"two marks of one item", "```bash {annotate}\na # (1)!\nb # (1)!\n```\n\n1. One.\n", `<a class="note-mark" id="_mark.1.1.2" href="#_note.1.1">1</a>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pages := rendered(t, map[string]string{"content/pt/p.md": tt.block + "\n"})
			if got := pages["pt/p/"]; !strings.Contains(got, tt.want) {
				i := strings.Index(got, "<figure")
				t.Errorf("want %s\nin   %s", tt.want, got[max(i, 0):])
			}
		})
	}
}

// TestCodeLinesInTime checks that many lines with many marks take time proportional to their number.
func TestCodeLinesInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	complexitytest.Check(t, "lines", 30000, func(n int) {
		marks := make([]string, n)
		for i := range marks {
			marks[i] = strconv.Itoa(i + 1)
		}
		block := "```text {annotate numbers hl_lines=\"" + strings.Join(marks, " ") + "\"}\n" + strings.Repeat("x # (1)!\n", n) + "```\n\n1. One.\n"
		pages := rendered(t, map[string]string{"content/pt/p.md": block})
		if got := pages["pt/p/"]; strings.Count(got, `class="note-mark"`) != n || strings.Count(got, `class="line hl"`) != n {
			t.Error("lines are missing")
		}
	})
}
