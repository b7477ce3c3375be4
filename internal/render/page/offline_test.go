package page

import "testing"

func TestNamed(t *testing.T) {
	for _, c := range [][2]string{
		{"./", "./index.html"}, {"../", "../index.html"}, {"..", "../index.html"}, {"a/..", "a/../index.html"}, {".", "./index.html"},
		{"a/#x", "a/index.html#x"}, {"a/?q=1/#x/", "a/index.html?q=1/#x/"}, {"a/b.png", "a/b.png"}, {"", ""}, {"#a/", "#a/"}, {"?a/", "?a/"},
		{"https://example.org/", "https://example.org/"}, {"//example.org/", "//example.org/"}, {"/a/", "/a/"}, {"mailto:a@b/", "mailto:a@b/"},
		{"a:b/", "a:b/"}, {"./a:b/", "./a:b/index.html"}, {"..a/", "..a/index.html"}, {"a..", "a.."},
	} {
		if got := named(c[0]); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}
