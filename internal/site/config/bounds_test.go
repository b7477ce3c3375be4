package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestBoundedConfig checks that a gpudocs.toml that would take disproportionate time to read is rejected
// with the place.
func TestBoundedConfig(t *testing.T) {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "%", "%[1]d"), i)
		}
		return b.String()
	}
	var codes strings.Builder
	for i := range site.MaxLanguages + 5 {
		fmt.Fprintf(&codes, "[languages.x%c%c]\n", 'a'+i/26, 'a'+i%26)
	}
	for _, tt := range []struct{ name, config, want string }{
		{"keys", "[params]\n" + lines(20000, "k% = 1\n"), "gpudocs.toml:2001:7: error: the file has more than 2000 keys and tables"},
		{"unknown tables", lines(20000, "[k%]\n"), "gpudocs.toml:2001:1: error: the file has more than 2000 keys and tables"},
		{"languages", codes.String(), "gpudocs.toml:201:12: error: 205 languages, more than 200"},
		{"environments", lines(200, "[env.e%]\n"), "gpudocs.toml: error: there are more than 50 errors in this file"},
		{"packages", "[blocks]\npackages = [" + lines(200, "'!%', ") + "]\n", "gpudocs.toml: error: there are more than 50 errors in this file"},
	} {
		_, out := sitetest.Load(t, map[string]string{"gpudocs.toml": tt.config, "content/pt/p.md": "# P\n"})
		if !strings.Contains(out, tt.want) {
			t.Errorf("%s: got %.300s, want %s", tt.name, out, tt.want)
		}
		if n := strings.Count(out, "error:"); n > 51 {
			t.Errorf("%s: %d errors", tt.name, n)
		}
	}
	folders := map[string]string{"gpudocs.toml": "title = 'X'\n"}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			folders[fmt.Sprintf("content/a%c%c/p.md", a, b)] = "# P\n"
		}
	}
	if s, out := sitetest.Load(t, folders); !strings.Contains(out, "content: error: ") || !strings.Contains(out, "languages, more than 200") || len(s.Languages) != site.MaxLanguages {
		t.Errorf("%.300s", out)
	}
}
