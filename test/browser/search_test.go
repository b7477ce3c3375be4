package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// results lists the results that search shows: pages with ">", sections with "-".
const results = `[...document.querySelectorAll(".search [role=option]")].map(a =>
	(a.classList.contains("search-page") ? "> " : "- ") + a.querySelector(".search-title").textContent)`

// chosenTitle is the title of the result that Enter would open.
const chosenTitle = `document.getElementById(document.querySelector(".search input").getAttribute("aria-activedescendant"))?.querySelector(".search-title").textContent`

const announced = `document.querySelector(".search-say").textContent`

// searches enters a query and waits for results. It is entered at once, as if pasted: the results of half
// a word would be replaced while a test reads them.
func (tb *tab) searches(query string) []string {
	tb.Helper()
	call(tb, input.InsertText, input.InsertTextParams{Text: query})
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
	for _, a := range tb.requested() {
		if strings.Contains(a, "search") {
			t.Errorf("request for %s before search is opened", a)
		}
	}
	eval[any](tb, "document.querySelector('.pick')?.focus()") // "/" opens search from a menu too
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open && document.activeElement.matches('.search input')")
	is(tb, "document.querySelector('.search input').value", "")
	tb.until(announced + " !== ''")

	got := tb.searches("medicao")
	if len(got) == 0 || !strings.HasPrefix(got[0], "> ") {
		t.Fatalf("medicao finds %q", got)
	}
	tb.until(chosenTitle + " !== undefined")
	is(tb, "document.querySelector('.search input').getAttribute('aria-expanded')", "true")
	is(tb, "document.querySelectorAll('.search [aria-selected=true]').length", 1)
	tb.until(announced + ".includes('página')")
	is(tb, "document.querySelectorAll('.search-list mark').length > 0", true)

	tb.until("document.querySelectorAll('.search-group').length === parseInt(" + announced + ".match(/\\d+/))") // the last of them come later
	first := eval[string](tb, chosenTitle)
	// The arrow keys go through all results and wrap around; the input keeps the focus.
	count := eval[int](tb, results+".length")
	for range count {
		tb.press(kb.ArrowDown)
		is(tb, "document.activeElement.matches('.search input')", true)
	}
	if eval[bool](tb, "document.querySelector('.search-more').hidden") {
		is(tb, chosenTitle, first)
	}
	tb.press(kb.End)
	is(tb, "document.querySelector('.search-list').lastElementChild.lastElementChild.getAttribute('aria-selected')", "true")
	tb.press(kb.Home)
	is(tb, "document.querySelector('.search [role=option]').getAttribute('aria-selected')", "true")
	tb.press(kb.ArrowUp)
	is(tb, "document.querySelector('.search-list').lastElementChild.lastElementChild.getAttribute('aria-selected')", "true")

	// Escape closes the dialog, and the focus returns.
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
	want := eval[string](tb, "document.querySelector('.search [aria-selected=true]').href")
	if !strings.Contains(want, "es/medir-tempo/#") {
		t.Fatalf("Enter opens %s for calentamiento", want)
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
	tb.until(announced + ".includes('zzyzxqqk')")
	is(tb, "document.querySelector('.search-help').hidden", false)
	is(tb, "document.querySelector('.search input').getAttribute('aria-expanded')", "false")

	// A query never becomes markup or a pattern.
	for _, hostile := range []string{`<img src=x onerror=alert(1)>`, `.*+?^${}()|[]\`, strings.Repeat("ção ", 50000)} {
		eval[any](tb, fmt.Sprintf(`(() => {
			const input = document.querySelector(".search input")
			input.value = %q
			input.dispatchEvent(new Event("input"))
		})()`, hostile))
		tb.until(announced + " !== document.querySelector('.search-say').getAttribute('data-wait')")
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

// A tab that has searched before an edit of any page finds the new text too, and still has the query.
func TestSearchInServeAgain(t *testing.T) {
	t.Parallel()
	site := serve(t, nil, nil)
	tb := openTab(t, site.base)
	tb.visit("pt/assincrono/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	tb.press("quarkonio")
	tb.until(announced + ".includes('quarkonio')")
	tb.press(kb.Escape)
	tb.until("!document.querySelector('dialog.search').open")
	eval[any](tb, "window.same = true, document.addEventListener('gpudocs:built', () => { window.again = true })")
	site.write(t, timing, site.read(t, timing)+"\n## Quarkônio\n\nPalavra nova.\n")
	tb.until("window.again")
	tb.slash()
	tb.until(results + ".length === 2")
	is(tb, "document.querySelectorAll('dialog.search').length", 1)
	is(tb, "document.querySelector('.search input').value", "quarkonio")

	// An edit does not close an open dialog.
	tb.press("botomonio")
	tb.until(announced + ".includes('botomonio')")
	site.write(t, timing, site.read(t, timing)+"\n## Botomônio\n\nOutra.\n")
	tb.until(results + ".length === 2")
	is(tb, "document.querySelectorAll('dialog.search').length", 1)
	is(tb, "document.activeElement.matches('.search input')", true)
	is(tb, "document.querySelector('.search input').value", "botomonio")
	is(tb, "window.same", true)
}

// A site of build --offline can be searched in its folder: results lead to the heading, and their
// addresses name files, also if they are opened in another tab.
func TestSearchOffline(t *testing.T) {
	t.Parallel()
	site := shared(t)
	dir := filepath.Join(t.TempDir(), "com espaço #1")
	site.gpudocs(t, "build", "--offline", "--output", dir)
	tb := openTab(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}).String())
	for _, c := range []struct{ page, query, path string }{
		{"pt/assincrono/index.html", "aquecimento", "/pt/medir-tempo/index.html"}, {"es/index.html", "reloj", "/es/medir-tempo/index.html"},
	} {
		tb.visit(c.page)
		tb.slash()
		tb.until("document.querySelector('dialog.search')?.open")
		tb.searches(c.query)
		tb.until(chosenTitle + " !== undefined")
		folders := eval[[]string](tb, `[...document.querySelectorAll(".search [role=option]")].map(a => a.href).filter(h => !/\.html(#.+)?$/.test(h))`)
		if len(folders) > 0 {
			t.Errorf("%s: %q lead to no file", c.query, folders)
		}
		want := eval[string](tb, "document.querySelector('.search [aria-selected=true]').href")
		if u, err := url.Parse(want); err != nil || !strings.HasSuffix(u.Path, c.path) || u.Fragment == "" {
			t.Fatalf("Enter opens %s for %s", want, c.query)
		}
		tb.press(kb.Enter)
		tb.until(fmt.Sprintf("location.href === %q && document.readyState === 'complete'", want))
		is(tb, "document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null", true)
	}
}

// Texts of pages are escaped in every part of a result, and a file name with special characters links to
// its page.
func TestSearchKeepsMarkupText(t *testing.T) {
	t.Parallel()
	const hostile = `<img src=x onerror="window.broken=1"> & </script> $& \1 🚀 שלום`
	site := serve(t, nil, func(s *server) {
		s.write(t, "content/pt/estranho 100% #1.md", "---\ntitle: 'Glürb "+strings.Repeat("muitoLonga", 12)+" "+hostile+"'\n---\n\nUm glürb e `"+hostile+"`.\n\n## Glu\u0308rb `"+hostile+"` {#um-\"dois}\n\n```text\nglürb "+hostile+"\n```\n")
	})
	tb := openTab(t, site.base)
	tb.size(360, 740)
	tb.visit("pt/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	tb.searches("glurb <img")
	tb.until("(l => l.scrollWidth <= l.clientWidth)(document.querySelector('.search-list'))")
	tb.until(chosenTitle + " !== undefined")
	is(tb, "window.broken", any(nil))
	is(tb, "document.querySelectorAll('.search-list :not(div, a, span, code, mark)').length", 0)
	is(tb, "document.querySelectorAll('.search-list mark').length > 3", true)
	for _, part := range []string{".search-page .search-title", ".search-page .search-text", ".search-section .search-title", ".search-section .search-text"} {
		if got := eval[string](tb, "document.querySelector('"+part+"').textContent"); !strings.Contains(got, hostile) {
			t.Errorf("%s: %q", part, got)
		}
	}
	tb.click(".search-section")
	tb.until("document.querySelector('h1').textContent.includes('Glürb') && document.readyState === 'complete'")
	is(tb, "document.getElementById(decodeURIComponent(location.hash.slice(1)))?.localName", "h2")
}

// The dialog is a combobox with a listbox, as WAI-ARIA's authoring practices describe it.
func TestSearchIsACombobox(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open")
	tb.searches("gpu")
	tb.until(chosenTitle + " !== undefined")
	if odd := eval[[]string](tb, `(() => {
		const odd = [], input = document.querySelector(".search input"), list = document.querySelector(".search-list")
		const want = (what, is) => is || odd.push(what)
		want("modal", document.querySelector("dialog.search").matches(":modal"))
		want("dialog's name", document.querySelector("dialog.search").getAttribute("aria-label"))
		want("combobox", input.getAttribute("role") === "combobox" && input.getAttribute("aria-autocomplete") === "list")
		want("controls", document.getElementById(input.getAttribute("aria-controls")) === list && list.getAttribute("role") === "listbox" && list.getAttribute("aria-label"))
		want("expanded", input.getAttribute("aria-expanded") === "true")
		for (const group of list.children) {
			want("group", group.getAttribute("role") === "group" && group.getAttribute("aria-label"))
			for (const option of group.children) want("option", option.getAttribute("role") === "option" && option.hasAttribute("aria-selected") && option.tabIndex === -1)
		}
		const ids = [...list.querySelectorAll("[role=option]")].map(o => o.id)
		want("ids", ids.every(id => id) && new Set(ids).size === ids.length)
		want("active", ids.includes(input.getAttribute("aria-activedescendant")))
		want("status", document.querySelector(".search-say[role=status]").textContent)
		return odd
	})()`); len(odd) > 0 {
		t.Errorf("violations of the combobox pattern: %q", odd)
	}
	// Deleting the query removes all options.
	eval[any](tb, "document.querySelector('.search input').select()")
	tb.press(kb.Backspace)
	tb.until("document.querySelector('.search input').getAttribute('aria-expanded') === 'false' && !document.querySelector('.search [role=option]')")
	is(tb, "document.querySelector('.search input').hasAttribute('aria-activedescendant')", false)
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

// TestSearchLooks takes screenshots of search, and checks the contrast of its texts.
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
			tb.until(announced + " !== '' && " + announced + " !== document.querySelector('.search-say').getAttribute('data-start')")
			tb.until("document.querySelector('.search [aria-selected=true]') || !document.querySelector('.search-help').hidden")
			tb.picture(fmt.Sprintf("search-%s-%d", c.scheme, c.width), false)
			if low := eval[[]string](tb, contrast); len(low) > 0 {
				t.Errorf("too little contrast: %q", low)
			}
		})
	}
}

// A result in a closed tab or fold is opened; if the section already shows the word, nothing is opened.
func TestSearchOpensWhatHides(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", "# Início\n\nNada.\n")
		s.write(t, "content/pt/outra.md", "# Outra\n\nTexto.\n\n## Abas\n\n:::tab Um\nPrimeiro.\n:::\n:::tab Dois\nUm quarkônio pesado.\n:::\n\n## Dobra\n\n:::details Mais\nUma partícula bariônica, e leptônica.\n:::\n\nLeptônica.\n")
	})
	tb := openTab(t, site.base)
	follow := func(query string) {
		tb.slash()
		tb.until("document.querySelector('dialog.search')?.open")
		eval[any](tb, "document.querySelector('.search input').value = ''")
		tb.searches(query)
		tb.until(chosenTitle + " !== undefined")
		tb.press(kb.Enter)
		tb.until("location.hash !== '' && document.readyState === 'complete' && !document.querySelector('dialog.search[open]')")
	}
	const second, fold = `document.querySelectorAll(".switch-tabs > input")[1].checked`, `document.querySelector("article details").open`
	tb.visit("pt/")
	follow("quarkonio")
	tb.until(second)
	is(tb, fold, false)
	tb.visit("pt/")
	follow("leptonica")
	is(tb, fold, false)
	follow("barionica") // on the same page
	tb.until(fold)
	is(tb, "sessionStorage.getItem('gpudocs-found')", any(nil))
}

// If a server sends one part of a file and not the next, as one behind a cache may, search loads the whole file.
func TestSearchWhenPartsEnd(t *testing.T) {
	t.Parallel()
	site := fleet(t)
	var parts atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" && parts.Add(1) > 1 {
			w.Header().Set("Cache-Control", "no-store")
			return // with no part
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	tb := openTab(t, s.URL+"/")
	tb.visit("pt/")
	tb.slash()
	tb.until("document.querySelector('dialog.search')?.open && document.activeElement.matches('.search input')")
	if got := tb.searches("bfloat16"); len(got) == 0 || parts.Load() < 2 {
		t.Errorf("%q after %d parts", got, parts.Load())
	}
}
