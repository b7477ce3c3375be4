package render

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

// themeFaults renders a page with a theme of these files over the default theme, and returns the diagnostics.
func themeFaults(t *testing.T, files fstest.MapFS) diag.List {
	t.Helper()
	site, _ := load.Load(fstest.MapFS{"gpudocs.toml": file(config), "content/pt/index.md": file("# A\n")}, load.Options{})
	o := Options{Params: map[string]any{"contact": "x"}}
	s, diags, err := New(t.Context(), site, nil, theme.Overlay(theme.Layer{FS: files, Dir: "themes/lab"}, themes.Default()), o)
	if err == nil {
		_, _, err = s.File("pt/index.html")
	}
	var faults *theme.Faults
	if errors.As(err, &faults) {
		return faults.List
	}
	if err != nil {
		t.Fatal(err)
	}
	return diags
}

func TestThemeFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text string
		message, hint    string
	}{
		{"a field", "layouts/footer.html", "{{define \"footer\"}}\n\t<p>é {{.Site.Titel}}</p>{{end}}", "themes/lab/layouts/footer.html:2:9: error: there is no Titel in SiteView", `did you mean "Title"?`},
		{"a field within a range", "layouts/footer.html", `{{define "footer"}}{{range .Languages}}{{.Nam}}{{end}}{{end}}`, "themes/lab/layouts/footer.html:1:42: error: there is no Nam in LanguageLink", `did you mean "Name"?`},
		{"a parameter", "layouts/footer.html", `{{define "footer"}}{{.Site.Params.contcat}}{{end}}`, `themes/lab/layouts/footer.html:1:22: error: .Site.Params.contcat: there is no "contcat"`, `did you mean "contact"?`},
		{"nothing there", "layouts/footer.html", `{{define "footer"}}{{.Next.URL}}{{end}}`, "themes/lab/layouts/footer.html:1:22: error: .Next.URL is not there on this page", "ask for it: {{with .Prev}} … {{end}}"},
		{"a function", "layouts/footer.html", `{{define "footer"}}{{lenn .Languages}}{{end}}`, `themes/lab/layouts/footer.html:1:1: error: there is no function "lenn"`, `did you mean "len"?`},
		{"broken", "layouts/footer.html", "x\n  {{define \"footer\"}}{{end}", "themes/lab/layouts/footer.html:2:3: error: ", ""},
		{"a template", "layouts/footer.html", `{{define "footer"}}{{template "heder" .}}{{end}}`, `themes/lab/layouts/footer.html:1:31: error: there is no template "heder"`, `did you mean "header"?`},
		{"a missing one", "layouts/footer.html", "<footer></footer>", `themes/lab/layouts/footer.html: error: the template "footer" is missing: the default's file of this name defines it`, ""},
		{"a missing one that all need", "layouts/panel.html", "x", `themes/lab/layouts/panel.html: error: the template "panel" is missing: the default's file of this name defines it`, ""},
		{"a name", "layouts/foter.html", "<footer></footer>", "themes/lab/layouts/foter.html: warning: takes the place of no template, and none asks for it", `did you mean "footer.html"?`},
		{"a folder", "layout/footer.html", "x", "themes/lab/layout/footer.html: warning: gpudocs reads nothing here", `did you mean "layouts"?`},
		{"no html", "layouts/footer.htm", "x", "themes/lab/layouts/footer.htm: warning: a template's name ends with .html", "rename it, or move it into assets/"},
		{"texts", "i18n/pt.toml", "[strings]\nskip = 1\n", "themes/lab/i18n/pt.toml:2:8: error: ", "docs/content/en/themes.md shows the form"},
		{"another name for a template", "layouts/0.html", `{{define "footer"}}here{{end}}`, "", ""},
		{"a readme", "README.md", "x", "", ""},
	} {
		got := themeFaults(t, fstest.MapFS{c.file: file(c.text)})
		switch {
		case c.message == "" && len(got) == 0:
		case len(got) != 1 || c.message == "" || !strings.HasPrefix(got[0].Error(), c.message) || c.hint != "" && got[0].Hint.String() != c.hint:
			t.Errorf("%s: %+v, want %s", c.name, got, c.message)
		}
	}
}

// A locked folder has a file that may not be read.
type locked struct {
	fstest.MapFS
	name string
}

func (l locked) Open(name string) (fs.File, error) {
	if name == l.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

// TestLockedTheme checks that a file of the theme that cannot be read is reported, and not replaced by that of the
// default theme.
func TestLockedTheme(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"layouts/footer.html", "i18n/pt.toml", "assets/style.css"} {
		site, _ := load.Load(fstest.MapFS{"gpudocs.toml": file(config), "content/pt/index.md": file("# A\n")}, load.Options{})
		layers := theme.Overlay(theme.Layer{FS: locked{fstest.MapFS{name: file("")}, name}, Dir: "themes/lab"}, themes.Default())
		_, diags, err := New(t.Context(), site, nil, layers, Options{})
		if err == nil || len(diags) > 0 {
			t.Errorf("%s: %v, %v", name, diags, err)
		}
		var faults *theme.Faults
		if errors.As(err, &faults) && !strings.HasPrefix(faults.Error(), "themes/lab/"+name+": error: cannot be read: permission denied") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestThemeOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"0", "zz"} {
		s := newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, theme.Overlay(theme.Layer{FS: fstest.MapFS{"layouts/" + name + ".html": file(`{{define "footer"}}my foot{{end}}`)}, Dir: "themes/lab"}, themes.Default()), Options{})
		if page := get(t, s, "pt/index.html"); !strings.Contains(page, "my foot") {
			t.Errorf("%s.html does not override the default", name)
		}
	}
}

// TestThemeStyle checks that the values of theme.toml come after the default's, and before the print styles.
func TestThemeStyle(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, themes.Default(), Options{Style: ":root { --accent: red; }\n"})
	style := get(t, s, s.theme.Folder+"style.css")
	first, own, print := strings.Index(style, "--accent:light-dark("), strings.Index(style, "--accent:red"), strings.Index(style, "@media print")
	if first < 0 || own < first || print < own {
		t.Error(first, own, print)
	}
}

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
