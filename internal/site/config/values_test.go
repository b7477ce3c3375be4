package config

import (
	"strings"
	"testing"
)

func TestPackageNames(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("a", 100): true, strings.Repeat("a", 101): false, "a-": false, "a": true} {
		if got := packageName.MatchString(text); got != want {
			t.Errorf("%.20q, %d characters: %v", text, len(text), got)
		}
	}
}
