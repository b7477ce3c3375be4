package blocks

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
)

// FuzzSigns checks that a diff's text is its lines without their signs.
func FuzzSigns(f *testing.F) {
	f.Add("+a\n-b\n c\n")
	f.Add("a\n +b")
	f.Fuzz(func(t *testing.T, code string) {
		without, signs, _ := cutSigns(code)
		lines, short := site.CodeLines(code), site.CodeLines(without)
		if len(lines) != len(short) || len(lines) != len(signs) {
			t.Fatalf("%d lines became %d with %d signs", len(lines), len(short), len(signs))
		}
		for i, l := range lines {
			if l != short[i] && l != string(signs[i])+short[i] {
				t.Fatalf("%q became %q with %q", l, short[i], signs[i])
			}
		}
	})
}
