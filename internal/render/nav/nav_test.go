package nav

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

// FuzzHref: the fast paths of Href and Relative have the results of the slow ones.
func FuzzHref(f *testing.F) {
	for _, a := range []string{"", "a/", "a/b/", "a/bc/d/", "á/b c/", "//", "a//b/", "a:b/", "_x/-.9/"} {
		for _, b := range []string{"", "a/", "a/b/c.html", "a", "a/b", "x:y", "a/x:y", "/", "//", "é#?.png", "a/bc"} {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, from, to string) {
		if from != "" && !strings.HasSuffix(from, "/") {
			from += "/"
		}
		want := relativeLong(from, to)
		if got := Relative(from, to); got != want {
			t.Errorf("relative(%q, %q) = %q, want %q", from, to, got, want)
		}
		if got, want := Href(from, to), (&url.URL{Path: want}).String(); got != want {
			t.Errorf("href(%q, %q) = %q, want %q", from, to, got, want)
		}
		if got, want := Escape(to), (&url.URL{Path: to}).EscapedPath(); got != want {
			t.Errorf("escapePath(%q) = %q, want %q", to, got, want)
		}
	})
}

func relativeLong(from, to string) string {
	if strings.HasPrefix(from, "/") {
		return from + to
	}
	a := strings.Split(strings.TrimSuffix(from, "/"), "/")
	if from == "" {
		a = nil
	}
	dir, file := path.Split(to)
	b := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	if dir == "" {
		b = nil
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	up := strings.Repeat("../", len(a))
	if len(b) > 0 {
		up += strings.Join(b, "/") + "/"
	}
	if up += file; up == "" {
		return "./"
	}
	return up
}
