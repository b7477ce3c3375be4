package theme

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/themes"
)

func open(t *testing.T, files map[string]string, name, version string) (*Theme, string) {
	t.Helper()
	site := fstest.MapFS{}
	for name, text := range files {
		site[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, diags := Open(site, name, themes.Default(), version)
	var messages []string
	for _, d := range diags.Sorted() {
		messages = append(messages, d.Error())
	}
	return got, strings.Join(messages, "\n")
}

func TestOpen(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"themes/a/theme.toml": "extends = 'b'\n[params]\nx = 1\n[colours.dark]\naccent = 'red'\n",
		"themes/b/theme.toml": "\ufeffname = 'B'\r\nextends = 'default'\r\n[params]\r\nx = 2\r\ny = 'z'\r\n[colours.light]\r\naccent = 'rgb(1 2 3 / .5)'\r\n",
		"themes/c/readme":     "",
	}
	a, messages := open(t, files, "a", "0.1.0-dev")
	if messages != "" {
		t.Fatal(messages)
	}
	if len(a.Layers) != 2 || a.Layers[0].Dir != "themes/a" || a.Layers[1].Dir != "themes/b" || a.Params["x"] != int64(1) || a.Params["y"] != "z" || a.Title != "" {
		t.Errorf("%+v", a)
	}
	const style = ":root { --accent: light-dark(rgb(1 2 3 / .5), red); }\n"
	if a.Style != style {
		t.Errorf("%s", a.Style)
	}
	// A colour that is set for one scheme keeps the default in the other; one without a dark value has
	// the same in both.
	files["themes/d/theme.toml"] = "[colours.light]\naccent = '#123'\npanel-ink = '#fff'\n[colours.dark]\npaper = '#000'\n"
	const half = ":root { --accent: light-dark(#123, #7cc7e4); --panel-ink: #fff; --paper: light-dark(#fcfdfd, #000); }\n"
	if d, messages := open(t, files, "d", ""); messages != "" || d.Style != half {
		t.Errorf("%s%s", d.Style, messages)
	}
	if c, messages := open(t, files, "c", ""); messages != "" || len(c.Layers) != 1 || c.Style != "" {
		t.Errorf("without theme.toml: %+v %s", c, messages)
	}
	if d, messages := open(t, files, "default", ""); messages != "" || len(d.Layers) != 0 {
		t.Errorf("default: %+v %s", d, messages)
	}
	files["themes/default/theme.toml"] = ""
	if d, messages := open(t, files, "default", ""); messages != "" || len(d.Layers) != 1 {
		t.Errorf("a default of the site's own: %+v %s", d, messages)
	}
	site := fstest.MapFS{"themes/x/a": &fstest.MapFile{}, "themes/.y/a": &fstest.MapFile{}, "themes/f": &fstest.MapFile{}}
	if got := Names(site); !slices.Equal(got, []string{"x"}) {
		t.Errorf("%q", got)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gpudocs = '0.1'":                     "",
		"gpudocs = 'v0.2.0'":                  "themes/a/theme.toml:1:12: error: the theme is for gpudocs v0.2.0 or newer, and this is 0.1.0-dev",
		"gpudocs = 'new'":                     `themes/a/theme.toml:1:12: error: "new" is no version`,
		"extends = 'a'":                       `themes/a/theme.toml:1:12: error: the theme "a" extends itself: a → a`,
		"extends = 'é'":                       "themes/a/theme.toml:1:12: error: there is no theme in themes/é",
		"extends = '../content'":              `themes/a/theme.toml:1:12: error: "../content" is not the name of a folder in themes/`,
		"x = 1":                               `themes/a/theme.toml:1:1: error: unknown key "x"`,
		"[colours]\nlihgt = {accent = 'red'}": `themes/a/theme.toml:2:1: error: unknown key "colours.lihgt"`,
		"[colours.light]\naccent = 'red; } * { color: x'":  `themes/a/theme.toml:2:11: error: "red; } * { color: x" is no colour`,
		"[colours.light]\naccent = 'url(//x)'":             `themes/a/theme.toml:2:11: error: "url(//x)" is no colour`,
		"[colours.light]\n'}' = 'red'":                     `themes/a/theme.toml:2:2: error: the style has no variable --}`,
		"name = [":                                         "themes/a/theme.toml:1:8: error: broken TOML: ",
		"name = 1":                                         "themes/a/theme.toml:1:8: error: this key takes no integer",
		"[params]\na = {b = [1, 'x']}\n'c d' = 2026-01-01": "",
	} {
		_, messages := open(t, map[string]string{"themes/a/theme.toml": text}, "a", "0.1.0-dev")
		if messages != want && (want == "" || !strings.HasPrefix(messages, want)) {
			t.Errorf("%s:\n got %s\nwant %s", text, messages, want)
		}
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	site := fstest.MapFS{"gpudocs.toml": &fstest.MapFile{Data: []byte("[params]\nx = 'a'\nyy = 1\n")}}
	own := &Theme{Name: "a", Params: map[string]any{"x": int64(1), "y": int64(1)}}
	diags := own.Override(site, map[string]any{"x": "a", "yy": int64(1)})
	if len(diags) != 2 || diags[0].Line != 2 || !strings.Contains(diags[0].Message.String(), `"x" is a number`) || diags[1].Line != 3 || diags[1].Hint.String() != `did you mean "y"?` {
		t.Errorf("%+v", diags)
	}
	if diags := own.Override(site, map[string]any{"y": int64(2)}); len(diags) != 0 || own.Params["y"] != int64(2) {
		t.Errorf("%+v %v", diags, own.Params)
	}
}

// FuzzOpen checks for any theme.toml that the style has only rules about variables, and that positions are within
// the file.
func FuzzOpen(f *testing.F) {
	f.Add("[colours.light]\naccent = 'red'\n")
	f.Add("extends = 'a'\n\"gpudocs\" = \"\\u0030\"\nx.y = 1")
	f.Fuzz(func(t *testing.T, text string) {
		site := fstest.MapFS{"themes/a/theme.toml": &fstest.MapFile{Data: []byte(text)}}
		got, diags := Open(site, "a", themes.Default(), "1.0")
		if !diags.HasErrors() && strings.Count(got.Style, "{") != strings.Count(got.Style, "}") {
			t.Errorf("%q", got.Style)
		}
		for _, d := range diags {
			if d.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v", d)
			}
		}
	})
}
