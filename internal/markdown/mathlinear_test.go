package markdown

import (
	"strings"
	"testing"
	"time"
)

// TestMathIsLinear holds that half a megabyte of what opens formulas is read in
// about a second. In quadratic time it would be minutes.
func TestMathIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, s := range []string{"$", "$a", "${", "$`a ", "$$a", `\(a `, "\\[\n", "$$\n", "\\begin{array}\n", `\ref{`, "> $$\n", "| $ ", "${$a}"} {
		began := time.Now()
		found(strings.Repeat(s, 1<<19/len(s)))
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q takes %v", s, took)
		}
	}
}
