package include_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestHostileIncludes checks that many marks, also in files that include themselves, take time
// proportional to their size.
func TestHostileIncludes(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	const file = "```python {file=x}\n```\n" // each block has the whole text, up to the limit of all files, from which on time is proportional
	for _, mark := range []string{":::include x\n", ":::include x\n:::\n", "{* x *}\n", "{* ", "--8<--\n", "```{include} x\n", ":::{include} x\n:a: b\n\n", "````{csv-table}\n:file: x\n", "--8<-- \"x\"\n", "<!-- region a -->\n", file,
		"```python {run files=\"x */* ../**\"}\n```\n", "```c {save=x session=s}\n```\n```sh {run session=s}\n```\n", "```python {run}\nimport x, (\n```\n"} {
		size := 128 << 10
		if mark == file {
			size = 1 << 20
		}
		complexitytest.Check(t, mark, size, func(n int) {
			text := strings.Repeat(mark, n/len(mark))
			load.Load(sitetest.FS(map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs, myst]\n---\n" + text, "x": "# region a\n", "content/pt/x": text}), load.Options{})
		})
	}
}
