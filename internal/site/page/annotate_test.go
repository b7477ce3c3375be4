package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site"
)

// FuzzMarks checks that marks are within their lines, in order and do not overlap.
func FuzzMarks(f *testing.F) {
	f.Add("python", "x # (1)!\n# (2) (3)\n")
	f.Add("c", "a /* (1) */ // (2)! (3)\n")
	f.Fuzz(func(t *testing.T, language, code string) {
		lines := site.CodeLines(code)
		line, at := 0, 0
		for _, n := range annotationMarks(language, code) {
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
		for _, n := range annotationMarks(tt.language, tt.line+"\n") {
			got = append(got, fmt.Sprintf("%d:%s", n.Number, tt.line[n.From:n.To]))
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.language, tt.line, g, tt.want)
		}
	}
}

// TestHostileMarks checks that many marks in code take time proportional to the code.
func TestHostileMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	complexitytest.Check(t, "marks in code", 128<<10, func(n int) {
		code := strings.Repeat("x = f(1)  # (1) (2) (3)\n", n/24)
		if n := len(annotationMarks("python", code)); n != 3*strings.Count(code, "\n") {
			t.Errorf("%d marks", n)
		}
	})
}
