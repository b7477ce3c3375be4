package diag

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestPrintEqual checks that of many equal diagnostics of a file only the first are printed.
func TestPrintEqual(t *testing.T) {
	var l List
	for i := range 60 {
		l = append(l, Diagnostic{File: "a.md", Line: i + 1, Column: 1, Message: Plain("x")}, Diagnostic{File: "b.md", Message: Plain("y")})
	}
	var b strings.Builder
	Print(&b, l[:102], Style{})
	if got := b.String(); !strings.HasSuffix(got, "a.md: x: and 1 more\nb.md: y: and 1 more\n") || strings.Count(got, "\n") != 102 {
		t.Error(got)
	}
}

func TestPrint(t *testing.T) {
	tests := []struct {
		name  string
		d     Diagnostic
		color bool
		want  string
	}{
		{
			name: "all parts",
			d: Diagnostic{File: "content/pt/gpu.md", Line: 12, Column: 14, Width: 7,
				Message: Plain(`unknown attribute "tiemout"`), Hint: Plain(`did you mean "timeout"?`), Source: "```bash {run tiemout=30s}"},
			want: "content/pt/gpu.md:12:14: error: unknown attribute \"tiemout\"\n" +
				"   12 | ```bash {run tiemout=30s}\n" +
				"      |              ^~~~~~~\n" +
				"  hint: did you mean \"timeout\"?\n",
		},
		{
			name: "about a whole file",
			d:    Diagnostic{Severity: Warning, File: "results/x.json", Message: Plain("old")},
			want: "results/x.json: warning: old\n",
		},
		{
			name: "about no file",
			d:    Diagnostic{Message: Plain("broken")},
			want: "error: broken\n",
		},
		{
			name: "the mark stands below non-ASCII text",
			d:    Diagnostic{File: "a", Line: 1, Column: 9, Width: 3, Message: Plain("m"), Source: "título: ção"},
			want: "a:1:9: error: m\n" +
				"    1 | título: ção\n" +
				"      |         ^~~\n",
		},
		{
			name: "a tab is one blank",
			d:    Diagnostic{File: "a", Line: 1, Column: 4, Width: 1, Message: Plain("m"), Source: "\ta\tb"},
			want: "a:1:4: error: m\n" +
				"    1 |  a b\n" +
				"      |    ^\n",
		},
		{
			name: "a place of no width has one mark",
			d:    Diagnostic{File: "a", Line: 1, Column: 3, Message: Plain("m"), Source: "ab"},
			want: "a:1:3: error: m\n" +
				"    1 | ab\n" +
				"      |   ^\n",
		},
		{
			name: "a blank line is not shown",
			d:    Diagnostic{File: "a", Line: 3, Column: 1, Message: Plain("m"), Hint: Plain("h"), Source: " \t"},
			want: "a:3:1: error: m\n  hint: h\n",
		},
		{
			name: "nothing moves the cursor or turns the text around",
			d: Diagnostic{File: "a\x1b[2J", Line: 1, Column: 4, Width: 1, Message: Plain("m\nn\u202e"), Hint: Plain("h\a\u2066"),
				Source: "\x1b[31m\u202ex\x9b"},
			want: "a\ufffd[2J:1:4: error: m\ufffdn\ufffd\n" +
				"    1 | \ufffd[31m\ufffdx\ufffd\n" +
				"      |    ^\n" +
				"  hint: h\ufffd\ufffd\n",
		},
		{
			name: "bytes that are not UTF-8 keep their columns",
			d:    Diagnostic{File: "a", Line: 1, Column: 3, Width: 1, Message: Plain("m"), Source: "\xff\xfex"},
			want: "a:1:3: error: m\n" +
				"    1 | \ufffd\ufffdx\n" +
				"      |   ^\n",
		},
		{
			name: "a line number of six digits moves the mark as well",
			d:    Diagnostic{File: "a", Line: 123456, Column: 1, Width: 2, Message: Plain("m"), Source: "ab"},
			want: "a:123456:1: error: m\n" +
				"123456 | ab\n" +
				"       | ^~\n",
		},
		{
			name: "with color", color: true,
			d: Diagnostic{File: "a", Line: 1, Column: 1, Width: 1, Message: Plain("m\x1b"), Source: "x"},
			want: "\x1b[1;31ma:1:1: error: m\ufffd\x1b[0m\n" +
				"    1 | x\n" +
				"      | \x1b[1;31m^\x1b[0m\n",
		},
		{
			name: "a warning with color", color: true,
			d:    Diagnostic{Severity: Warning, File: "a", Message: Plain("m")},
			want: "\x1b[1;33ma: warning: m\x1b[0m\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			Print(&b, List{tt.d}, Style{Color: tt.color})
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPrintShowsAllOfALineThatFits(t *testing.T) {
	line := strings.Repeat("ã", maxShown-1) + "X"
	for _, at := range []int{0, 119, 120, 121, maxShown - 1} {
		var b strings.Builder
		Print(&b, List{{File: "a", Line: 1, Column: at + 1, Width: 1, Message: Plain("m"), Source: line}}, Style{})
		if want := "    1 | " + line + "\n      | " + strings.Repeat(" ", at) + "^\n"; !strings.HasSuffix(b.String(), want) {
			t.Errorf("column %d:\n%s", at+1, b.String())
		}
	}
}

// TestPrintCutsLongLines checks that the mark is below the marked text wherever the line is cut.
func TestPrintCutsLongLines(t *testing.T) {
	const n = 5000
	for _, at := range []int{0, 1, 119, 120, 121, 2500, n - 5, n - 1} {
		line := strings.Repeat("ã", at) + "X" + strings.Repeat("ã", n-1-at)
		for _, width := range []int{0, 1, 30, 2 * n} {
			d := Diagnostic{File: "a", Line: 7, Column: at + 1, Width: width, Message: Plain("m"), Source: line}
			var b strings.Builder
			Print(&b, List{d}, Style{})
			lines := strings.Split(b.String(), "\n")
			text, mark := []rune(lines[1][len("    7 | "):]), lines[2][len("      | "):]
			if len(text) != maxShown || utf8.RuneCountInString(mark) > len(text) {
				t.Errorf("at %d width %d: %d characters shown, %d marked", at, width, len(text), utf8.RuneCountInString(mark))
			}
			if i := strings.IndexByte(mark, '^'); i < 0 || text[i] != 'X' {
				t.Errorf("at %d width %d: the mark is not below the X:\n%s", at, width, b.String())
			}
		}
	}
}
