package markdown

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/lineartest"
)

// TestHostile holds that a page of nothing but opening marks is read in time in
// proportion to it.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, unit := range []string{"^", "==", "=a", "~a", "++a+", "{", "{a=\"", "![a](b \"", "![a](b 'c')\n\n", "*[a]: b\n", ":a", "\"", "\"a ", " 'a", " 'a\" ", "a--b ", "...", ":::figure\n", ":::figure {{"} {
		lineartest.Check(t, unit, 256<<10, func(n int) {
			parse(Options{Smart: true, Language: "es", Dialects: MkDocs}, strings.Repeat(unit, n/len(unit))+"\n\n*[b]: c\n")
		})
	}
}
