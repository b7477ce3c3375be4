package include_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/blocks"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestCut(t *testing.T) {
	const py = "import os\n# region setup\na = 1\n# region inner\nb = 2\n# endregion\nc = 3\n# endregion setup\nd = 4\n"
	tests := []struct{ name, file, text, region, lines, want string }{
		{"all, without the marks", "x.py", py, "", "", "[1 3 5 7 9]"},
		{"a region", "x.py", py, "setup", "", "[3 5 7]"},
		{"one within it", "x.py", py, "inner", "", "[5]"},
		{"lines of the file", "x.py", py, "", "1-3,9", "[1 3 9]"},
		{"up to the end", "x.py", py, "", "7-", "[7 9]"},
		{"lines of a region count from its first", "x.py", py, "setup", "1,5", "[3 7]"},
		{"C", "x.cu", "//#region k\nint a;\n  /* endregion */\n", "k", "", "[2]"},
		{"C#", "x.cs", "#region Some name\nint a;\n#endregion\n", "Some name", "", "[2]"},
		{"HTML", "x.html", "<!-- #region a -->\n<p>\n<!-- #endregion -->\n", "a", "", "[2]"},
		{"SQL, Windows line ends", "x.sql", "-- region a\r\nselect 1;\r\n-- endregion\r\n", "a", "", "[2]"},
		{"pymdownx", "x.py", "# --8<-- [start:a]\nx\n#  --8<-- [end:a]\n", "a", "", "[2]"},
		{"pymdownx, overlapping", "x.py", "# --8<-- [start:a]\n1\n# --8<-- [start:b]\n2\n# --8<-- [end:a]\n3\n# --8<-- [end:b]\n", "b", "", "[4 6]"},
		{"an escaped mark is text", "x.py", "# ;--8<-- [start:a]\n", "", "", "[1]"},
		{"a heading is no mark", "x.md", "# region a\ntext\n", "", "", "[1 2]"},
		{"but a comment is", "x.md", "<!-- region a -->\ntext\n<!-- endregion -->\n", "a", "", "[2]"},
		{"words are no marks", "x.py", "# regional\n# the region x\nregion = 1\n", "", "", "[1 2 3]"},
		{"the first of two", "x.py", "# region a\n1\n# endregion\n# region a\n2\n# endregion\n", "a", "", "[2]"},
		{"no last line end", "x.py", "# region a\n1\n# endregion", "a", "", "[2]"},
		{"an empty file", "x.py", "", "", "", "[]"},
		{"unknown", "x.py", py, "setpu", "", `x.py has no region "setpu" (did you mean "setup"?)`},
		{"unknown, none near", "x.py", py, "z", "", `x.py has no region "z" (it has inner, setup)`},
		{"no regions at all", "x.py", "a\n", "z", "", `x.py has no region "z" (x.py has no regions; one begins with a comment such as # region z)`},
		{"open", "x.py", "a\n# region z\n", "z", "", `the region "z" of x.py, which begins in line 2, does not end (end it with a comment such as # endregion)`},
		{"lines that are not there", "x.py", "a\nb\n", "", "2-3", "x.py: there is no line 3, for there are 2"},
		{"lines of a region that are not there", "x.py", py, "inner", "2", `region "inner" of x.py: there is no line 2, for there are 1`},
		{"out of order", "x.py", py, "", "5,2", `x.py: "2" stands before what is taken already`},
		{"no lines", "x.py", py, "", "x", `x.py: "x" is not a line or a range of lines`},
		{"a blank", "x.py", py, "", " ", `x.py: lines names no lines`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines, err := include.Lines(diag.NewFile(tt.file, []byte(tt.text)), tt.region, tt.lines)
			got := fmt.Sprint(lines)
			if err != nil {
				got = fmt.Sprintf("%s (%s)", err.Message, err.Hint)
			}
			if got != tt.want && !(err != nil && strings.HasPrefix(got, tt.want+" (")) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// FuzzCut checks that the lines cut out of a file are lines of it, in order.
func FuzzCut(f *testing.F) {
	f.Add("# region a\nx\n# endregion\n", "a", "1-", true)
	f.Add("// --8<-- [start:a]\nx\n# --8<-- [end:a]\n", "a", "", false)
	f.Fuzz(func(t *testing.T, text, region, lines string, md bool) {
		name := "x.py"
		if md {
			name = "x.md"
		}
		file := diag.NewFile(name, []byte(text))
		got, err := include.Lines(file, region, lines)
		if err != nil {
			if err.Message.IsZero() || err.Hint.IsZero() {
				t.Fatalf("%+v", err)
			}
			return
		}
		if !slices.IsSorted(got) || len(got) > 0 && (got[0] < 1 || got[len(got)-1] > file.Line(len(text))) {
			t.Fatalf("%v of %q", got, text)
		}
		if _, code := blocks.NewOrigin(file, got); len(site.CodeLines(code)) != len(got) {
			t.Fatalf("%d lines became %q", len(got), code)
		}
	})
}
