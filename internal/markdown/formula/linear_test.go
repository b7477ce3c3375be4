package formula_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestMathIsLinear checks that half a megabyte of opening marks is parsed in time proportional to its length.
func TestMathIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, s := range []string{"$", "$a", "${", "$`a ", "$$a", `\(a `, "\\[\n", "$$\n", "\\begin{array}\n", `\ref{`, "> $$\n", "| $ ", "${$a}", "$ \\bc ", "$ { $ } "} {
		complexitytest.Check(t, s, 1<<19, func(n int) { found(strings.Repeat(s, n/len(s))) })
	}
}
