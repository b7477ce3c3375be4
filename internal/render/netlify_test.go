package render

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

func TestNetlifyFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{"content/pt/index.md": "---\nredirect_from: [/pt/velho]\n---\n# A\n", "content/pt/404.html": "x", "content/_headers": "/*\n  X: y\n", "content/_redirects": "/a /b\n"}
	s := newSite(t, files, themes.Default(), Options{})
	if got := get(t, s, "_headers"); got != files["content/_headers"] {
		t.Errorf("%q", got)
	}
	if got := get(t, s, "_redirects"); !strings.HasPrefix(got, "/a /b\n/es/velho/ /es/ 301!\n/pt/velho/ /pt/ 301!\n/ /") || !strings.HasSuffix(got, "/pt/* /pt/404.html 404\n/es/* /es/404.html 404\n") {
		t.Errorf("%q", got)
	}
	files["gpudocs.toml"] = "[languages.pt]\n[hosting]\nnetlify = false\n"
	site, diags := load.Load(fstest.MapFS{"gpudocs.toml": file(files["gpudocs.toml"]), "content/pt/index.md": file("# A\n")}, load.Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	s, _, err := New(t.Context(), site, nil, themes.Default(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.File("_headers"); ok {
		t.Error("the file is written although it is switched off")
	}
}
