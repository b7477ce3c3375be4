package content

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/lineartest"
)

// TestHostileIncludes holds that many marks, in files that include themselves too,
// take time in proportion to reading them.
func TestHostileIncludes(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	const size = 128 << 10
	for _, mark := range []string{":::include x\n", ":::include x\n:::\n", "{* x *}\n", "{* ", "--8<--\n", "--8<-- \"x\"\n", "<!-- region a -->\n", "```python {file=x}\n```\n"} {
		lineartest.Check(t, mark, size, func(n int) {
			text := strings.Repeat(mark, n/len(mark))
			Load(site(map[string]string{"content/pt/p.md": "---\ndialects: [mkdocs]\n---\n" + text, "x": "# region a\n", "content/pt/x": text}), Options{})
		})
	}
	lineartest.Check(t, "marks in code", size, func(n int) {
		code := strings.Repeat("x = f(1)  # (1) (2) (3)\n", n/24)
		if n := len(marksOf("python", code)); n != 3*strings.Count(code, "\n") {
			t.Errorf("%d marks", n)
		}
	})
}
