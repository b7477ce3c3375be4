package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// timing is a long page.
const timing = "content/pt/medir-tempo.md"

func TestEditReloads(t *testing.T) {
	t.Parallel()
	site := serve(t, nil, nil)
	tb := openTab(t, site.base)
	tb.visit("pt/medir-tempo/")
	tb.at("pt/medir-tempo/")
	is(tb, "document.documentElement.scrollHeight > 3 * innerHeight", true)
	eval[any](tb, "scrollTo({top: 1500, behavior: 'instant'})")
	tb.until("Math.abs(scrollY - 1500) < 5")
	before := len(tb.requested())

	token := fmt.Sprint("marca-", time.Now().UnixNano())
	site.write(t, timing, site.read(t, timing)+"\n"+token+"\n")
	tb.until("document.querySelector('article').innerText.includes('" + token + "')")
	tb.until("document.readyState === 'complete' && Math.abs(scrollY - 1500) < 60")
	is(tb, "location.href", site.base+"pt/medir-tempo/")

	pages := 0
	for _, a := range tb.requested()[before:] {
		if a == site.base+"pt/medir-tempo/" {
			pages++
		}
	}
	if pages != 1 {
		t.Errorf("the page was loaded %d times after one edit, want once", pages)
	}

	// The next edit counts too, and so does a new page in the sidebar.
	site.write(t, "content/pt/nova.md", "---\ntitle: Página nova\n---\n\nTexto.\n")
	tb.until("[...document.querySelectorAll('.side a')].some(a => a.textContent === 'Página nova')")
}

func TestBrokenEditShowsTheOverlay(t *testing.T) {
	t.Parallel()
	site := serve(t, nil, nil)
	tb := openTab(t, site.base)
	tb.visit("pt/medir-tempo/")
	tb.at("pt/medir-tempo/")
	is(tb, "document.querySelector('#gpudocs-overlay')", any(nil))

	const good = "```pycon {run name=perf-counter session=medida}"
	bad := strings.Replace(good, "}", " tiemout=3s}", 1)
	line := site.edit(t, timing, good, bad)
	const overlay = "document.querySelector('#gpudocs-overlay')"
	tb.until(overlay + "?.open")
	for _, want := range []string{
		fmt.Sprintf("%s:%d:", timing, line), // where
		bad,                                 // the line itself
		"tiemout",                           // what is wrong
		"timeout",                           // the suggestion
		"1 erro",                            // in the page's language
		"Dica: ",
		"Fechar",
	} {
		is(tb, fmt.Sprintf("%s.innerText.includes(%q)", overlay, want), true)
	}
	is(tb, overlay+".querySelector('mark').textContent.includes('tiemout')", true)
	tb.picture("overlay", false)
	is(tb, overlay+".matches(':modal') && "+overlay+".checkVisibility()", true)
	is(tb, overlay+".contains(document.activeElement)", true)
	// The last good build stays below.
	is(tb, "document.querySelector('h1').textContent", "Medir tempo sem se enganar")

	tb.press(kb.Escape)
	tb.until("!" + overlay + "?.open")
	is(tb, "document.querySelector('#gpudocs-badge').checkVisibility()", true)
	tb.click("#gpudocs-badge")
	tb.until(overlay + "?.open")

	// A reader who opens the page now sees it too, with the styles it needs.
	tb.visit("es/")
	tb.until(overlay + "?.open")
	tb.until("getComputedStyle(" + overlay + ").backgroundColor !== 'rgba(0, 0, 0, 0)' && " + overlay + ".getBoundingClientRect().width > 300")
	tb.visit("pt/medir-tempo/")
	tb.until(overlay + "?.open")

	site.edit(t, timing, bad, good)
	token := fmt.Sprint("marca-", time.Now().UnixNano())
	site.write(t, timing, site.read(t, timing)+"\n"+token+"\n")
	tb.until("document.querySelector('article').innerText.includes('" + token + "') && !" + overlay + "?.open && !document.querySelector('#gpudocs-badge.error')") // the other language lags behind, a warning
}

// A tab that opened a page that does not exist yet shows it as soon as it exists.
func TestMissingPageComes(t *testing.T) {
	t.Parallel()
	site := serve(t, nil, nil)
	tb := openTab(t, site.base)
	tb.expect("404")
	tb.visit("es/pronto/")
	is(tb, "document.querySelector('h1').textContent", "Página no encontrada")
	site.write(t, "content/es/pronto.md", "---\ntitle: Pronto\n---\n\nYa está.\n")
	tb.until("document.querySelector('article')?.innerText.includes('Ya está.')")
	is(tb, "document.title", "Pronto – gpudocs")
}
