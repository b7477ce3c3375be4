package page_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// numbered joins what a format makes of the numbers below n.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "%", "%[1]d"), i)
	}
	return b.String()
}

// linearPages are pages that grow with n in one respect. A new dialect or feature adds pages with many of its
// marks, many equal ones, many that are not closed, and many references to missing targets.
var linearPages = []struct {
	name string
	page func(n int) string
	// size is the largest n.
	size int
}{
	{"equal headings", func(n int) string { return strings.Repeat("## Same\n\n", n) }, 8000},
	{"headings of setext", func(n int) string { return strings.Repeat("a\n=\n", n) }, 8000},
	{"headings like numbered ones", func(n int) string { return numbered(n, "## a\n\n## a-%\n\n") }, 4000},
	{"equal ids", func(n int) string { return strings.Repeat("## a {#x}\n\n", n) }, 8000},
	{"equal ids of images", func(n int) string { return strings.Repeat("![](b.png){#x}\n\n", n) }, 8000},
	{"images without a text", func(n int) string { return numbered(n, "![](https://example.org/%.png) ") }, 8000},
	{"chained footnotes", func(n int) string { return "[^0]\n\n" + numbered(n, "[^%]: see [^%0]\n\n") }, 8000},
	{"footnotes", func(n int) string { return numbered(n, "[^%] ") + "\n\n" + numbered(n, "[^%]: a\n\n") }, 8000},
	{"footnotes, the other way round", func(n int) string {
		return "[^z]\n\n" + numbered(n, "[^%]:\n\n") + "[^z]: " + numbered(n, "[^%] ")
	}, 8000},
	{"unknown footnotes", func(n int) string { return "[^z]\n\n[^z]: a\n\n" + numbered(n, "[^%] ") }, 8000},
	{"unknown references", func(n int) string { return numbered(n, "[a][b%] ") }, 8000},
	{"references", func(n int) string { return numbered(n, "[a%]: #\n") + "\n" + numbered(n, "[a%] ") }, 8000},
	{"broken links in one line", func(n int) string { return numbered(n, "[a](b%.md) ") }, 8000},
	{"broken anchors", func(n int) string { return numbered(n, "[a](#b%) ") }, 8000},
	{"broken images", func(n int) string { return numbered(n, "![a](b%.png) ") }, 8000},
	{"anchors", func(n int) string { return numbered(n, "## h%\n\n[](#h%)\n\n") }, 4000},
	{"labels that are not there", func(n int) string { return numbered(n, "\\ref{a%} ") }, 8000},
	{"links that do not end", func(n int) string { return strings.Repeat("[a](", n) }, 32000},
	{"pointed links that do not end", func(n int) string { return strings.Repeat("[a](<b", n) }, 32000},
	{"titles that do not end", func(n int) string { return strings.Repeat("[a](b (c", n) }, 32000},
	{"emphasis of two kinds", func(n int) string { return strings.Repeat("*a_ ", n) }, 32000},
	{"emphasis of multiples of three", func(n int) string { return "a**b" + strings.Repeat("c* ", n) }, 32000},
	{"emphasis that opens and closes", func(n int) string { return strings.Repeat("a~~b*c_", n) }, 8000},
	{"emphasis in emphasis", func(n int) string { return strings.Repeat("*a **a ", n) + strings.Repeat("b** b* ", n) }, 8000},
	{"marks of dialects", func(n int) string { return strings.Repeat("==a ^^b^^ ~c~~ ", n) }, 8000},
	{"backticks", func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString("e" + strings.Repeat("`", i))
		}
		return b.String()
	}, 256 << 10},
	{"brackets", func(n int) string { return strings.Repeat("[", n) + "a" + strings.Repeat("]", n) }, 16000},
	{"rows without cells", func(n int) string {
		return "|" + strings.Repeat("a|", n) + "\n|" + strings.Repeat("-|", n) + "\n" + strings.Repeat("|a|\n", n)
	}, 8000},
	{"attributes of a tag", func(n int) string { return "<b " + numbered(n, "a%=b ") + ">a</b>" }, 8000},
	{"attributes of a fence", func(n int) string { return "```python {" + numbered(n, "a%=b ") + "}\na\n```\n" }, 8000},
	{"attributes of an image", func(n int) string { return "![a](b){" + numbered(n, "a%=b ") + "}" }, 8000},
	{"invisible characters", func(n int) string { return strings.Repeat("a\u202eb ", n) }, 8000},
	{"carriage returns", func(n int) string { return strings.Repeat("\r", n) }, 32000},
	{"notes that embed themselves", func(n int) string { return strings.Repeat("![[0]]\n\n", n) }, 4000},
	{"wiki links", func(n int) string { return numbered(n, "## h%\n\n[[#h%]] [[#g%]]\n\n") }, 4000},
	{"unknown notes", func(n int) string { return numbered(n, "[[n%]] ") }, 8000},
	{"labels of D2L", func(n int) string { return strings.Repeat(":label:`a`\n\n", n) }, 8000},
	{"values", func(n int) string { return numbered(n, "{live}`m.v%` ") }, 8000},
}

// TestLinear checks that the files of a page, and what is said of it, take time in
// proportion to its length.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large pages")
	}
	forget()
	for _, p := range linearPages {
		t.Run(p.name, func(t *testing.T) {
			size := p.size
			if os.Getenv("GPUDOCS_LONG") == "" {
				size /= 4
			}
			complexitytest.Check(t, p.name, size, func(n int) {
				pagesOf(t, "[obsidian, d2l, mkdocs]", "# P\n\n"+p.page(n)+"\n")
			})
		})
	}
}

// TestLinearCitations checks that many citations take time proportional to their number.
func TestLinearCitations(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large pages")
	}
	complexitytest.Check(t, "citations", 6000, func(n int) {
		rendered(t, map[string]string{
			"gpudocs.toml":    "[languages.pt]\n[markdown]\nbibliography = \"a.bib\"\n",
			"a.bib":           numbered(n, "@article{k%, author={Silva, A%}, title={T}, year=2020}\n"),
			"content/pt/x.md": "# X\n\n" + numbered(n, "[@k%] "),
		})
	})
}
