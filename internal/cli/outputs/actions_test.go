package outputs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestAnnotate(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := annotate(&out, []annotation{
		{level: diag.Error, file: "docs/a,b:c%.md", line: 3, column: 2, endColumn: 5, title: "x: y\n::error::z", message: "100% wrong\r\n::warning::gotcha, no: a\x1b[31m"},
		{level: diag.Warning, message: "bare"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "::error file=docs/a%2Cb%3Ac%25.md,line=3,col=2,endColumn=5,title=x%3A y %3A%3Aerror%3A%3Az::100%25 wrong%0A::warning::gotcha, no: a\uFFFD[31m\n" +
		"::warning::bare\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// TestShown: GitHub shows ten annotations of each level, so the tenth counts the remaining
// ones.
func TestShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ errors, warnings, lines int }{{10, 0, 10}, {11, 0, 10}, {500, 10, 20}, {3, 12, 13}, {0, 0, 0}} {
		var list []annotation
		for i := range c.errors {
			list = append(list, annotation{level: diag.Error, message: fmt.Sprint("e", i)})
		}
		for i := range c.warnings {
			list = append(list, annotation{level: diag.Warning, message: fmt.Sprint("w", i)})
		}
		var out strings.Builder
		if err := annotate(&out, list); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n"); n != c.lines {
			t.Errorf("%+v: %d lines\n%s", c, n, out.String())
		}
		if rest := fmt.Sprintf("and %d more", c.errors-9); strings.Contains(out.String(), "::"+rest) != (c.errors > 10) {
			t.Errorf("%+v: want %q once\n%s", c, rest, out.String())
		}
	}
}

// FuzzAnnotate: one command is one line, and before the second "::", where the runner splits
// it, are only the level and its own properties.
func FuzzAnnotate(f *testing.F) {
	f.Add("f.md", "title", "message")
	f.Add("a::b", "x\r\n::stop-commands::y", "%0A\n\r::add-mask::")
	f.Fuzz(func(t *testing.T, file, title, message string) {
		var out bytes.Buffer
		if err := annotate(&out, []annotation{{level: diag.Error, file: file, line: 7, title: title, message: message}}); err != nil {
			t.Fatal(err)
		}
		s := strings.TrimSuffix(out.String(), "\n")
		if strings.ContainsAny(s, "\r\n\x1b") {
			t.Fatalf("more than one line: %q", s)
		}
		head, got, ok := strings.Cut(strings.TrimPrefix(s, "::"), "::")
		if !ok || strings.Count(head, ",") > 2 || !strings.Contains(head, "line=7") {
			t.Fatalf("head %q of %q", head, s)
		}
		if len(message) > maxMessage || strings.Contains(message, "\r") {
			return
		}
		if back := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(got); back != printableLines(message) {
			t.Fatalf("message %q is read back as %q", message, back)
		}
	})
}

func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = diag.Printable(l)
	}
	return strings.Join(lines, "\n")
}

func TestMute(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	end := mute(&out, "token")
	out.WriteString("::error::no\n")
	end()
	if out.String() != "::stop-commands::token\n::error::no\n::token::\n" {
		t.Errorf("%q", out.String())
	}
}

// cells parses a table as Markdown and returns the text of its cells. It fails if a cell holds
// anything but text.
func cells(t *testing.T, table string) (out [][]string) {
	source := []byte(table)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	rendered := func(n ast.Node) string {
		var b bytes.Buffer
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			switch c := c.(type) {
			case *ast.Text:
				b.Write(unescaped(c.Segment.Value(source)))
			case *ast.String:
				b.Write(c.Value)
			default:
				t.Fatalf("a cell holds %s: %q", c.Kind(), table)
			}
		}
		return b.String()
	}
	for row := doc.FirstChild().FirstChild(); row != nil; row = row.NextSibling() {
		var line []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			if c.Kind() != east.KindTableCell {
				t.Fatalf("%s in a row", c.Kind())
			}
			line = append(line, rendered(c))
		}
		out = append(out, line)
	}
	return out
}

func unescaped(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) {
			i++
		}
		out = append(out, b[i])
	}
	return bytes.ReplaceAll(out, []byte("&#124;"), []byte("|"))
}

// FuzzTable: the text of a cell is read back unchanged.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"a|b", `\|`, `\\|`, "**x**", "<script>", "[x](http://y)", "`a` | b", "https://example.org", "a\nb", "&amp; &#124;", "~~x~~", ":smile:", "- x", "www.example.org x@y.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.TrimSpace(diag.Printable(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", " "), "\n", " ")))
		if want == "" || len(s) > cellBytes || strings.Contains(s, "&#124;") || strings.ContainsRune(s, '\uFFFD') || !ascii(s) {
			return
		}
		got := cells(t, table([]string{"head", "more"}, [][]string{{s, "x"}}))
		if len(got) != 2 || len(got[1]) != 2 || got[1][0] != want || got[1][1] != "x" {
			t.Fatalf("%q is read back as %q", want, got)
		}
	})
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] < 0x20 && s[i] != '\n' {
			return false
		}
	}
	return true
}

func TestTableBounds(t *testing.T) {
	t.Parallel()
	body := make([][]string, maxRows+5)
	for i := range body {
		body[i] = []string{strings.Repeat("*", 2*cellBytes)}
	}
	table := table([]string{"h"}, body)
	if !strings.HasSuffix(table, "\nand 5 more\n") || len(table) > (maxRows+2)*(2*cellBytes+20) {
		t.Errorf("%d bytes, ends with %q", len(table), table[len(table)-40:])
	}
	long := bounded(strings.Repeat("0123456789\n", 1<<17))
	if len(long) > 1<<20 || !strings.HasSuffix(long, "9\n\nThe rest is in the step's log.\n") {
		t.Errorf("%d bytes, ends with %q", len(long), long[len(long)-60:])
	}
}
