package content

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
)

// fences are those of a page, in order.
func fences(p *Page) (out []*Fence) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*Fence); ok && entering {
			out = append(out, f)
		}
		return ast.WalkContinue, nil
	})
	return out
}

func TestLook(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"numbers", "```py {numbers}\na\nb\n```", "[1 2]"},
		{"from another", "```py {numbers=10}\na\nb\n```", "[10 11]"},
		{"linenums", "```py linenums=\"3\"\na\n```", "[3]"},
		{"linenums with more to say", "``` { .py linenums=\"3 2 5\" }\na\n```", "[3]"},
		{"linenums off", "```py linenums=\"0\"\na\n```", "[]"},
		{"hide", "```py {hide=\"1-2 4\"}\na\nb\nc\nd\n```", "[] hidden [[1 2] [4 4]]"},
		{"diff", "```py {diff}\n a\n-b\n+c\n\n```", "[] signs \" -+ \" code \"a\\nb\\nc\\n\\n\""},
		{"diff without a column", "```py {diff}\na\n  b\n+c\n```", "[] signs \"  +\" code \"a\\n  b\\nc\\n\""},
		{"empty diff", "```py {diff}\n```", "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := fences(page(t, tt.text+"\n"))[0]
			got := fmt.Sprint(f.Numbers)
			if len(f.Hidden) > 0 {
				got += fmt.Sprint(" hidden ", f.Hidden)
			}
			if len(f.Signs) > 0 {
				got += fmt.Sprintf(" signs %q code %q", f.Signs, f.Code)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestLookIsNoCheck holds that how code is shown changes nothing of what runs.
func TestLookIsNoCheck(t *testing.T) {
	const code = "\nimport os  # (1)!\nprint(1)\n```\n\n1. One.\n"
	want := page(t, "```python {run}"+code).Blocks[0]
	for _, look := range []string{"numbers", "numbers=7", "hide=1", "hl_lines=2", "annotate", `title="x"`} {
		got := page(t, "```python {run "+look+"}"+code).Blocks[0]
		if got.ID != want.ID || got.Code != want.Code {
			t.Errorf("%s: %s %q, want %s %q", look, got.ID, got.Code, want.ID, want.Code)
		}
	}
}

func TestMarks(t *testing.T) {
	tests := []struct {
		language, line string
		want           string
	}{
		{"python", "x = 1  # (1)!", "1:# (1)!"},
		{"python", "x = 1  # (1)", "1:(1)"},
		{"python", "x = 1  # why (1)", "1:(1)"},
		{"python", "x = 1  # why (1)!", "1:# why (1)!"},
		{"python", "x = 1  # (1) (2)", "1:(1) 2:(2)"},
		{"python", "# (12)!", "12:# (12)!"},
		{"python", "y = a // (1)", ""},
		{"python", "print('#', f(1))", ""},
		{"python", "x = 1  # calls f(1)", ""},
		{"python", "x = 1  # (0)", ""},
		{"c++", "f(1); // (1)!", "1:// (1)!"},
		{"c++", "f(1); /* (1)! */", "1:/* (1)! */"},
		{"c++", "f(1); /* (1) */", "1:(1)"},
		{"sql", "select 1 -- (1)!  ", "1:-- (1)!  "},
		{"html", "<p> <!-- (1)! -->", "1:<!-- (1)! -->"},
		{"yaml", "a: 1 # (1)!", "1:# (1)!"},
		{"", "a # (1)!", "1:# (1)!"},
		{"bash", "echo $#(1)", ""},
		{"rust", "let x = 1; // ação (1)!", "1:// ação (1)!"},
	}
	for _, tt := range tests {
		var got []string
		for _, n := range marksOf(tt.language, tt.line+"\n") {
			got = append(got, fmt.Sprintf("%d:%s", n.Number, tt.line[n.From:n.To]))
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.language, tt.line, g, tt.want)
		}
	}
}

// FuzzMarks holds that marks lie within their lines, in order and apart.
func FuzzMarks(f *testing.F) {
	f.Add("python", "x # (1)!\n# (2) (3)\n")
	f.Add("c", "a /* (1) */ // (2)! (3)\n")
	f.Fuzz(func(t *testing.T, language, code string) {
		lines := codeLinesOf(code)
		line, at := 0, 0
		for _, n := range marksOf(language, code) {
			if n.Line != line {
				line, at = n.Line, 0
			}
			if n.From < at || n.To <= n.From || n.To > len(lines[n.Line]) {
				t.Fatalf("%+v in %q", n, lines[n.Line])
			}
			at = n.To
		}
	})
}

// FuzzSigns holds that a diff's text is its lines without their signs.
func FuzzSigns(f *testing.F) {
	f.Add("+a\n-b\n c\n")
	f.Add("a\n +b")
	f.Fuzz(func(t *testing.T, code string) {
		without, signs, _ := cutSigns(code)
		lines, short := codeLinesOf(code), codeLinesOf(without)
		if len(lines) != len(short) || len(lines) != len(signs) {
			t.Fatalf("%d lines became %d with %d signs", len(lines), len(short), len(signs))
		}
		for i, l := range lines {
			if l != short[i] && l != string(signs[i])+short[i] {
				t.Fatalf("%q became %q with %q", l, short[i], signs[i])
			}
		}
	})
}

func TestAnnotateInMkDocs(t *testing.T) {
	files := func(text string) map[string]string {
		return map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs]\n---\n" + text}
	}
	for text, want := range map[string][]int{
		"```python\nx # (1)!\ny # (3)!\n```\n\n1. One.\n2. Two.\n": {1}, // no item 3, and nobody asked
		"``` { .python .annotate }\nx # (2)!\n```\n\n2. Two.\n":    {2},
		"```python\nx # (1)!\n```\n\n- One.\n":                     nil,
		"```python\nx # (1)!\n```\n\ntext\n\n1. One.\n":            nil,
	} {
		var got []int
		for _, n := range fences(sound(t, files(text)).Pages[0])[0].Notes {
			got = append(got, n.Number)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}

// TestAnnotationsBehindExpected holds that the list follows what the code prints.
func TestAnnotationsBehindExpected(t *testing.T) {
	p := page(t, "```python {run annotate}\nprint(1)  # (1)!\n```\n```text {expect}\n1\n```\n\n1. One.\n")
	if f := fences(p)[0]; len(f.Notes) != 1 || !strings.Contains(p.Blocks[0].Code, "# (1)!") {
		t.Errorf("notes %v, code %q", f.Notes, p.Blocks[0].Code)
	}
	if !slices.ContainsFunc(fences(p), func(f *Fence) bool { return f.Expect != nil }) {
		t.Error("the expectation is gone")
	}
}
