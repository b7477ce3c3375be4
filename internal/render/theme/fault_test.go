package theme

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/themes"
)

// TestTextOutside checks that text around the templates of a file is a warning at its place, and that files which
// are templates themselves have none.
func TestTextOutside(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{{define \"footer\"}}a{{end}}\n":                                    "",
		"{{/* why */}}\n{{- /* and */ -}}\n{{define \"footer\"}}a{{end}}\n":  "",
		"\n<p>b</p>\n{{define \"footer\"}}a{{end}}":                          "themes/lab/layouts/footer.html:2:1: warning: this stands outside of {{define \"…\"}} … {{end}}, and no page shows it",
		"{{define \"footer\"}}a{{end}}\n  ç{{.Title}}":                       "themes/lab/layouts/footer.html:2:3: warning: this stands outside",
		"{{define \"footer\"}}a{{end}}\n{{if .Title}}x{{end}}":               "themes/lab/layouts/footer.html:2:6: warning: this stands outside",
		"{{define \"footer\"}}a{{template \"footer.html\" .}}{{end}}\nshown": "",
	} {
		own := fstest.MapFS{"layouts/footer.html": {Data: []byte(text)}, "layouts/redirect.html": {Data: []byte("<p>{{.URL}}</p>")}}
		got := ""
		for _, d := range Check(Overlay(Layer{own, "themes/lab"}, themes.Default()), []string{"en"}) {
			got += d.Error()
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestCopyOfDefault checks that nothing is found in a theme with copies of all files of the default theme.
func TestCopyOfDefault(t *testing.T) {
	t.Parallel()
	if diags := Check(Overlay(Layer{themes.Default(), "themes/lab"}, themes.Default()), []string{"en"}); len(diags) > 0 {
		t.Error(diags)
	}
}
