package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestFaults: what is wrong with a block is told at its place: "line:column: severity: message".
func TestFaults(t *testing.T) {
	for page, want := range map[string]string{
		"```bash {region=a}\nls\n```\n":                                                           "3:10: error: region without file",
		"```bash {run env=gone}\nls\n```\n":                                                       "3:14: error: there is no environment \"gone\"",
		"```bash {run expect}\nls\n```\n":                                                         "3:10: error: \"run\" has no meaning on an expected output",
		"```bash {run file=gone.sh}\n```\n":                                                       "3:14: error: there is no file \"gone.sh\"",
		"```bash {run file=gone.sh}\nls\n```\n":                                                   "3:14: error: a block with file has code of its own",
		"```bash {run files=\"\"}\nls\n```\n":                                                     "3:14: error: files names no files",
		"```bash {run files=\"gone.csv\"}\nls\n```\n":                                             "3:21: error: no file matches \"gone.csv\"",
		"```bash {run hide=\"1-9\"}\nls\n```\n":                                                   "3:14: error: hide=\"1-9\" reaches behind the last line, which is 1",
		"```bash {run hl_lines=x}\nls\n```\n":                                                     "3:14: error: \"x\" is not a line or a range of lines",
		"```bash {run kernel=\"x y\"}\nls\n```\n":                                                 "3:14: error: \"x y\" cannot name a Jupyter kernel",
		"```bash {run name=a name=b}\nls\n```\n":                                                  "3:21: error: attribute \"name\" occurs twice",
		"```bash {run name=a":                                                                     "3:1: error: the code fence is not closed",
		"```bash {run name=a}\nls\n```\n":                                                         "",
		"```bash {run name=a}\nls\n```\n\n```bash {run name=a}\nls\n```\n":                        "7:14: error: the name \"a\" is taken by the block in line 3",
		"```bash {run name=a}\nls\n```\n\n```text {expect number=1}\nx\n```\n":                    "7:17: error: number takes no value",
		"```bash {run name=a}\nls\n```\n\n```text {expect rtol=-1}\nx\n```\n":                     "7:17: error: \"-1\" is no tolerance",
		"```bash {run name=a}\nls\n```\n\n```text {expect stream=out}\nx\n```\n":                  "7:17: error: there is no stream \"out\"",
		"```bash {run name=a}\nls\n```\n\n```text {expect}\n<a:numbr>\n```\n":                     "8:4: warning: \"numbr\" is no kind of value, so <a:numbr> means itself",
		"```bash {run name=a}\nls\n```\n\n```text {expect}\nx\n```\n\n```text {expect}\ny\n```\n": "11:10: error: the expectation in line 7 is for the same machines",
		"```bash {run needs=\"env(gone)\"}\nls\n```\n":                                            "3:14: error: there is no environment \"gone\"",
		"```bash {run needs=\"gpus >= \\\"x\"}\nls\n```\n":                                        "3:29: error: \"\\\"x\" is not a whole number",
		"```bash {run nmae=a}\nls\n```\n":                                                         "3:14: error: unknown attribute \"nmae\"",
		"```bash {run numbers=0}\nls\n```\n":                                                      "3:14: error: \"0\" is no number of a line",
		"```bash {run retries=99}\nls\n```\n":                                                     "3:14: error: \"99\" is not a number of retries",
		"```bash {run session=\"x y\"}\nls\n```\n":                                                "3:14: error: \"x y\" cannot name a session",
		"```bash {run timeout=9x}\nls\n```\n":                                                     "3:14: error: \"9x\" is not a time limit",
		"```gpu {name=g}\ngpsu >= 1\n```\n":                                                       "4:1: error: unknown fact \"gpsu\"",
		"```gpu\ngpsu >= 1\n```\n":                                                                "4:1: error: unknown fact \"gpsu\"",
		"```lisp {run}\nls\n```\n":                                                                "3:10: error: run cannot run \"lisp\"",
		"```pycon {run exit=1}\n>>> 1\n```\n":                                                     "3:15: error: a pycon block has no exit code",
		"```pycon {run}\n>>>1\n```\n":                                                             "4:1: error: no blank behind >>>",
		"```python {run matrix=\"\"}\nn = 1\n```\n":                                               "3:16: error: matrix names no parameter",
		"```python {run matrix=\"n=1,1\"}\nn = 1\n```\n":                                          "3:24: error: the value 1 occurs twice",
		"```python {run matrix=\"n=1,2 n=3\"}\nn = 1\n```\n":                                      "3:30: error: the parameter n occurs twice",
		"```python {run matrix=\"n=1,2\"}\nm = 1\n```\n":                                          "3:24: error: the code does not set the parameter n",
		"```python {run matrix=\"n=1,2\"}\nn = 1\n```\n":                                          "",
		"```python {run matrix=\"n=1,2\"}\nn = 1\nn = 2\n```\n":                                   "3:24: error: the code sets n to 2 again in line 5",
		"```python {run matrix=\"n=2,3\"}\nn = 1\n```\n":                                          "3:24: error: the code sets n to 1, which the matrix does not have",
		"```python {save=\"../x.py\"}\nx = 1\n```\n":                                              "3:12: error: \"../x.py\" cannot name a saved file",
		"```rust {run}\nls\n```\n":                                                                "",
		"```sbatch {run}\nls\n```\n":                                                              "3:12: error: run cannot run \"sbatch\"",
		"```text {expect}\nx\n```\n":                                                              "3:10: error: expect without a runnable block before it",
		"```{run}\nls\n```\n":                                                                     "3:5: error: a block with run needs a language before the braces",
	} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n" + page})
		first, _, _ := strings.Cut(out, "\n")
		if want == "" && out != "" || !strings.HasPrefix(first, "content/pt/p.md:"+want) && want != "" {
			t.Errorf("%q: %q, want %q", page, first, want)
		}
	}
}
