package hosting

import (
	"strings"
	"testing"
	"unicode"
)

var lab = Input{
	Languages: []string{"pt-br", "es"}, Hashed: []string{"_theme", "2026.1/_theme"}, NotFound: []string{"pt-br", "2026.1/es"}, Chooser: true,
	Moved: []Moved{{"pt-br/ação/", "pt-br/gpu/"}, {"velho.html", "pt-br/100%/"}, {"caro/", "pt-br/US$/"}},
}

func TestNetlifyHeaders(t *testing.T) {
	t.Parallel()
	got := string(lab.NetlifyHeaders())
	for _, want := range []string{
		"/*\n  Content-Security-Policy: default-src 'self';", "\n  X-Content-Type-Options: nosniff\n", "\n  Referrer-Policy: ", "\n  Permissions-Policy: ",
		"\n/*.svg\n  Content-Security-Policy: script-src 'none'; sandbox\n",
		"\n/_theme/*\n  Cache-Control: public, max-age=31536000, immutable\n", "\n/es/*\n  Cache-Control: public, max-age=0, must-revalidate\n",
		"\n/2026.1/_theme/*\n  Cache-Control: public, max-age=31536000, immutable\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "unsafe") {
		t.Error(got)
	}
}

func TestNetlifyRedirects(t *testing.T) {
	t.Parallel()
	const want = `/x /y 302
/pt-br/a%C3%A7%C3%A3o/ /pt-br/gpu/ 301!
/pt-br/ação/ /pt-br/gpu/ 301!
/velho.html /pt-br/100%25/ 301!
/caro/ /pt-br/US%24/ 301!
/ /pt-br/ 302! Language=pt-br,pt
/ /es/ 302! Language=es
/ /pt-br/ 302!
/pt-br/* /pt-br/404.html 404
/2026.1/es/* /2026.1/es/404.html 404
`
	if got := string(lab.NetlifyRedirects([]byte("/x /y 302\n\n"))); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := string(Input{Languages: []string{"pt"}}.NetlifyRedirects(nil)); got != "" {
		t.Errorf("a site whose root is a page: %q", got)
	}
	if got := conditions("pt-br", []string{"pt", "pt-br"}); got != "pt-br" {
		t.Errorf("beside pt: %q", got)
	}
}

// TestNoLineIsForged checks that any address is one address on one line: Netlify splits lines at any Unicode space.
func TestNoLineIsForged(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"\u00a0", "\u3000", "\u2028", "\ufeff", "\u0085", "\n", "\r", "\t", "\v", "\u200b", "\u202e"} {
		s := Input{Languages: []string{"pt"}, Moved: []Moved{{"a" + blank + "/evil" + blank + "200!", "pt/b" + blank + "/c/"}}}
		got := string(s.NetlifyRedirects(nil))
		if strings.Count(got, "\n") != 1 || len(strings.FieldsFunc(strings.TrimSuffix(got, "\n"), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })) != 3 {
			t.Errorf("%q: %q", blank, got)
		}
	}
}
