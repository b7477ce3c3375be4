package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// results are what search shows: pages with ">", sections with "-".
const results = `[...document.querySelectorAll(".search [role=option]")].map(a =>
	(a.classList.contains("search-page") ? "> " : "- ") + a.querySelector(".search-title").textContent)`

// chosenTitle is what Enter would open.
const chosenTitle = `document.getElementById(document.querySelector(".search input").getAttribute("aria-activedescendant"))?.querySelector(".search-title").textContent`

const said = `document.querySelector(".search-say").textContent`

// searches types a query into search, and waits until something is found.
func (tb *tab) searches(query string) []string {
	tb.Helper()
	tb.press(query)
	tb.until("document.querySelector('.search input').value.endsWith(" + fmt.Sprintf("%q", query) + ")")
	tb.until(results + ".length > 0")
	return eval[[]string](tb, results)
}

// slash presses "/" as a keyboard does: press sends the letter even where a page prevents it.
func (tb *tab) slash() {
	tb.Helper()
	call(tb, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/", WindowsVirtualKeyCode: 191})
	call(tb, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: "/", Code: "Slash", WindowsVirtualKeyCode: 191})
}

func TestSearchByKeyboard(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/assincrono/")
	for _, a := range tb.asked() {
		if strings.Contains(a, "search") {
			t.Errorf("before search is opened the page asks for %s", a)
		}
	}
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open && document.activeElement.matches('.search input')")
	is(tb, "document.querySelector('.search input').value", "")
	tb.until(said + " !== ''")

	got := tb.searches("medicao")
	if len(got) == 0 || !strings.HasPrefix(got[0], "> ") {
		t.Fatalf("medicao finds %q", got)
	}
	tb.until(chosenTitle + " !== undefined")
	is(tb, "document.querySelector('.search input').getAttribute('aria-expanded')", "true")
	is(tb, "document.querySelectorAll('.search [aria-selected=true]').length", 1)
	tb.until(said + ".includes('página')")
	is(tb, "document.querySelectorAll('.search-list mark').length > 0", true)

	// The arrows go through all, round and round; the text keeps the focus.
	count := eval[int](tb, results+".length")
	for range count {
		tb.press(kb.ArrowDown)
		is(tb, "document.activeElement.matches('.search input')", true)
	}
	if eval[bool](tb, "document.querySelector('.search-more').hidden") {
		is(tb, chosenTitle, strings.TrimPrefix(got[0], "> "))
	}
	tb.press(kb.End)
	is(tb, "document.querySelector('.search-list').lastElementChild.lastElementChild.getAttribute('aria-selected')", "true")
	tb.press(kb.Home)
	is(tb, "document.querySelector('.search [role=option]').getAttribute('aria-selected')", "true")
	tb.press(kb.ArrowUp)
	is(tb, "document.querySelector('.search-list').lastElementChild.lastElementChild.getAttribute('aria-selected')", "true")

	// Escape closes, and the focus is where it was.
	tb.press(kb.Escape)
	tb.until("!document.querySelector('dialog.search').open")
	is(tb, "document.activeElement.matches('.search input')", false)
	tb.do("press Ctrl-K", chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	tb.until("document.querySelector('dialog.search').open")
	is(tb, "document.querySelector('.search input').value", "medicao")
}

func TestSearchLeadsToTheHeadingAndBack(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("es/assincrono/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	tb.searches("calentamiento")
	tb.until(chosenTitle + " !== undefined")
	tb.press(kb.ArrowDown)
	want := eval[string](tb, "document.querySelector('.search [aria-selected=true]').href")
	if !strings.Contains(want, "es/medir-tempo/#") {
		t.Fatalf("the second result of calentamiento is %s", want)
	}
	tb.press(kb.Enter)
	tb.until(fmt.Sprintf("location.href === %q && document.readyState === 'complete'", want))
	is(tb, "document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null", true)
	is(tb, "document.querySelector('dialog.search[open]')", any(nil))

	eval[any](tb, "history.back()")
	tb.at("es/assincrono/")
	tb.until("document.querySelector('dialog.search')?.open && document.querySelector('.search input').value === 'calentamiento'")
	tb.until(results + ".length > 1")
	tb.press(kb.Escape)
	tb.until("!document.querySelector('dialog.search').open && history.state.search === undefined")
}

func TestSearchWithoutAServer(t *testing.T) {
	t.Parallel()
	built(t)
	tb := openTab(t, "file://"+builtDir()+"/")
	for language, query := range map[string]string{"pt": "relogio", "es": "reloj"} {
		tb.visit(language + "/index.html")
		tb.click(".search-open")
		tb.until("document.querySelector('dialog.search')?.open")
		if got := tb.searches(query); len(got) == 0 {
			t.Errorf("%s finds nothing", query)
		}
	}
}

func TestSearchFindsNothing(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	tb.press("zzyzxqqk")
	tb.until(said + ".includes('zzyzxqqk')")
	is(tb, "document.querySelector('.search-help').hidden", false)
	is(tb, "document.querySelector('.search input').getAttribute('aria-expanded')", "false")

	// What is typed never becomes markup, and nothing of it is a pattern.
	for _, hostile := range []string{`<img src=x onerror=alert(1)>`, `.*+?^${}()|[]\`, strings.Repeat("ção ", 50000)} {
		eval[any](tb, fmt.Sprintf(`(() => {
			const input = document.querySelector(".search input")
			input.value = %q
			input.dispatchEvent(new Event("input"))
		})()`, hostile))
		tb.until(said + " !== document.querySelector('.search-say').getAttribute('data-wait')")
		is(tb, "document.querySelectorAll('.search img').length", 0)
	}
}

// An edit is found at once in serve.
func TestSearchInServe(t *testing.T) {
	t.Parallel()
	site := serve(t, nil, nil)
	tb := openTab(t, site.base)
	tb.visit("pt/medir-tempo/")
	site.write(t, timing, site.read(t, timing)+"\n## Quarkônio\n\nPalavra nova.\n")
	tb.until("document.querySelector('article').innerText.includes('Quarkônio')")
	tb.until("document.readyState === 'complete'")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	got := tb.searches("quarkonio")
	if len(got) != 2 || got[1] != "- Quarkônio" {
		t.Errorf("quarkonio finds %q", got)
	}
}

func TestSearchOnAPhone(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.size(360, 740)
	tb.visit("pt/")
	tb.click(".search-open")
	tb.until("document.querySelector('dialog.search')?.open")
	tb.searches("gpu")
	is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
	is(tb, "(b => b.left === 0 && b.width === innerWidth && b.height === innerHeight)(document.querySelector('.search').getBoundingClientRect())", true)
	small := eval[[]string](tb, `[...document.querySelectorAll(".search button, .search [role=option]")]
		.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.className)`)
	if len(small) > 0 {
		t.Errorf("too small for a finger: %q", small)
	}
	tb.click(".search-close")
	tb.until("!document.querySelector('dialog.search').open")
	is(tb, "document.activeElement.matches('.search-open')", true)
}

// TestSearchLooks makes pictures of search to look at, and holds the contrast of what it shows.
func TestSearchLooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scheme string
		width  int64
		page   string
		query  string
	}{
		{"light", 1440, "pt/medir-tempo/", "medir tempo"}, {"dark", 1440, "es/medir-tempo/", "torch.cuda"},
		{"light", 768, "es/", "sincronizar"}, {"dark", 360, "pt/", "gpu"}, {"light", 360, "es/", "nadaquever"},
	} {
		t.Run(fmt.Sprint(c.scheme, c.width), func(t *testing.T) {
			tb := openTab(t, shared(t).base)
			tb.scheme(c.scheme)
			tb.size(c.width, 900)
			tb.visit(c.page)
			tb.picture(fmt.Sprintf("search-closed-%s-%d", c.scheme, c.width), false)
			tb.click(".search-open")
			tb.until("document.querySelector('dialog.search')?.open")
			tb.press(c.query)
			tb.until(said + " !== '' && " + said + " !== document.querySelector('.search-say').getAttribute('data-start')")
			tb.until("document.querySelector('.search [aria-selected=true]') || !document.querySelector('.search-help').hidden")
			tb.picture(fmt.Sprintf("search-%s-%d", c.scheme, c.width), false)
			if low := eval[[]string](tb, contrast); len(low) > 0 {
				t.Errorf("too little contrast: %q", low)
			}
		})
	}
}
