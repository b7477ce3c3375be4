package judge

import (
	"strings"
	"testing"
)

func TestFaultIn(t *testing.T) {
	for _, tt := range []struct {
		name, output, file string
		want               located
	}{
		{"gcc, after a warning", "a.c: In function 'main':\na.c:2:7: warning: unused\na.c:3:10: error: 'x' undeclared\n", "a.c", located{3, "error: 'x' undeclared", true}},
		{"nvcc", "a.cu(3): warning #177-D: never used\n\na.cu(12): error: identifier\n", "a.cu", located{12, "error: identifier", true}},
		{"rustc", "warning: unused\n --> a.rs:2:9\nerror[E0425]: no x\n  --> a.rs:3:5\n", "a.rs", located{3, "error[E0425]: no x", true}},
		{"gfortran", "a.f90:2:3:\n\n    2 |  y\nWarning: unused\na.f90:4:10:\n\n    4 | z\n      |  1\nError: no\n", "a.f90", located{4, "Error: no", true}},
		{"nvfortran", "NVFORTRAN-S-0034-Syntax error (a.f90: 9)\n", "a.f90", located{9, "", true}},
		{"libgfortran", "At line 5 of file a.f90 (unit = 5)\nFortran runtime error: end\n", "a.f90", located{5, "unit = 5)", false}},
		{"Octave", "error: no\nerror: called from\n    a at line 3 column 1\n", "a.m", located{3, "column 1", false}},
		{"Octave, parsing", "parse error near line 2 of file /tmp/session/a.m\n", "a.m", located{2, "", true}},
		{"Go", "# command-line-arguments\n./a.go:3:15: undefined: x\n", "a.go", located{3, "undefined: x", false}},
		{"node", "/tmp/session/a.js:7\nthrow 1\n^\n", "a.js", located{7, "", false}},
		{"Julia", "ERROR: LoadError: DomainError\nStacktrace:\n [1] f\n   @ ./math.jl:33\n [2] top-level scope\n   @ ~/session/a.jl:3\n", "a.jl", located{3, "", false}},
		{"an error of a header", "In file included from a.c:1:\nb.h:4:1: error: no\n", "a.c", located{1, "", false}},
		{"another file", "ba.c:3:1: error: no\na.cc:4:1: error: no\n", "a.c", located{}},
		{"nothing", "", "a.c", located{}},
		{"a huge line", "a.c:99999999999:1: error: no\n", "a.c", located{}},
		{"only warnings", "a.c:3:1: warning: no\n", "a.c", located{}},
		{"the place at the end", "a.f90:4:", "a.f90", located{4, "", false}},
	} {
		if got := faultIn(tt.output, tt.file); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func FuzzFaultIn(f *testing.F) {
	f.Add("a.c:3:10: error: x\n", "a.c")
	f.Add("a.f90:4:10:\n\nError: no\n", "a.f90")
	f.Fuzz(func(t *testing.T, output, file string) {
		if got := faultIn(output, file); got.line < 0 || got.line > 9_999_999 || !strings.Contains(output, got.message) {
			t.Errorf("%+v", got)
		}
	})
}
