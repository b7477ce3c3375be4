package browser

import (
	_ "embed"
	"testing"
)

//go:embed testdata/diagram.pt.md
var diagramPT string

// Diagrams are visible without scripts in both schemes, no label extends beyond its box, and a wide
// diagram scrolls within its container.
func TestDiagram(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, func(s *server) { s.write(t, "content/pt/diagramas.md", diagramPT) })
	tb := openTab(t, s.base)
	tb.withoutScripts()
	for _, width := range []int64{360, 1280} {
		tb.size(width, 900)
		tb.visit("pt/diagramas/")
		is(tb, "document.querySelectorAll('.diagram-box > svg').length", 3)
		is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
		is(tb, "[...document.querySelectorAll('.diagram-box > svg')].every(s => s.getBoundingClientRect().width >= s.viewBox.baseVal.width - 1)", true)
		// A text is within the drawing, and if a shape precedes it, within that shape.
		is(tb, `[...document.querySelectorAll(".diagram-box text")].every(t => {
			const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1
			const shape = t.parentElement.previousElementSibling ?? t.previousElementSibling
			return inside(t.getBoundingClientRect(), t.closest("svg").getBoundingClientRect()) &&
				(shape?.tagName !== "rect" || inside(t.getBoundingClientRect(), shape.getBoundingClientRect()))
		})`, true)
	}
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		is(tb, "getComputedStyle(document.querySelector('.diagram-box text')).fill", eval[string](tb, "getComputedStyle(document.body).color"))
	}
}
