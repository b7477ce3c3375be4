package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestMisplaced checks that a block that looks runnable and is not is named, at its place and with the
// right form, and that blocks which only show code are left alone.
func TestMisplaced(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"python run":                   ":3:11: warning: run stands outside of the braces, so the block does not run|write python {run}",
		"bash run=sbatch":              ":3:9: warning: run stands outside|write bash {run}",
		"python Run {title=x}":         ":3:11: warning: run stands outside|write python {run}",
		"cuda name=x run":              ":3:16: warning: run stands outside|write cuda {run}",
		"run python":                   ":3:8: warning: run stands outside|write python {run}",
		"{python run}":                 `:3:5: warning: the language "python" stands within the braces|write python {run}`,
		"{python}":                     `:3:5: warning: the language "python" stands within the braces|write python {run}`,
		"{bash, run=TRUE, echo=FALSE}": `:3:5: warning: the language "bash" stands within|write bash {run}`,
		"{r, fig.width=5}":             `:3:5: warning: the language "r" stands within|write r {run}`,
		"{.python .run}":               ":3:13: warning: run is a class here|write python {run}",
		"python {.run}":                ":3:12: warning: run is a class here|write python {run}",
		"python {run=true}":            `error: run takes no value "true"|write {run}`,
		"{run}":                        ":3:5: error: a block with run needs a language before the braces|write bash {run}",
		"{run=sbatch}":                 ":3:5: error: a block with run needs a language before the braces|write bash {run}",
		"python {python run}":          `:3:12: error: unknown attribute "python"|write python {run}`,
		"pyton {run}":                  `error: run cannot run "pyton"|did you mean "python"?`,
		"cudaa {run}":                  `error: run cannot run "cudaa"|did you mean "cuda"?`,

		"python": "", "python {title=run}": "", `python title="just run it"`: "", "text run": "", "run": "", "python {run}": "", "{.python .input  n=4}": "",
		"mermaid run": "", `python hl_lines="1" linenums="1"`: "", "console run": "", "bash runs": "", "{.python .runner}": "", "gpu run": "error",
	} {
		// With a dialect recognised by its marks, {python} is a cell.
		_, out := sitetest.Load(t, map[string]string{"gpudocs.toml": "[markdown]\ndialects = []\n", "content/pt/p.md": "# P\n\n```" + info + "\n1\n```\n"})
		message, hint, _ := strings.Cut(want, "|")
		if want == "" && out != "" || !strings.Contains(out, message) || !strings.Contains(out, hint) || want != "" && strings.Count(out, "p.md:3:") != 1 && info != "gpu run" {
			t.Errorf("%q: %s, want %q", info, out, want)
		}
	}
	_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n```python run {expect}\n1\n```\n"})
	if strings.Contains(out, "outside") {
		t.Error(out)
	}
}
