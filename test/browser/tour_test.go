package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A stop is a position of the focus: its part of the page, its place there, and what is wrong with it.
type stop struct {
	What  string  `json:"what"`
	Part  int     `json:"part"` // index in parts, which are in reading order; -1 if none
	Top   float64 `json:"top"`
	Left  float64 `json:"left"`
	Fault string  `json:"fault"`
}

// stopHere returns the stop of the focused element. It must have an outline that contrasts with its
// background, and nothing may cover it, neither the bar nor the buttons of a phone.
const stopHere = `(() => {
	const e = document.activeElement
	if (!e || e === document.body) return {what: "", part: -1, top: 0, left: 0, fault: ""}
	const shown = e.labels?.[0] || e, style = getComputedStyle(shown), box = shown.getBoundingClientRect()
	const parts = [".skip", ".bar", ".fold-menu", ".side", ".crumbs", ".notice", ".mine", ".readout", ".tags", ".page-menu", ".contents", "article", ".measures", ".pager", ".foot"]
	const mid = (a, b, size) => (Math.max(a, 0) + Math.min(b, size)) / 2
	const over = document.elementFromPoint(mid(box.left, box.right, innerWidth), mid(box.top, box.bottom, innerHeight))
	const same = n => n && (shown.contains(n) || n.contains(shown) && n !== document.documentElement && !n.matches("body"))
	const fault = !e.matches(":focus-visible") || style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1.5 ? "no outline" :
		/^(transparent|rgba\(.*, 0\))$/.test(style.outlineColor) ? "an outline without a colour" :
		box.width < 3 || box.bottom <= 0 || box.top >= innerHeight ? "out of the window" :
		!same(over) ? "behind " + over?.tagName + "." + over?.className : ""
	// The button of the contents shows the current section: it has no text of its own.
	const still = shown.closest(".bar, .side, .toc, .fold")
	return {
		what: e.tagName.toLowerCase() + "." + e.className + " " + (e.closest(".fold-toc") ? "" : e.innerText || e.ariaLabel || e.value || "").trim().replace(/\s+/g, " ").slice(0, 40),
		part: parts.findIndex(p => e.closest(p)), fault: fault,
		top: box.top + (still ? still.scrollTop : scrollY), left: box.left,
	}
})()`

// shiftTab goes back by one.
var shiftTab = chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(kb.ModifierShift))

// Tab moves through a page in visual order: part by part, and within each from line to line; Shift-Tab
// moves back the same way.
func TestTour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		site  func(*testing.T) *host
		path  string
		width int64
	}{{made, "pt/texto/", 1440}, {made, "es/texto/", 360}, {fleet, "pt/gpu/?machine=capivara", 768}, {tutorials, "es/medir-tempo/", 1280}} {
		t.Run(fmt.Sprint(c.path, c.width), func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, c.site(t).base)
			tb.size(c.width, 760)
			tb.visit(c.path)
			var there, back []stop
			for len(there) < 300 {
				tb.press(kb.Tab)
				now := eval[stop](tb, stopHere)
				if now.What == "" {
					break
				}
				if now.Fault != "" {
					t.Errorf("the focus on %s cannot be seen: %s", now.What, now.Fault)
				}
				if now.Part < 0 {
					t.Errorf("%s is in no part of the page", now.What)
				}
				if n := len(there); n > 0 {
					before := there[n-1]
					if now.Part < before.Part {
						t.Errorf("from %s the focus goes up to %s", before.What, now.What)
					}
					// Elements on one line may have different heights.
					if now.Part == before.Part && now.Top < before.Top-24 && now.Left <= before.Left {
						t.Errorf("from %s at %.0f the focus goes up to %s at %.0f", before.What, before.Top, now.What, now.Top)
					}
				}
				there = append(there, now)
			}
			if len(there) < 20 || len(there) == 300 {
				t.Fatalf("%d stops", len(there))
			}
			for range there {
				tb.do("shift+tab", shiftTab)
				now := eval[stop](tb, stopHere)
				if now.Fault != "" {
					t.Errorf("on the way back the focus on %s cannot be seen: %s", now.What, now.Fault)
				}
				back = append(back, now)
			}
			for i, s := range back {
				if want := there[len(there)-1-i]; s.What != want.What {
					t.Errorf("on the way back: got %s, want %s", s.What, want.What)
					break
				}
			}
		})
	}
}

