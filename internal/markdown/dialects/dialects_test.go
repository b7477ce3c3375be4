package dialects_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// TestDialectsKeepApart checks that the marks of a dialect are text without the dialect.
func TestDialectsKeepApart(t *testing.T) {
	markdowntest.Blocks(t, markdown.Obsidian|markdown.D2L, [][3]string{
		{"MkDocs", "!!! note\n\n/// note\n///\n\n=== \"A\"\n", `p"!!! note" p"/// note\n///" p"=== \"A\""`},
		{"element", "<div markdown>\na\n</div>\n", `html"<div markdown>\na\n</div>\n"`},
	})
}

// TestManyMarks checks that a page of marks only is parsed in time proportional to its length.
func TestManyMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, mark := range []string{":::a\n", ":::\n", ":::note {", "/// note\n", "///\n", "!!! note\n", "!!! a ", "=== \"A\"\n", "=== \"", "??? \"", "> [!note]\n\n", "> [!note] ", "<div markdown>\n", "<div markdown>",
		"<div markdown>\n</div>\n", "/// caption\na\n///\n", "/// html | a[b=", "</div>", ":::tab x\n:::\n", ":::note\n```\n", "/// note\n    a: 1\n", "    a: 1\n"} {
		complexitytest.Check(t, mark, 1<<17, func(n int) {
			markdowntest.Parse(markdown.Options{Dialects: markdown.Obsidian | markdown.MkDocs}, "/// note\n"+strings.Repeat(mark, n/len(mark)))
		})
	}
}

func FuzzBlocks(f *testing.F) {
	for _, s := range []string{":::note T {fold}\na\n:::", "> [!a|b]- c\n>d", "!!! a \"b\"\n    c\n\td", "/// a | b\n    c: d\n///", "=== \"a\"\n    - b\n\n        c", "<div markdown>a<div></div>\nb</div>", "- \t:::a\n\t\t:::\n"} {
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, s string, d uint8) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Dialect(d) & markdown.AllDialects}, s)
		markdowntest.CheckSpans(t, doc, []byte(s))
		for _, fault := range faults {
			if fault.Start < 0 || fault.Start > fault.Stop || fault.Stop > len(s) {
				t.Errorf("%q: %v", s, fault)
			}
		}
	})
}

// shapes are the lines of the fuzzer's pages; each W is replaced by a unique word.
var shapes = []string{"", "W", "    W", "        W", "\tW", "  W", "!!! note \"W\"", "??? W", "???+ \"W\"", "    !!! W", "=== \"W\"", "    === \"W\"", "/// note | W", "/// W", "/// caption", "/// html | W", "///", "////", "//// tab | W", "    open: True",
	"    W: [", ":::note W", ":::W", ":::", "::::tabs", ":::tab W", "::::", "> W", "> [!note]", "> [!W]- W", "> > [!tip] W", ">", "- W", "1. W", "- !!! W", "- > W", "```W", "```", "> ```", "    ```", "# W", "===", "---",
	"<div markdown>", "<div markdown>W", "<div markdown=\"1\">W</div>", "</div>", "W</div>", "<summary>W</summary>", "<p>W", "    :::note W", "> :::", "W\n: W"}

// FuzzNoTextIsLost checks that every word of a page is in its tree, or in the marks
// of a block.
func FuzzNoTextIsLost(f *testing.F) {
	f.Add([]byte{6, 2, 2, 1}, uint8(7))
	f.Add([]byte{12, 17, 1, 14, 41, 1, 44}, uint8(7))
	f.Fuzz(func(t *testing.T, lines []byte, d uint8) {
		var b bytes.Buffer
		words := 0
		for _, l := range lines[:min(len(lines), 60)] {
			for i, part := range strings.Split(shapes[int(l)%len(shapes)], "W") {
				if i > 0 {
					fmt.Fprintf(&b, "w%03dw", words)
					words++
				}
				b.WriteString(part)
			}
			b.WriteByte('\n')
		}
		source := b.Bytes()
		doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.Dialect(d) & markdown.AllDialects}, string(source))
		markdowntest.CheckSpans(t, doc, source)
		covered := coveredBytes(doc, source)
		for i := range words {
			word := fmt.Sprintf("w%03dw", i)
			at := bytes.Index(source, []byte(word))
			if !covered[at] {
				t.Errorf("%s is lost of\n%s\n%s", word, source, markdowntest.Outline(doc, source))
			}
		}
	})
}

// coveredBytes marks the bytes that a node of the tree covers.
func coveredBytes(doc ast.Node, source []byte) []bool {
	covered := make([]bool, len(source)+1)
	mark := func(from, to int) {
		for i := max(from, 0); i < min(to, len(source)); i++ {
			covered[i] = true
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i).Start, n.Lines().At(i).Stop)
			}
		}
		switch n := n.(type) {
		case *markdown.Callout:
			mark(n.Opening.Start, n.Opening.Stop)
		case *markdown.Tab:
			mark(n.Opening.Start, n.Opening.Stop)
		case *markdown.Container:
			mark(n.Opening.Start, n.Opening.Stop)
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				mark(n.Info.Segment.Start, n.Info.Segment.Stop)
			}
		case *ast.HTMLBlock:
			mark(n.ClosureLine.Start, n.ClosureLine.Stop)
		}
		return ast.WalkContinue, nil
	})
	return covered
}
