package browser

import (
	"os"
	"path"
	"strings"
	"testing"
)

// Every page of the repository's own site and of the lab is checked: nothing moves while it loads, it is small, nothing
// is wider than the window, no mark covers words, every picture loads, the contrast suffices, and axe-core has no other serious finding. A page is
// checked on a phone in the light scheme in one language, and on a desktop in the dark scheme in the other. There Chromium
// itself says which controls have no name, which takes as long as axe-core.
func TestOurSite(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, site := range map[string]*host{"ours": ours(t), "lab": fleet(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scale := scales{}
			crawl(t, site.base, site.pages, visitor{
				skip:  func(p string) bool { return strings.HasSuffix(p, "/_print/") }, // repeats those of its sections
				begin: (*tab).watchMoves,
				open: func(tb *tab, p string) {
					if p == "" {
						tb.visit(p) // it redirects at once
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
					is(tb, underMark, "")
					is(tb, "document.documentElement.scrollHeight - scrollY - document.querySelector('.foot').getBoundingClientRect().bottom < 100 || document.documentElement.scrollHeight <= innerHeight", true) // only the dock is below the footer
					is(tb, "[...document.querySelectorAll('img')].filter(i => (i.loading = 'eager') && i.complete && !i.naturalWidth).length", 0)
					tb.contrast(p, scheme)
					// A print page repeats all others, for which axe-core takes minutes; TestAxe checks such a page, and
					// the contrast as axe-core computes it.
					if strings.Contains(p, "/_print/") || path.Base(p) == "404.html" {
						return
					}
					if scheme == "light" {
						eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
						tb.axe(name, p, scheme, "html", otherRules)
					} else {
						named(tb, p)
					}
				},
			})
		})
	}
}

// ourWay is the device and scheme in which a page of these sites is checked.
func ourWay(p string) (scheme string, width int64) {
	if strings.HasPrefix(p, "es/") {
		return "dark", 1440
	}
	return "light", 360
}
