package ask

import (
	"strconv"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

func failed(code, detail, stderr, found string) *report.Check {
	return &report.Check{Outcome: report.Failed, Reason: because(code, detail, found), Stderr: &report.Stream{Text: stderr}}
}

// because returns a reason with what the tests know of it.
func because(code, detail, found string) *report.Reason {
	r := &report.Reason{Code: code, Said: detail + found}
	if n, err := strconv.Atoi(detail); err == nil {
		r.Exit, r.Said = &n, found
	}
	return r
}

func exception(s string) *report.Check { return failed(report.ReasonException, s, "", "") }

func TestLackOf(t *testing.T) {
	for _, tt := range []struct {
		check       *report.Check
		want, needs string
	}{
		{exception("ModuleNotFoundError: No module named 'numpy'"), "numpy", `python("numpy")`},
		{exception("ModuleNotFoundError: No module named 'numpy.gone'"), "numpy.gone", ""},
		{exception("ImportError: cannot import name 'x' from 'y'\nmore"), "cannot import name 'x' from 'y'", ""},
		{exception("ValueError: No module named 'numpy'"), "", ""},
		{failed(report.ReasonExit, "127", "warning\nindex.md: line 5: cmake: command not found\n", ""), "cmake", `has("cmake")`},
		{failed(report.ReasonExit, "127", "index.md: line 5: cmake: command not found\nother\n", ""), "", ""},
		{failed(report.ReasonExit, "127", "index.md: line 5: ./app: No such file or directory\n", ""), "", ""},
		{failed(report.ReasonExit, "1", "index.md: line 5: cmake: command not found\n", ""), "", ""},
		{failed(report.ReasonBuild, "1", "", "cublas_v2.h: No such file or directory"), "cublas_v2.h", ""},
		{failed(report.ReasonBuild, "1", "", "'mpi.h' file not found"), "mpi.h", ""},
		{failed(report.ReasonBuild, "1", "", "expected ';'"), "", ""},
		{&report.Check{Outcome: report.Passed}, "", ""},
		{&report.Check{Outcome: report.Errored, Reason: exception("ModuleNotFoundError: No module named 'a'").Reason}, "", ""},
	} {
		got := LackOf(tt.check)
		if got.Name != tt.want || got.Needs() != tt.needs {
			t.Errorf("%s: %+v, %q; want %q, %q", reporttest.Text(*tt.check), got, got.Needs(), tt.want, tt.needs)
		}
	}
}

func TestFollows(t *testing.T) {
	numpy := LackOf(exception("ModuleNotFoundError: No module named 'numpy'"))
	code := []string{"import numpy as np\nx = np.ones(3)\nprint(total)\n", "for i, (j, k) in pairs:\n    pass\ndef half(v): return v\nclass Big: pass\na, b.c = q = 1, 2\n" +
		"with open(y) as f: pass\nf(key=1)\nnp.attribute = 3\nn: int = 3\nif (w := 3): pass\nfrom m import (\n  first,\n  second as third)\n# gone = 3\nx == other\n" +
		">>> shell = 1\nt = {'k': 1}; late = 2\n*rest, last = x\n",
		"def local(\n  a,\n):\n    inner = 1\n\n    import hidden\nif x:\n    def nested():\n        deep = 1\n    after = 2\nclass C:\n  member = 1\n>>> def s():\n...     shy = 1\n>>> bold = 1\n"}
	for message, want := range map[string]bool{
		"ModuleNotFoundError: No module named 'numpy'":     true,
		"ModuleNotFoundError: No module named 'scipy'":     false,
		"ModuleNotFoundError: No module named 'numpy.fft'": false,
		"ValueError: name 'np' is not defined":             false,
	} {
		if numpy.Follows(exception(message), code) != want {
			t.Errorf("%s: %v", message, !want)
		}
	}
	for name, want := range map[string]bool{
		"np": true, "x": true, "i": true, "j": true, "k": true, "half": true, "Big": true, "a": true, "q": true, "f": true, "n": true, "w": true, "first": true,
		"third": true, "shell": true, "late": true, "rest": true, "last": true,
		"local": true, "nested": true, "after": true, "C": true, "s": true, "bold": true, "inner": false, "hidden": false, "deep": false, "member": false, "shy": false,
		"total": false, "ones": false, "v": false, "key": false, "attribute": false, "gone": false, "other": false, "pairs": false, "n2": false, "y": false, "pass": false,
	} {
		if numpy.Follows(exception("NameError: name '"+name+"' is not defined"), code) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	cmake := LackOf(failed(report.ReasonExit, "127", "a: line 5: cmake: command not found\n", ""))
	if cmake.Follows(exception("NameError: name 'x' is not defined"), code) || !cmake.Follows(failed(report.ReasonExit, "127", "a: line 9: cmake: command not found\n", ""), nil) ||
		(Lack{}).Follows(exception("x"), code) || cmake.Follows(&report.Check{Outcome: report.Passed}, nil) {
		t.Error("a program is no name of Python")
	}
}
