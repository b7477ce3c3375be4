package browser

import (
	_ "embed"
	"strings"
	"testing"
)

var (
	//go:embed testdata/math.pt.md
	mathPT string
	//go:embed testdata/math.es.md
	mathES string
)

// Formulas are laid out by the browser itself, without scripts and in both schemes; none of them makes
// a page on a phone scroll sideways.
func TestMath(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, func(s *server) {
		s.write(t, "content/pt/formulas.md", mathPT)
		s.write(t, "content/es/formulas.md", mathES)
	})
	tb := openTab(t, s.base)
	tb.withoutScripts()
	for _, page := range []string{"pt/formulas/", "es/formulas/"} {
		for _, width := range []int64{360, 1280} {
			tb.size(width, 900)
			tb.visit(page)
			is(tb, "document.querySelectorAll('article math, h1 math').length >= 20", true)
			is(tb, "document.querySelectorAll('.unread').length", 0)
			is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
			// A numerator stands above its denominator, and both fill the fraction.
			is(tb, `[...document.querySelectorAll("mfrac")].every(f => {
				const [above, below] = [...f.children].map(c => c.getBoundingClientRect())
				return above.height > 4 && above.bottom <= below.top + 1 && f.getBoundingClientRect().height >= above.height + below.height
			})`, true)
			// A number stands at the edge, in sight where the box scrolls.
			is(tb, `[...document.querySelectorAll(".math .tml-tag")].every(n =>
				Math.abs(n.closest(".math").getBoundingClientRect().right - n.getBoundingClientRect().right) < 12)`, true)
			// A wide formula begins where its box does, and the box scrolls.
			is(tb, `[...document.querySelectorAll(".math")].every(b => {
				const row = b.querySelector("semantics > mrow").getBoundingClientRect(), box = b.getBoundingClientRect()
				return row.left >= box.left - 1 && (row.right <= box.right + 1 || b.scrollWidth > b.clientWidth)
			})`, true)
			is(tb, "getComputedStyle(document.querySelector('annotation')).display", "none")
		}
	}
	is(tb, "document.querySelector('article a[href^=\"#eq\"]').textContent", "(1)")
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		is(tb, "getComputedStyle(document.querySelector('article > .math mi')).color", eval[string](tb, "getComputedStyle(document.body).color"))
	}
	for _, address := range tb.requested() {
		if strings.Contains(address, "woff") || strings.Contains(address, "ttf") {
			t.Errorf("a font is requested: %s", address)
		}
	}
}
