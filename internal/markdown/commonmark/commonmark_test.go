package commonmark

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

func converted(t *testing.T, source string) (string, []markdown.Fault) {
	t.Helper()
	var out bytes.Buffer
	pc := parser.NewContext()
	if err := New().Convert([]byte(source), &out, parser.WithContext(pc)); err != nil {
		t.Fatal(err)
	}
	return out.String(), markdown.Faults(pc)
}

// TestManyDelimiters checks that a paragraph has all emphasis up to the limit, that the rest is text and is
// reported once, and that the next paragraph has its own limit.
func TestManyDelimiters(t *testing.T) {
	out, faults := converted(t, strings.Repeat("*a* ", maxDelimiters/2)+"\n\n*b*\n")
	if n := strings.Count(out, "<em>"); n != maxDelimiters/2+1 || len(faults) > 0 {
		t.Errorf("%d of %d, %v", n, maxDelimiters/2+1, faults)
	}
	source := strings.Repeat("*a* ", maxDelimiters) + "\n\n*b* [*c*](d)\n"
	out, faults = converted(t, source)
	if n := strings.Count(out, "<em>"); n != maxDelimiters/2+2 || strings.Count(out, "*a*") != maxDelimiters/2 {
		t.Errorf("%d with emphasis, %d without", n, strings.Count(out, "*a*"))
	}
	if len(faults) != 1 || faults[0].Start != strings.Index(source, " ")*maxDelimiters/2+maxDelimiters/2 || source[faults[0].Start] != '*' {
		t.Errorf("%+v", faults)
	}
}

// TestEndlessAddresses checks that the limits affect only links without an end within the length that
// CommonMark allows.
func TestEndlessAddresses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "b" + strings.Repeat(")", n) }
	for source, want := range map[string]string{
		"[a](" + deep(maxParentheses) + ")":   `<p><a href="` + deep(maxParentheses) + `">a</a></p>`,
		"[a](" + deep(maxParentheses+1) + ")": "<p>[a](" + deep(maxParentheses+1) + ")</p>",
		`[a](\(\(b)`:                          `<p><a href="((b">a</a></p>`,
		"[a](\n<b c>)":                        `<p><a href="b%20c">a</a></p>`,
		`[a](<b\<c>)`:                         `<p><a href="b%3Cc">a</a></p>`,
		"[a](<b [c](<d>)":                     `<p>[a](&lt;b <a href="d">c</a></p>`,
		"[a](<b<c)\n\n[a]: e":                 `<p><a href="e">a</a>(&lt;b&lt;c)</p>`,
	} {
		if out, _ := converted(t, source); strings.TrimSpace(out) != want {
			t.Errorf("%.80q:\n got %swant %s", source, out, want)
		}
	}
}

// TestFootnoteOrder checks that footnotes are numbered in the order of their first references, whatever the
// order of their definitions.
func TestFootnoteOrder(t *testing.T) {
	var want []string
	for i, label := range []string{"c", "a", "e"} {
		want = append(want, fmt.Sprintf(`<li id="fn:%d">`+"\n<p>text %s", i+1, label))
	}
	source := "[^c] [^a] [^c] ![^a] [^e] [^a] [^x]\n\n"
	for _, label := range []string{"a", "b", "c", "d", "e", "a"} {
		source += "[^" + label + "]: text " + label + "\n\n"
	}
	out, _ := converted(t, source)
	at := -1
	for _, w := range want {
		i := strings.Index(out, w)
		if i <= at {
			t.Errorf("%s stands at %d, behind %d:\n%s", w, i, at, out)
		}
		at = i
	}
	if strings.Contains(out, "text b") || strings.Contains(out, "text d") || !strings.Contains(out, "[^x]") || strings.Count(out, `href="#fn:2"`) != 3 {
		t.Error(out)
	}
}

// TestFootnoteInFootnote checks that a definition keeps its text if another one refers to it.
func TestFootnoteInFootnote(t *testing.T) {
	out, _ := converted(t, "a[^1]\n\n[^1]: one [^2] [^3] [^1]\n\n[^2]:\n    two [^3]\n\n[^3]: three\n")
	for _, want := range []string{"<p>one <sup", "<p>two <sup", "<p>three&#160;"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
}

// TestNestedFootnotes checks that many definitions within each other take linear time, and end with their line.
func TestNestedFootnotes(t *testing.T) {
	complexitytest.Check(t, "[^a]: ", 1<<16, func(n int) {
		if out, _ := converted(t, strings.Repeat("[^a]: ", n/6)+"\n\ne\n"); out != "<p>e</p>\n" {
			t.Fatal(out)
		}
	})
}

// TestWideTables checks that a table ends if its rows lack too many cells, and that a few short rows do not
// end it.
func TestWideTables(t *testing.T) {
	table := func(columns, rows int, row string) string {
		return "|" + strings.Repeat("a|", columns) + "\n|" + strings.Repeat("-|", columns) + "\n" + strings.Repeat(row, rows)
	}
	out, faults := converted(t, table(100, 1000, "|b|\n"))
	if n := strings.Count(out, "<tr>"); n != 1001 || len(faults) > 0 {
		t.Errorf("%d rows, %v", n, faults)
	}
	source := table(1000, 1000, "|b|\n")
	out, faults = converted(t, source)
	if n := strings.Count(out, "<tr>"); n != 1+maxEmptyCells/998 || len(faults) != 1 {
		t.Errorf("%d rows, %v", n, faults)
	}
	if n := strings.Count(out, "b"); n < 1000 {
		t.Errorf("%d of 1000 rows are shown", n)
	}
	if len(faults) == 1 && !strings.HasPrefix(source[faults[0].Start:], "|b|\n") {
		t.Errorf("%+v", faults)
	}
}
