package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// underMark lists the heads of code that are partly below the mark of the panel or the button to copy.
const underMark = `[...document.querySelectorAll(".code > figcaption")].filter(head => {
	const boxes = list => [...list].flatMap(e => [...e.getClientRects()])
	const over = boxes(head.parentElement.querySelectorAll(":scope > .panel > summary > *, :scope > .panel-none > *, :scope > .copy > *"))
	return boxes(head.children).some(a => over.some(b =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3))
}).map(head => head.innerText).join("; ")`

// TestMarksLeaveRoom: the mark of a chosen machine covers no word either, nor that of a block without a result.
func TestMarksLeaveRoom(t *testing.T) {
	t.Parallel()
	tb := openTab(t, fleet(t).base)
	tb.onNewDocument(`localStorage.setItem("gpudocs-machine", "capivara")`)
	for _, width := range []int64{320, 360, 480} {
		tb.size(width, 900)
		for _, p := range []string{"pt/comecar/", "es/comecar/", "pt/gpu/", "es/cluster/"} {
			tb.visit(p)
			tb.until("document.readyState === 'complete' && document.documentElement.dataset.machine === 'capivara'")
			for _, language := range []string{"c", "text", "docker", "fortran", "javascript", "javascriptreact"} {
				eval[any](tb, fmt.Sprintf("document.querySelectorAll('.code-label').forEach(l => { l.textContent = %q })", language))
				is(tb, underMark, "")
			}
		}
	}
}

// sticksOut lists the elements that extend beyond either side of the window, whatever machine or tab is
// shown, unless they are within a box that scrolls or clips its content.
const sticksOut = `(() => {
	const width = document.documentElement.clientWidth
	const out = [...document.querySelectorAll("body *")].filter(e => {
		if (!e.checkVisibility({visibilityProperty: true}) || e.closest(".skip, .hidden, svg *")) return false
		const box = e.getBoundingClientRect()
		if (!box.width || (box.right <= width + 0.5 && box.left >= -0.5)) return false
		for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
			if (getComputedStyle(p).overflowX !== "visible") return false
		}
		return true
	}).map(e => e.tagName.toLowerCase() + "." + e.className + " " + e.textContent.trim().slice(0, 30))
	const whole = document.documentElement.scrollWidth
	return (whole > width ? ["the page is " + whole + "px wide"] : []).concat(out).join("; ")
})()`

