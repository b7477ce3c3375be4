package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// focused returns the focused element, and whether the focus is visible: the element is in the window,
// and it or its label has an outline.
const focused = `(() => {
	const e = document.activeElement
	if (!e || e === document.body) return {what: "", seen: true}
	const shown = e.labels?.[0] || e, box = shown.getBoundingClientRect(), style = getComputedStyle(shown)
	return {
		what: e.tagName.toLowerCase() + "." + e.className + " " + (e.innerText || e.ariaLabel || e.value || "").trim().replace(/\s+/g, " ").slice(0, 40),
		seen: e.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 &&
			box.width > 2 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
	}
})()`

type focus struct {
	What string `json:"what"`
	Seen bool   `json:"seen"`
}

func TestSkipLink(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/medir-tempo/")
	tb.press(kb.Tab)
	is(tb, "document.activeElement.className", "skip")
	is(tb, "document.activeElement.innerText", "Pular para o conteúdo")
	if got := eval[focus](tb, focused); !got.Seen {
		t.Errorf("the skip link has the focus and cannot be seen")
	}
	tb.press(kb.Enter)
	tb.until("document.activeElement.tagName === 'MAIN'")
	tb.press(kb.Tab)
	is(tb, "document.querySelector('main').contains(document.activeElement)", true)
	is(tb, "document.querySelector('.skip').getBoundingClientRect().bottom <= 0", true) // out of sight again
}

// Every control can be reached with Tab, the focus is always visible, and is not trapped anywhere.
func TestEverythingIsReachedByKeyboard(t *testing.T) {
	t.Parallel()
	site := shared(t)
	for _, c := range []struct {
		path  string
		width int64
	}{{"pt/medir-tempo/", 1280}, {"es/conheca-sua-gpu/", 360}} {
		t.Run(fmt.Sprint(c.path, c.width), func(t *testing.T) {
			tb := openTab(t, site.base)
			tb.size(c.width, 900)
			tb.visit(c.path)
			eval[any](tb, "window.reached = new Set()")
			want := eval[int](tb, "document.querySelectorAll('a, button, summary, input, [tabindex=\"0\"]').length")
			steps := 0
			for ; steps < want+10; steps++ {
				tb.press(kb.Tab)
				f := eval[focus](tb, "(reached.add(document.activeElement), "+focused+")")
				if f.What == "" {
					break // out of the page again
				}
				if !f.Seen {
					t.Errorf("step %d: the focus cannot be seen on %s", steps, f.What)
				}
			}
			if steps == want+10 {
				t.Errorf("after %d steps the focus is still in the page", steps)
			}
			missed := eval[[]string](tb, `[...document.querySelectorAll("a[href], button, summary, .switch > input:checked")]
				.filter(e => e.checkVisibility({visibilityProperty: true}) && !reached.has(e))
				.map(e => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40))`)
			if len(missed) > 0 {
				t.Errorf("Tab does not reach %q", missed)
			}
		})
	}
}

func TestSwitcherAndPanelByKeyboard(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/medir-tempo/")
	tb.tabTo(".langs > summary")
	tb.press(kb.Enter)
	tb.until("document.querySelector('.langs').open")
	tb.press(kb.Escape)
	tb.until("!document.querySelector('.langs').open")
	is(tb, "document.activeElement.matches('.langs > summary')", true)

	tb.tabTo("details.panel > summary")
	is(tb, "document.activeElement.parentElement.open", false)
	tb.press(kb.Enter)
	tb.until("document.activeElement.parentElement.open")
	tb.press(" ")
	tb.until("!document.activeElement.parentElement.open")

	tb.visit("pt/medir-tempo/")
	tb.tabTo(".langs > summary")
	tb.press(" ")
	tb.until("document.querySelector('.langs').open")
	tb.tabTo(".langs a[hreflang=es]")
	tb.press(kb.Enter)
	tb.at("es/medir-tempo/")
}
