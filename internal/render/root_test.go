package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// The root redirects within the host from which the site is read, also if that is not its own address, as with serve.
func TestRootStaysOnItsHost(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# Início\n", "content/es/index.md": "# Inicio\n"}
	for _, c := range []struct{ name, want string }{{"online", "pt pt/"}, {"offline", "pt pt/index.html"}} {
		o := Options{BaseURL: "https://example.org/docs/", Offline: c.name == "offline"}
		page := get(t, newSite(t, files, themes.Default(), o), "index.html")
		if !strings.Contains(page, `data-pages="`+c.want+"&#10;") || strings.Contains(page, `href="https://example.org/docs/pt/`) {
			t.Errorf("%s: the root leads elsewhere:\n%s", c.name, page)
		}
	}
}
