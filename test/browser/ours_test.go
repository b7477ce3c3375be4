package browser

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The repository's own site is sound, page by page: nothing is wider than the window, every
// picture is there, and axe-core finds nothing serious. A page is looked at on a phone in the
// light in one language, and on a desktop in the dark in the other.
func TestOurSite(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	site := ours(t)
	pages := slices.DeleteFunc(slices.Clone(site.pages), func(p string) bool { return p == "404.html" || p == "pt/404.html" || p == "es/404.html" }) // no link leads there
	crawl(t, site.base, pages, func(tb *tab, p string) {
		if p == "" {
			return // it leads on at once
		}
		scheme, width := "light", int64(360)
		if strings.HasPrefix(p, "es/") {
			scheme, width = "dark", 1280
		}
		tb.scheme(scheme)
		tb.size(width, 800)
		tb.openDetails()
		is(tb, sticksOut, "")
		is(tb, "[...document.querySelectorAll('img')].filter(i => (i.loading = 'eager') && i.complete && !i.naturalWidth).length", 0)
		if !strings.HasSuffix(p, "/_print/") { // all others once more, for which axe-core takes minutes
			eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
			tb.axe("our site", p, scheme)
		}
		named(tb, p)
	})
}
