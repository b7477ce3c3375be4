package content

import (
	"strings"
	"testing"
	"time"
)

// TestHostileIncludes holds that many marks, in files that include themselves too,
// take no more time than reading them.
func TestHostileIncludes(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	const size = 128 << 10
	for _, mark := range []string{":::include x\n", ":::include x\n:::\n", "{* x *}\n", "{* ", "--8<--\n", "--8<-- \"x\"\n", "<!-- region a -->\n", "```python {file=x}\n```\n"} {
		text := strings.Repeat(mark, size/len(mark))
		began := time.Now()
		Load(site(map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs]\n---\n" + text, "x": "# region a\n", "content/pt/x": text}), Options{})
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%q took %v", mark, took)
		}
	}
	code := strings.Repeat("x = f(1)  # (1) (2) (3)\n", size/24)
	began := time.Now()
	if n := len(marksOf("python", code)); n != 3*strings.Count(code, "\n") {
		t.Errorf("%d marks", n)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("marks took %v", took)
	}
}
