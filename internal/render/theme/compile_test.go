package theme

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

func part(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// compiledOver compiles the theme of these files over the default theme.
func compiledOver(files fs.FS, o CompileOptions) (*Compiled, error) {
	o.Languages = []string{"en", "pt"}
	return new(Cache).Compile(Overlay(Layer{files, "themes/lab"}, themes.Default()), o)
}

// pageOf returns a page with a theme over the default theme.
func pageOf(t *testing.T, files fs.FS) (string, diag.List) {
	t.Helper()
	c, err := compiledOver(files, CompileOptions{})
	var page []byte
	if err == nil {
		view := PageView{Kind: "page", Site: SiteView{Params: map[string]any{"contact": "x"}}, Languages: []LanguageLink{{}}, T: c.Text("pt")}
		if page, err = c.Execute("page.html", view); err == nil {
			return string(page), c.Warnings
		}
	}
	faults, ok := errors.AsType[*Faults](err)
	if !ok || !errors.Is(err, ErrFault) {
		t.Fatal(err)
	}
	return "", faults.List
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
		{"its own file", "theme.toml", "", "", ""},
		{"an asset", "assets/deep/x.css", "", "", ""},
		{"a style in no folder", "x.css", "", "themes/lab/x.css: warning: gpudocs reads nothing here", ""},
		{"a call in a branch", "layouts/footer.html", `{{define "footer"}}{{if .Draft}}{{else}}{{template "heder" .}}{{end}}{{end}}`,
			`themes/lab/layouts/footer.html:1:52: error: there is no template "heder"`, ""},
		{"a readme", "README.md", "x", "", ""},
	} {
		_, got := pageOf(t, fstest.MapFS{c.file: part(c.text)})
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

// TestLockedTheme: a file of the theme that cannot be read is reported, and not replaced by that of the default theme.
func TestLockedTheme(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"layouts/footer.html", "i18n/pt.toml", "assets/style.css"} {
		c, err := compiledOver(locked{fstest.MapFS{name: part("")}, name}, CompileOptions{})
		if err == nil || c != nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: %v", name, err)
		}
		if faults, ok := errors.AsType[*Faults](err); ok && !strings.HasPrefix(faults.Error(), "themes/lab/"+name+": error: cannot be read: permission denied") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOrder: a template of any file goes before that of the default theme.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"0", "zz"} {
		if page, _ := pageOf(t, fstest.MapFS{"layouts/" + name + ".html": part(`{{define "footer"}}my foot{{end}}`)}); !strings.Contains(page, "my foot") {
			t.Errorf("%s.html does not override the default", name)
		}
	}
}

// TestStyle: the values of theme.toml come after the default's, and before the print styles.
func TestStyle(t *testing.T) {
	t.Parallel()
	for _, files := range []fstest.MapFS{{}, {"assets/style.css": part(":root { --accent:light-dark(a, b) }\n")}} {
		c, err := compiledOver(files, CompileOptions{Style: ":root { --accent: red; }\n"})
		if err != nil {
			t.Fatal(err)
		}
		style := strings.ReplaceAll(string(c.Assets["style.css"])+"@media print", ": ", ":")
		first, own, print := strings.Index(style, "--accent:light-dark("), strings.Index(style, "--accent:red"), strings.Index(style, "@media print")
		if first < 0 || own < first || print < own {
			t.Error(first, own, print)
		}
	}
}

func TestAssetsInParts(t *testing.T) {
	t.Parallel()
	low := fstest.MapFS{
		"assets/a.css/1.css": part("/* one */\na { top: 1px }"), "assets/a.css/2.css": part("b { top: 2px }\n"), "assets/a.css/note.txt": part("no part"),
		"assets/b.js/x.js": part("function ("), "assets/logo.svg": part("<svg/>"),
	}
	for _, c := range []struct {
		name string
		over fstest.MapFS
		want string
	}{
		{"parts are joined and minified", nil, "a{top:1px}b{top:2px}"},
		{"one is replaced", fstest.MapFS{"assets/a.css/1.css": part("i { top: 1px }\n")}, "i{top:1px}b{top:2px}"},
		{"one is added", fstest.MapFS{"assets/a.css/15.css": part("i { top: 3px }")}, "a{top:1px}i{top:3px}b{top:2px}"},
		{"a whole file wins", fstest.MapFS{"assets/a.css": part("whole")}, "whole"},
	} {
		a, err := new(Cache).Compile(Overlay(c.over, low, themes.Default()), CompileOptions{Generated: map[string][]byte{"made.css": nil}})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(a.Assets["a.css"]); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		for name, want := range map[string]string{"logo.svg": "<svg/>", "a.css/note.txt": "no part", "b.js": "function (", "made.css": ""} {
			if got, ok := a.Assets[name]; !ok || string(got) != want {
				t.Errorf("%s: %s is %q", c.name, name, got)
			}
		}
	}
}

// TestAssetsHash: different assets have different addresses, and equal assets equal ones. A theme that is the same is compiled once.
func TestAssetsHash(t *testing.T) {
	t.Parallel()
	var cache Cache
	compile := func(css string) *Compiled {
		c, err := cache.Compile(Overlay(fstest.MapFS{"assets/own.css": part(css)}, themes.Default()), CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, same, b := compile("a"), compile("a"), compile("b")
	if a != same || a == b || a.Folder == b.Folder || a.Folder != compile("a").Folder || !strings.HasPrefix(a.Folder, AssetDir+"/") {
		t.Errorf("a: %s, again: %s, b: %s", a.Folder, same.Folder, b.Folder)
	}
	if now, ok := AssetName("_theme/new/", a.Folder+"own.css"); now != "_theme/new/own.css" || !ok {
		t.Errorf("%s %v", now, ok)
	}
	for _, other := range []string{"own.css", "_theme/own.css"} {
		if now, ok := AssetName("_theme/new/", other); ok {
			t.Errorf("%s is %s", other, now)
		}
	}
}

// Browsers without light-dark() must draw diagrams, too: a shape with a fill colour that they cannot parse would be
// black, and a line would be invisible.
func TestDiagramsInOldBrowsers(t *testing.T) {
	var style string
	for _, part := range []string{"00-colours.css", "40-diagrams.css"} {
		data, err := fs.ReadFile(themes.Default(), "assets/style.css/"+part)
		if err != nil {
			t.Fatal(err)
		}
		style += string(data)
	}
	has := map[string]bool{"ink": true} // letters are black
	for _, block := range regexp.MustCompile(`(?s)@supports not .*?\n}\n`).FindAllString(style, -1) {
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+):`).FindAllStringSubmatch(block, -1) {
			has[m[1]] = true
		}
	}
	used := regexp.MustCompile(`\.diagram-(?:fill|stroke)-[^{]*\{ \w+: var\(--([a-z0-9-]+)\)`).FindAllStringSubmatch(style, -1)
	if len(used) < 30 {
		t.Fatalf("only %d colours found", len(used))
	}
	for _, m := range used {
		if !has[m[1]] {
			t.Errorf("--%s has no value for browsers without light-dark()", m[1])
		}
	}
}
