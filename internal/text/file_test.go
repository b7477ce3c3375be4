package text

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestFile checks that a language's file has all texts, its own and English ones, with its own plural forms.
func TestFile(t *testing.T) {
	t.Parallel()
	theme := fstest.MapFS{
		"i18n/en.toml": {Data: []byte("[strings]\na = 'A'\nb = 'B'\n[plurals.n]\none = 'one'\nother = 'many'\n")},
		"i18n/fr.toml": {Data: []byte("[strings]\na = 'Ah'\n")},
	}
	for code, want := range map[string][]string{
		"fr": {"a = 'Ah'\n", "b = 'B'\n", "[plurals.n]\none = 'one'\nother = 'many'\n", "months = ["},
		"ar": {"a = 'A'\n", "[plurals.n]\nfew = 'many'\n", "zero = 'many'\n"},
		"ja": {"[plurals.n]\nother = 'many'\n"},
	} {
		c, err := ForTheme(code, theme)
		if err != nil {
			t.Fatal(err)
		}
		file, err := c.File()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(file), w) {
				t.Errorf("%s lacks %q:\n%.2000s", code, w, file)
			}
		}
		again, err := ForTheme(code, fstest.MapFS{"i18n/" + code + ".toml": {Data: file}})
		if err != nil || again.Get("b") != "B" || again.Count("n", 5) != "many" {
			t.Errorf("%s: the file is not read again: %v", code, err)
		}
	}
}

func TestDir(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"pt": "", "ar": "rtl", "he": "rtl", "fa-ir": "rtl", "ur": "rtl", "yi": "rtl", "ckb": "rtl", "uz": "", "uz-arab": "rtl", "ja": "", "xx": ""} {
		if got := Of(code).Dir(); got != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}
