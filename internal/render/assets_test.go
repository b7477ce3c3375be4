package render

import (
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/themes"
)

// asset returns a theme's file by its name, whatever the hash of its folder.
func asset(t *testing.T, s *Site, name string) string {
	t.Helper()
	for _, p := range s.Paths() {
		if ok, _ := path.Match(theme.AssetDir+"/*/"+name, p); ok {
			return get(t, s, p)
		}
	}
	t.Fatalf("no asset %s in %q", name, s.Paths())
	return ""
}

func TestAssetsInParts(t *testing.T) {
	t.Parallel()
	files := map[string]string{"content/pt/index.md": "# A\n"}
	low := fstest.MapFS{
		"assets/a.css/1.css": file("/* one */\na { top: 1px }"), "assets/a.css/2.css": file("b { top: 2px }\n"), "assets/a.css/note.txt": file("no part"),
		"assets/b.js/x.js": file("function ("), "assets/logo.svg": file("<svg/>"),
	}
	for _, c := range []struct {
		name string
		over fstest.MapFS
		want string
	}{
		{"parts are joined and minified", nil, "a{top:1px}b{top:2px}"},
		{"one is replaced", fstest.MapFS{"assets/a.css/1.css": file("i { top: 1px }\n")}, "i{top:1px}b{top:2px}"},
		{"one is added", fstest.MapFS{"assets/a.css/15.css": file("i { top: 3px }")}, "a{top:1px}i{top:3px}b{top:2px}"},
		{"a whole file wins", fstest.MapFS{"assets/a.css": file("whole")}, "whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, files, theme.Overlay(c.over, low, themes.Default()), Options{})
			if got := asset(t, s, "a.css"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			asset(t, s, "logo.svg")
			asset(t, s, "a.css/note.txt")
			if got := asset(t, s, "b.js"); got != "function (" {
				t.Errorf("a script with a mistake became %q", got)
			}
		})
	}
}

// TestAssetsHash checks that different assets have different addresses, and equal assets equal ones.
func TestAssetsHash(t *testing.T) {
	t.Parallel()
	folder := func(css string) string {
		s := newSite(t, map[string]string{"content/pt/index.md": "# A\n"}, overDefault(fstest.MapFS{"assets/own.css": file(css)}), Options{})
		i := slices.IndexFunc(s.Paths(), func(p string) bool { return strings.HasSuffix(p, "/own.css") })
		page := get(t, s, "pt/index.html")
		dir := path.Dir(s.Paths()[i])
		if !strings.Contains(page, `href="../`+dir+`/style.css"`) {
			t.Errorf("the page does not load %s/style.css", dir)
		}
		return dir
	}
	a, again, b := folder("a"), folder("a"), folder("b")
	if a != again || a == b {
		t.Errorf("a: %s, again: %s, b: %s", a, again, b)
	}
}
