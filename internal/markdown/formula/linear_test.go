package formula_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestMathIsLinear holds that half a megabyte of what opens formulas is read in
// time in proportion to it.
func TestMathIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, s := range []string{"$", "$a", "${", "$`a ", "$$a", `\(a `, "\\[\n", "$$\n", "\\begin{array}\n", `\ref{`, "> $$\n", "| $ ", "${$a}"} {
		complexitytest.Check(t, s, 1<<19, func(n int) { found(strings.Repeat(s, n/len(s))) })
	}
}
