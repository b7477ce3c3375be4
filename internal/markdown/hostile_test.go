package markdown

import (
	"strings"
	"testing"
	"time"
)

// TestHostile holds that a page of nothing but opening marks is read in time: what
// grows with the square of the page takes a minute here.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, unit := range []string{"^", "==", "=a", "~a", "++a+", "{", "{a=\"", "![a](b \"", "![a](b 'c')\n\n", "*[a]: b\n", ":a", "\"", "\"a ", " 'a", " 'a\" ", "a--b ", "...", ":::figure\n", ":::figure {{"} {
		source := strings.Repeat(unit, 256<<10/len(unit)) + "\n\n*[b]: c\n"
		start := time.Now()
		parse(Options{Smart: true, Language: "es", Dialects: MkDocs}, source)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%q: %v", unit, d)
		}
	}
}
