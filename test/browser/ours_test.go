package browser

import (
	"os"
	"path"
	"strings"
	"testing"
)

// The repository's own site is sound, page by page: nothing moves while it loads, it weighs
// little, nothing is wider than the window, every picture is there, and axe-core finds nothing
// serious. A page is looked at on a phone in the light in one language, and on a desktop in the
// dark in the other.
func TestOurSite(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	site := ours(t)
	scale := scales{}
	crawl(t, site.base, site.pages, visitor{
		begin: func(tb *tab) { tb.onNewDocument(moves) },
		open: func(tb *tab, p string) {
			if p == "" {
				tb.visit(p) // it leads on at once
				return
			}
			scheme, width := ourWay(p)
			tb.scheme(scheme)
			tb.size(width, 900)
			tb.holdStill(p)
		},
		look: func(tb *tab, p string) {
			if p == "" {
				return
			}
			tb.notHeavy(p, &scale)
			scheme, width := ourWay(p)
			tb.size(min(width, 1280), 800)
			tb.openDetails()
			is(tb, sticksOut, "")
			is(tb, "[...document.querySelectorAll('img')].filter(i => (i.loading = 'eager') && i.complete && !i.naturalWidth).length", 0)
			// A book is all others once more, for which axe-core takes minutes; TestAxe has what is not found.
			if !strings.HasSuffix(p, "/_print/") && path.Base(p) != "404.html" {
				eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
				tb.axe("our site", p, scheme)
			}
			named(tb, p)
		},
	})
}

// ourWay is the way in which a page of ours is looked at.
func ourWay(p string) (scheme string, width int64) {
	if strings.HasPrefix(p, "es/") {
		return "dark", 1440
	}
	return "light", 360
}
