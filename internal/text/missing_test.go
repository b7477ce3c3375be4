package text

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	theme := fstest.MapFS{
		"i18n/en.toml": {Data: []byte("[strings]\na = 'A'\nb = 'B'\n[plurals.n]\none = 'one'\nother = 'many'\n")},
		"i18n/fr.toml": {Data: []byte("[strings]\na = 'Ah'\n")},
	}
	for code, want := range map[string][]string{"fr": {"b = 'B'\n", "[plurals.n]\none = 'one'\nother = 'many'\n", "months = ["}, "ar": {"a = 'A'\n", "[plurals.n]\nfew = 'many'\n", "zero = 'many'\n"}} {
		file, n, err := Missing(code, theme)
		if err != nil || n < 100 {
			t.Fatal(code, n, err)
		}
		for _, w := range want {
			if !strings.Contains(string(file), w) {
				t.Errorf("%s lacks %q:\n%.2000s", code, w, file)
			}
		}
		if code == "fr" && strings.Contains(string(file), "a = 'A'\n") {
			t.Error("a text that French has is missing")
		}
		if _, n, err := Missing(code, fstest.MapFS{"i18n/" + code + ".toml": {Data: file}}, theme); n != 0 || err != nil {
			t.Errorf("%s: %d texts are missing after all were given: %v", code, n, err)
		}
	}
	for _, code := range []string{"en", "en-gb"} {
		if _, n, err := Missing(code, theme); n != 0 || err != nil {
			t.Error(code, n, err)
		}
	}
	if _, n, _ := Missing("pt-br", fstest.MapFS{}); n != 0 {
		t.Error("Portuguese lacks", n)
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
