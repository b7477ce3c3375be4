package config_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestInvisibleInConfig(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"title = \"a\u202eb\"":                                        "gpudocs.toml:1:11 error U+202E",
		"title = \"a\\u202Eb\"":                                       "gpudocs.toml:1:11 error U+202E",
		"title = \"a\\eb\\b\"":                                        "gpudocs.toml:1:11 error U+001B\ngpudocs.toml:1:14 error U+0008",
		"title = 'C:\\bin\\ein'":                                      "",
		"[languages.pt]\nname = \"Portugu\\U000000eas\\u0085\"":       "gpudocs.toml:2:27 error U+0085",
		"[params]\nlist = [{ a = \"\U000e0041\" }] # and \\U000E0041": "gpudocs.toml:2:16 error U+E0041\ngpudocs.toml:2:28 error U+E0041",
		"title = \"\"\"\r\nUm\r\ntítulo\"\"\"":                        "",
	} {
		files := map[string]string{"content/pt/x.md": "# X\n"}
		fsys := sitetest.FS(files)
		fsys["gpudocs.toml"].Data = []byte(text + "\n")
		s, diags := load.Load(fsys, load.Options{})
		if got := sitetest.Findings(diags, site.RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if strings.Contains(text, "\r\n") && (s == nil || s.Config.Title != "Um título") {
			t.Errorf("%q: %v", text, diags)
		}
	}
}
