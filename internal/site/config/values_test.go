package config_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestPackageNames(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("a", 100): true, strings.Repeat("a", 101): false, "a-": false, "a": true} {
		_, out := sitetest.Load(t, map[string]string{"gpudocs.toml": "[blocks]\npackages = ['" + text + "']\n", "content/pt/p.md": "# P\n"})
		if got := !strings.Contains(out, "gpudocs.toml:2:"); got != want {
			t.Errorf("%.20q, %d characters: %s", text, len(text), out)
		}
	}
}