// A reader can do everything without a mouse.
func TestReadingByKeyboard(t *testing.T) {
	t.Parallel()
	site := deep(t, func(s *server) {
		s.write(t, "content/pt/guia/placa/abas.md", "---\ntitle: Abas\nweight: 3\n---\n\n"+
			":::tab A\nprimeiro\n:::\n:::tab B\nsegundo\n:::\n\nTexto.\n\n:::tab A\num\n:::\n:::tab B\ndois\n:::\n:::tab C\ntrês\n:::\n\n```console\n$ ls\na\n```\n")
	})
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.copied = []; navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve() }`)
	tb.size(1440, 900)
	tb.visit("pt/guia/placa/abas/")
	tb.until("document.querySelector('.switch-tabs')")

	// Tabs: one stop for a group, arrows within it, round at the ends; groups stay in step.
	const panes = "[...document.querySelectorAll('.switch-tabs > .pane')].filter(p => p.checkVisibility()).map(p => p.innerText.trim()).join()"
	tb.tabTo(".switch-tabs > input")
	is(tb, panes, "primeiro,um")
	const last = "document.querySelector('.switch-tabs > label:nth-of-type(2)').getBoundingClientRect().x"
	at := eval[float64](tb, last)
	tb.press(kb.ArrowRight)
	tb.until(panes + " === 'segundo,dois'")
	is(tb, last, at) // the name of a chosen tab is not wider
	is(tb, "document.activeElement.value", "B")
	if got := eval[stop](tb, stopHere); got.Fault != "" {
		t.Errorf("the focus on %s cannot be seen: %s", got.What, got.Fault)
	}
	tb.press(kb.ArrowRight)
	tb.until(panes + " === 'primeiro,um'")
	tb.press(kb.ArrowLeft)
	tb.until(panes + " === 'segundo,dois'")
	tb.tabTo(".switch-tabs:nth-of-type(n) > input")
	tb.press(kb.ArrowRight)
	tb.until(panes + " === 'segundo,três'")

	// Copying keeps the focus, and is announced.
	tb.tabTo(".copy")
	tb.press(kb.Enter)
	tb.until("copied.join() === 'ls'")
	tb.until("document.activeElement.matches('.copy.copy-done') && document.activeElement.innerText.trim() === 'Copiado'")

	// The next page.
	tb.tabTo(".pager a")
	before := eval[string](tb, "document.activeElement.href")
	tb.press(kb.Enter)
	tb.until(fmt.Sprintf("location.href === %q && document.readyState === 'complete'", before))

	// A closed section is skipped, and can be opened again.
	tb.tabTo(".side .twig > summary")
	hidden := "document.activeElement.parentElement.nextElementSibling.checkVisibility()"
	is(tb, hidden, true)
	tb.press(" ")
	tb.until("!" + hidden)
	is(tb, "document.activeElement.matches('.twig > summary')", true)
	tb.press(kb.Enter)
	tb.until(hidden)

	// A picture opened over the page traps the focus, and returns it when it is closed.
	tb.visit(wideMost)
	tb.until("document.querySelectorAll('.zoom-button:not([hidden])').length === 2")
	tb.tabTo(".zoom-button")
	tb.press(kb.Enter)
	tb.until("document.querySelector('dialog.zoom')?.open")
	for range 6 {
		tb.press(kb.Tab)
		is(tb, "!document.hasFocus() || document.activeElement === document.body || !!document.activeElement.closest('dialog.zoom')", true)
	}
	tb.tabTo(".zoom-full")
	tb.press(" ")
	tb.until("document.querySelector('.zoom-full').ariaPressed === 'true'")
	tb.tabTo(".zoom-close")
	tb.press(kb.Enter)
	tb.until("!document.querySelector('dialog.zoom')")
	is(tb, "document.activeElement.className", "zoom-button")
}
