package page

import "testing"

// TestOffline: links of a finished page name the file, also those that lead on by themselves.
func TestOffline(t *testing.T) {
	for _, c := range [][2]string{
		{`<a href="../" title="a/">x</a> a/`, `<a href="../index.html" title="a/">x</a> a/`},
		{`<form action="./"><img src="b/">`, `<form action="./index.html"><img src="b/index.html">`},
		{`<meta http-equiv="Refresh" content="0; url=pt/">`, `<meta http-equiv="Refresh" content="0; url=pt/index.html">`},
		{`<meta name="description" content="0; url=pt/">`, `<meta name="description" content="0; url=pt/">`},
		{`<meta http-equiv="refresh" content="5">`, `<meta http-equiv="refresh" content="5">`},
		{`<A HREF=x.html>&amp;</A><!-- <a href="../"> -->`, `<A HREF=x.html>&amp;</A><!-- <a href="../"> -->`},
	} {
		if got := string(Offline([]byte(c[0]))); got != c[1] {
			t.Errorf("%s becomes %s, want %s", c[0], got, c[1])
		}
	}
}

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