// deep is a nested folder, with content that is wider than a phone.
func deep(t *testing.T, more ...func(s *server)) *server {
	return serve(t, nil, func(s *server) {
		for _, prepare := range more {
			prepare(s)
		}
		s.write(t, "content/pt/guia/index.md", "---\ntitle: Guia\nweight: 50\n---\n\nLeia.\n")
		s.write(t, "content/pt/guia/raso/fundo/tres.md", "---\ntitle: Três\nweight: 3\n---\n\n![](../../placa/larga.svg)\n")
		s.write(t, "content/pt/guia/placa/um.md", "---\ntitle: Um\nweight: 1\n---\n\n## Início\n\nTexto.\n\n"+
			strings.Repeat("Mais texto, para que a página role.\n\n", 40)+"### Meio\n\n"+strings.Repeat("Texto.\n\n", 40)+"## Fim\n\nAcabou.\n")
		s.write(t, "content/pt/guia/placa/dois.md", "---\ntitle: Uma página com um título de palavras compridíssimas, incomensurabilissimamente\nweight: 2\ntags: ["+strings.Repeat("incomensurável", 20)+"]\n---\n\n"+
			"![Uma curva](larga.svg \"A *curva* larga\")\n\n![Um ponto](ponto.svg)\n\n"+
			"```mermaid\nflowchart LR\n  a[Uma caixa bem larga] --> b[Outra caixa bem larga] --> c[Mais uma caixa larga] --> d[A última caixa]\n```\n\n"+
			"| a | b | c | d | e |\n|---|---|---|---|---|\n| "+strings.Repeat("incomensurável", 4)+" | 1234567890123 | 1234567890123 | 1234567890123 | 1234567890123 |\n\n"+
			"`"+strings.Repeat("uma_palavra_sem_fim_", 8)+"`\n\n$$ a = b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x + y + z $$\n\n"+
			"> - citação\n>\n>   ```text\n>   "+strings.Repeat("comprido ", 40)+"\n>   ```\n")
		s.write(t, "content/pt/guia/placa/larga.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="900" viewBox="0 0 2400 900"><path d="M0 900L2400 0" stroke="#357"/></svg>`)
		s.write(t, "content/pt/guia/placa/ponto.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><circle r="20" fill="#357"/></svg>`)
	})
}

const wideMost = "pt/guia/placa/dois/"

// nothingSticksOut checks that nothing is wider than the window at some widths, whatever is open.
func (tb *tab) nothingSticksOut(p string, widths ...int64) {
	tb.Helper()
	for _, state := range []string{"null", "document.querySelectorAll('main details:not(.fold)').forEach(d => { d.open = true })"} {
		eval[any](tb, state)
		for _, width := range widths {
			tb.size(width, 800)
			if got := eval[string](tb, sticksOut); got != "" {
				tb.Errorf("%s at %d (%s): %s", p, width, state, got)
			}
		}
	}
}

// Pages with wide content are opened at each width: the button over such content gets its position a
// moment after the window has changed its size. TestServedSiteIsValid checks all other pages.
func TestNothingSticksOut(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	for _, width := range []int64{360, 768, 1440} {
		for _, p := range []string{wideMost, "pt/guia/placa/um/"} {
			tb.size(width, 800)
			tb.visit(p)
			tb.nothingSticksOut(p, width)
		}
	}
}

// A section of the sidebar that was closed stays closed on other pages, but not on
// those that it holds.
func TestSidebarFolds(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	const own, only = `.side .twig`, `.side .twig:has(+ ul > li > :is(a[href$="placa/um/"], a[aria-current=page]))`
	shown := func(selector string) string {
		return fmt.Sprintf("document.querySelector(%q).checkVisibility()", selector)
	}
	tb.visit("pt/medir-tempo/")
	is(tb, shown(`.side a[href$="placa/um/"]`), true)
	tb.click(own + " > summary")
	tb.until("!document.querySelector('" + own + "').open")
	is(tb, shown(`.side a[href$="placa/um/"]`), false)
	tb.until("localStorage.getItem('gpudocs-folded') !== null")

	// It is closed from the first frame: closing it later would move the content.
	tb.onNewDocument(`window.shifted = 0
		new PerformanceObserver(l => l.getEntries().forEach(e => { shifted += e.value })).observe({type: "layout-shift", buffered: true})`)
	tb.visit("pt/assincrono/")
	is(tb, shown(`.side a[href$="placa/um/"]`), false)
	is(tb, "shifted", 0)
	is(tb, shown(".side a[href$='guia/']"), true) // the section's own page stays a link

	tb.visit("pt/guia/placa/um/")
	is(tb, shown(".side [aria-current=page]"), true)
	tb.click(only + " > summary")
	tb.until("!document.querySelector('" + only + "').open")
	is(tb, shown(".side [aria-current=page]"), false)
	tb.visit("pt/guia/")
	is(tb, "document.querySelector('"+own+"').open", true)
	is(tb, "document.querySelector('"+only+"').open", false)
	is(tb, shown(`.side a[href$="placa/um/"]`), false)

	// A folder whose first page is also that of a folder within it stays open.
	eval[any](tb, "localStorage.clear()")
	tb.visit("pt/medir-tempo/")
	folds := "[...document.querySelectorAll('.side .twig')].map(d => d.open ? 1 : 0).join('')"
	tb.click(`.side .twig:has(+ ul > li > a[href$="raso/fundo/tres/"]) > summary`)
	before := eval[string](tb, folds)
	tb.visit("pt/assincrono/")
	is(tb, folds, before)

	off := openTab(t, tb.base)
	off.withoutScripts()
	off.visit("pt/guia/")
	is(off, shown(`.side a[href$="placa/um/"]`), true)
	off.click(own + " > summary")
	off.until("!" + shown(`.side a[href$="placa/um/"]`))
}

// On a wide screen the bar is sticky, and does not cover the heading of the address.
func TestContentsFollow(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	tb.size(1440, 700)
	tb.visit("pt/guia/placa/um/")
	current := "[...document.querySelectorAll('.toc [aria-current]')].map(a => a.textContent).join()"
	is(tb, current, "")
	for _, c := range []struct {
		n    int
		name string
	}{{2, "Meio"}, {3, "Fim"}, {1, "Início"}} { // "Fim" cannot come to the window's top
		tb.click(fmt.Sprintf(".toc li:nth-child(%d) a", c.n))
		tb.until(current + " === '" + c.name + "'")
		is(tb, "document.querySelector(':target').getBoundingClientRect().top >= document.querySelector('.bar').getBoundingClientRect().bottom", true)
	}
	is(tb, "document.querySelector('.bar').getBoundingClientRect().top", 0.0)
	eval[any](tb, "scrollTo({top: 900, behavior: 'instant'})")
	is(tb, "document.querySelector('.bar').getBoundingClientRect().top", 0.0)
	is(tb, "document.querySelector('.toc').getBoundingClientRect().top >= 59", true)
}

// The link of a heading can be reached by keyboard, and is shown, followed and copied.
func TestHeadingAddress(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	tb.visit("pt/guia/placa/um/")
	link := "document.querySelector('#meio > .anchor-link')"
	is(tb, link+".ariaLabel", "Copiar o link desta seção")
	is(tb, "getComputedStyle("+link+").opacity", "0")
	eval[any](tb, `window.copied = []; gpudocs.copy = text => (copied.push(text), Promise.resolve())`)
	for range 80 {
		tb.press(kb.Tab)
		if eval[bool](tb, "document.activeElement === "+link) {
			break
		}
	}
	tb.until("getComputedStyle(" + link + ").opacity === '1'")
	if got := eval[focus](tb, focused); !got.Seen {
		t.Error("the focus cannot be seen on the address of a heading")
	}
	tb.press(kb.Enter)
	tb.until("location.hash === '#meio' && copied.join() === location.href")
	tb.until(link + ".textContent === 'Link copiado'")
	is(tb, "document.querySelector('#meio').firstChild.textContent", "Meio")
}

// The two sheets on a phone, by touch, by keyboard and without scripts.
func TestDock(t *testing.T) {
	t.Parallel()
	site := deep(t)
	const side, toc = "document.querySelector('.side').checkVisibility()", "document.querySelector('.toc').checkVisibility()"
	tb := openTab(t, site.base)
	tb.size(360, 740)
	tb.visit("pt/guia/placa/um/")
	is(tb, `[...document.querySelectorAll(".fold > summary")].map(s => s.getBoundingClientRect()).every(r => r.bottom === innerHeight && r.height >= 44)`, true)
	tb.click(".fold-menu > summary")
	tb.until(side)
	is(tb, "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('.side [aria-current]').getBoundingClientRect())", true)
	tb.picture("dock-pages", false)
	tb.click(".fold-toc > summary")
	tb.until(toc + " && !" + side)
	tb.press(kb.Escape)
	tb.until("!" + toc)
	is(tb, "document.activeElement === document.querySelector('.fold-toc > summary')", true)
	tb.press(kb.Enter)
	tb.until(toc)
	tb.press(kb.Tab)
	is(tb, "document.activeElement.closest('.toc') !== null", true)
	tb.press(kb.Tab)
	tb.press(kb.Enter)
	tb.until("location.hash === '#meio' && !" + toc)
	// The button shows the current section.
	tb.until("document.querySelector('.fold-toc > summary').innerText.trim() === 'Meio'")

	// The dock covers neither a focused element nor the footer.
	eval[any](tb, "scrollTo({top: 1e6, behavior: 'instant'})")
	is(tb, "document.querySelector('.foot').getBoundingClientRect().bottom <= document.querySelector('.fold-menu > summary').getBoundingClientRect().top + 0.5", true)

	off := openTab(t, site.base)
	off.withoutScripts()
	off.size(360, 740)
	off.visit("pt/guia/placa/um/")
	off.click(".fold-menu > summary")
	off.until(side)
	is(off, "document.elementFromPoint(180, 40) === document.querySelector('.fold-menu > summary')", true) // a press beside closes
	off.click(".fold-toc > summary")
	off.until(toc + " && !" + side)
}

// Content that is too wide for its column opens over the page, and nothing moves.
func TestZoom(t *testing.T) {
	t.Parallel()
	site := deep(t)
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.shifted = 0
		new PerformanceObserver(l => l.getEntries().forEach(e => { shifted += e.value })).observe({type: "layout-shift", buffered: true})`)
	tb.size(1440, 900)
	tb.visit(wideMost)
	tb.until("document.querySelectorAll('.zoom-button:not([hidden])').length === 2") // not that of the small picture
	is(tb, "shifted", 0)
	// From right to left it stands at the other side, where the caption leaves it room.
	eval[any](tb, "document.documentElement.dir = 'rtl', dispatchEvent(new Event('resize'))")
	tb.until("(b => b.getBoundingClientRect().left - b.parentElement.getBoundingClientRect().left < 60)(document.querySelector('.diagram .zoom-button'))")
	eval[any](tb, "document.documentElement.removeAttribute('dir'), dispatchEvent(new Event('resize'))")
	const dialog = "document.querySelector('dialog.zoom')"

	eval[any](tb, "document.querySelector('.figure .zoom-button:not([hidden])').focus()")
	tb.press(kb.Enter)
	tb.until(dialog + "?.open")
	is(tb, dialog+".ariaLabel", "Uma curva")
	is(tb, dialog+".querySelector('.zoom-caption').textContent.includes('A curva larga')", true)
	is(tb, "document.activeElement.className", "zoom-close")
	is(tb, dialog+".querySelector('img').clientWidth > 1200", true)
	is(tb, dialog+".querySelector('.zoom-stage').scrollWidth <= "+dialog+".querySelector('.zoom-stage').clientWidth", true)
	tb.picture("zoom", false)
	tb.click(".zoom-full")
	tb.until(dialog + ".querySelector('img').clientWidth === 2400")
	is(tb, dialog+".querySelector('.zoom-full').ariaPressed", "true")
	tb.press(kb.Escape)
	tb.until("!" + dialog)
	is(tb, "document.activeElement.className", "zoom-button")

	tb.click(".figure img.zooms")
	tb.until(dialog + "?.open")
	tb.click(".zoom-close")
	tb.until("!" + dialog)

	// A drawing: the targets of its references still exist, and every id is unique.
	tb.click(".diagram .zoom-button")
	tb.until(dialog + "?.open")
	is(tb, dialog+".querySelector('svg').checkVisibility()", true)
	is(tb, "(ids => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(n => n.id))", 0)
	tb.press(kb.Escape)
	tb.until("!" + dialog)

	// The dialog has an accessible name, even if the picture has none.
	tb.visit("pt/guia/raso/fundo/tres/")
	tb.until("document.querySelector('img.zooms')")
	tb.click("img.zooms")
	tb.until(dialog + "?.open")
	is(tb, dialog+".ariaLabel", "Imagem ampliada")
	tb.press(kb.Escape)
	tb.until("!" + dialog)

	off := openTab(t, site.base)
	off.withoutScripts()
	off.visit(wideMost)
	is(off, "document.querySelectorAll('.zoom-button, .zooms').length", 0)
}

// TestStatusInNavigation: the results of all machines are one click away from each page, without scrolling.
func TestStatusInNavigation(t *testing.T) {
	t.Parallel()
	tb := openTab(t, fleet(t).base)
	const link = "document.querySelector('.side-status a')"
	for _, c := range []struct {
		lang, text string
		width      int64
	}{{"pt", "Situação", 1280}, {"es", "Estado", 360}} {
		tb.size(c.width, 500)
		tb.visit(c.lang + "/gpu/")
		if c.width < 960 {
			tb.click(".fold-menu > summary")
		}
		is(tb, link+".textContent", c.text)
		is(tb, "(r => "+link+".contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)))("+link+".getBoundingClientRect())", true)
		tb.click(".side-status a")
		tb.at(c.lang + "/_status/")
		is(tb, link+".ariaCurrent", "page")
		for _, at := range []string{"_changes", "_measured"} {
			tb.visit(c.lang + "/gpu/")
			if c.width < 960 {
				tb.click(".fold-menu > summary")
			}
			tb.click(".side-status a[href$='#" + at + "']")
			tb.at(c.lang + "/_status/#" + at)
			is(tb, "!!document.getElementById('"+at+"')", true)
		}
	}
}

// TestWheel: the wheel moves the page also over the lists beside it.
func TestWheel(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	tb.size(1440, 1000)
	for _, part := range []string{".side", ".toc"} {
		tb.visit("pt/guia/placa/um/")
		at := eval[[]float64](tb, fmt.Sprintf("(r => [r.x + r.width / 2, r.y + 40])(document.querySelector(%q).getBoundingClientRect())", part))
		call(tb, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at[0], Y: at[1], DeltaX: 0.1, DeltaY: 300})
		tb.until("scrollY > 100")
	}
}

// TestContentsAtTheEnd: the contents mark the section that is on the screen also where the page ends.
func TestContentsAtTheEnd(t *testing.T) {
	t.Parallel()
	tb := openTab(t, deep(t).base)
	tb.size(1440, 900)
	tb.visit("pt/guia/placa/um/")
	const marked = "document.querySelector('.toc [aria-current]')?.textContent"
	eval[any](tb, "scrollTo({top: 300, behavior: 'instant'})")
	tb.until(marked + " === 'Início'")
	eval[any](tb, "scrollTo({top: 1e6, behavior: 'instant'})")
	tb.until(marked + " === 'Fim'")
}
