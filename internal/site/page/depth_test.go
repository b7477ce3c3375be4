package page_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestTooDeep checks that a line with too many opening marks is rejected quickly, and that one within the
// limit is read.
func TestTooDeep(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 16
	}
	for _, mark := range []string{">", "> ", "- ", "1. ", "+\t", ">- 2) ", ">\t* "} {
		complexitytest.Check(t, mark, size, func(n int) {
			_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n" + strings.Repeat(mark, n/len(mark)) + "x\n"})
			if want := "content/pt/p.md:3:1: error: this line opens more than 1000 quotes and lists"; !strings.HasPrefix(out, want) {
				t.Errorf("%q: got %.200s, want %s", mark, out, want)
			}
		})
	}
	for _, text := range []string{strings.Repeat("> ", 900) + "x\n", strings.Repeat("-", 5000) + "\n", strings.Repeat("1", 5000) + "\n", "```text\n" + strings.Repeat("*", 5000) + "\n```\n"} {
		if _, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n" + text}); strings.Contains(out, "error") {
			t.Errorf("%.20q: %.200s", text, out)
		}
	}
}
