package browser

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestRootRedirectsByLanguage(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	for _, c := range []struct{ accept, want string }{
		{"es", "es/"},
		{"es-AR,pt", "es/"},
		{"pt-BR", "pt/"},
		{"en-US,en", "pt/"}, // the default: the site has no English
		{"en,es", "es/"},
	} {
		tb.languages(c.accept)
		is(tb, "navigator.languages.join()", c.accept)
		tb.visit("")
		tb.at(c.want)
		is(tb, "document.documentElement.lang", strings.TrimSuffix(c.want, "/"))
	}
}

// A language chosen in the switcher overrides the browser's.
func TestRootRemembersTheLanguage(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.languages("pt-BR")
	tb.visit("")
	tb.at("pt/")
	tb.click(".langs > summary")
	tb.click(".langs a[hreflang=es]")
	tb.at("es/")
	tb.visit("")
	tb.at("es/")
}

func TestRootWithoutScripts(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.withoutScripts()
	tb.languages("es")
	tb.visit("")
	tb.at("")
	got := eval[[]string](tb, `[...document.querySelectorAll("main a")].filter(a => a.checkVisibility())
		.map(a => [a.lang, a.hreflang, a.textContent.trim(), a.getAttribute("href")].join(" "))`)
	if want := []string{"pt pt Português pt/", "es es Español es/"}; !slices.Equal(got, want) {
		t.Errorf("links of the root page: %q, want %q", got, want)
	}
	tb.click("main a[hreflang=es]")
	tb.at("es/")
	is(tb, "document.documentElement.lang", "es")
}

// The requirements of a reader's first page. Every tab checks that no error is logged, the policy is not
// violated and no other host gets a request.
func TestPageOpens(t *testing.T) {
	t.Parallel()
	site := shared(t)
	tb := openTab(t, site.base)
	tb.onNewDocument(`window.violations = [];
		document.addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective + " " + e.blockedURI))`)
	tb.visit("pt/medir-tempo/")
	tb.at("pt/medir-tempo/")
	is(tb, "document.title", "Medir tempo sem se enganar – gpudocs")
	is(tb, "document.querySelector('h1').textContent", "Medir tempo sem se enganar")
	is(tb, "document.documentElement.lang", "pt")
	is(tb, "document.compatMode", "CSS1Compat")
	is(tb, "document.characterSet", "UTF-8")
	is(tb, "violations.join()", "")

	policy := eval[string](tb, "fetch(location.href).then(r => r.headers.get('Content-Security-Policy'))", awaiting)
	if !strings.Contains(policy, "default-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("Content-Security-Policy: %q", policy)
	}
	for _, needed := range []string{"_theme/*/style.css", "_theme/*/chroma.css", "_theme/*/theme.js", "_theme/*/theme-early.js", "_gpudocs/live.js"} {
		if !slices.ContainsFunc(tb.requested(), func(a string) bool {
			name, _, _ := strings.Cut(strings.TrimPrefix(a, site.base), "?")
			ok, _ := path.Match(needed, name)
			return ok
		}) {
			t.Errorf("the page did not load %s", needed)
		}
	}
	// The theme's styles apply: the code is in colours, the sidebar stands beside the text.
	is(tb, `new Set([...document.querySelectorAll(".chroma span")].map(s => getComputedStyle(s).color)).size > 2`, true)
	is(tb, `document.querySelector(".side").getBoundingClientRect().right <= document.querySelector("article").getBoundingClientRect().left`, true)
}

// The policy is enforced, and the tabs of these tests notice violations.
func TestPolicyForbids(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.expect("Content Security Policy")
	tb.expect("https://elsewhere.example/picture.png")
	tb.visit("pt/")
	eval[any](tb, `(() => {
		const inline = document.createElement("script")
		inline.textContent = "window.ran = true"
		document.body.append(inline)
	})()`)
	is(tb, "window.ran === undefined", true)
	is(tb, "fetch('https://elsewhere.example/').then(() => 'answered', () => 'refused')", "refused", awaiting)
	// Pictures may come from other hosts, but these pages show none.
	is(tb, `new Promise(done => {
		const picture = new Image()
		picture.onload = picture.onerror = e => done(e.type)
		picture.src = "https://elsewhere.example/picture.png"
	})`, "error", awaiting)
}

func TestLanguageSwitcherKeepsThePage(t *testing.T) {
	t.Parallel()
	const address = "https://tutoriais.example/docs/"
	site := serve(t, nil, func(s *server) {
		s.write(t, "gpudocs.toml", "base_url = \""+address+"\"\n"+s.read(t, "gpudocs.toml"))
	})
	tb := openTab(t, site.base)
	tb.visit("pt/medir-tempo/")
	is(tb, "document.querySelector('.langs').open", false)
	tb.click(".langs > summary")
	is(tb, "document.querySelector('.langs [aria-current]').hreflang", "pt")
	is(tb, "document.querySelector('.langs a[hreflang=es] [lang]').lang", "es")
	is(tb, "document.querySelector('.langs a[hreflang=es]').textContent.trim()", "Español")
	tb.click(".langs a[hreflang=es]")
	tb.at("es/medir-tempo/")
	is(tb, "document.documentElement.lang", "es")
	is(tb, "document.querySelector('article').lang", "es")
	is(tb, "document.querySelector('h1').textContent", "Medir tiempo sin engañarse")
	is(tb, "document.querySelector('.langs-now').textContent", "Español")
	is(tb, "document.querySelector('.langs a[hreflang=es]').getAttribute('aria-current')", "true")
	if got, want := alternates(tb), []string{
		"pt " + address + "pt/medir-tempo/", "es " + address + "es/medir-tempo/", "x-default " + address + "pt/medir-tempo/",
	}; !slices.Equal(got, want) {
		t.Errorf("alternates: %q, want %q", got, want)
	}
	is(tb, "document.querySelector('link[rel=canonical]').href", address+"es/medir-tempo/")
	tb.click(".langs > summary")
	tb.click(".langs a[hreflang=pt]")
	tb.at("pt/medir-tempo/")
}

func alternates(tb *tab) []string {
	return eval[[]string](tb, "[...document.querySelectorAll('link[rel=alternate][hreflang]')].map(l => l.hreflang + ' ' + l.href)")
}

func TestMissingTranslation(t *testing.T) {
	t.Parallel()
	const address = "https://tutoriais.example/"
	site := serve(t, nil, func(s *server) {
		s.write(t, "gpudocs.toml", "base_url = \""+address+"\"\n"+s.read(t, "gpudocs.toml"))
		s.write(t, "content/pt/so-pt.md", "---\ntitle: Só em português\nweight: 90\n---\n\nEste parágrafo não tem tradução.\n")
	})
	tb := openTab(t, site.base)
	tb.visit("es/so-pt/")
	is(tb, "document.documentElement.lang", "es")
	is(tb, "document.querySelector('article').lang", "pt")
	is(tb, "document.querySelector('h1').closest('[lang]').lang", "pt")
	is(tb, "document.querySelector('h1').textContent", "Só em português")
	is(tb, "document.querySelector('article').innerText.includes('Este parágrafo não tem tradução.')", true)
	is(tb, "document.querySelector('.notice-missing').checkVisibility()", true)
	tb.picture("missing", false)
	is(tb, "document.querySelector('.notice-missing').closest('[lang]').lang", "es")
	is(tb, "document.querySelector('.notice-missing').innerText.trim()", "Esta página aún no está traducida. El texto que sigue está en Português")
	is(tb, "document.querySelector('.notice-missing a').href", site.base+"pt/so-pt/")
	is(tb, "document.querySelector('.side [aria-current=page]').lang", "pt")
	if got := alternates(tb); len(got) != 0 {
		t.Errorf("a page without a translation names alternates: %q", got)
	}
	is(tb, "document.querySelector('link[rel=canonical]').href", address+"pt/so-pt/")

	// In its own language it is an ordinary page, and names the missing translation.
	tb.visit("pt/so-pt/")
	is(tb, "document.querySelectorAll('.notice-missing').length", 0)
	tb.click(".langs > summary")
	is(tb, "document.querySelector('.langs a[hreflang=es] small').textContent", "sem tradução")
	tb.click(".langs a[hreflang=es]")
	tb.at("es/so-pt/")
}

func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.withoutScripts()
	tb.visit("pt/medir-tempo/")
	is(tb, "document.documentElement.hasAttribute('data-js')", false) // no script has run
	is(tb, "document.querySelector('.scheme') === null || !document.querySelector('.scheme').checkVisibility({visibilityProperty: true})", true)
	is(tb, "document.querySelectorAll('.copy').length", 0)

	const panel = "figure[data-language=pycon] details.panel"
	is(tb, "document.querySelector('"+panel+" .pane').checkVisibility()", false)
	tb.click(panel + " > summary")
	tb.until("document.querySelector('" + panel + "').open")
	shown := `[...document.querySelectorAll("` + panel + ` .pane")].filter(p => p.checkVisibility()).map(p => p.dataset.of).join()`
	is(tb, shown, "local")
	tb.click(panel + " input[value=nogpu] + label")
	tb.until(shown + " === 'nogpu'")
	tb.click(panel + " input[value=local] + label")
	tb.until(shown + " === 'local'")

	// The tabs that an author wrote.
	variant := `[...document.querySelectorAll(".switch-tabs > .pane")].filter(p => p.checkVisibility()).map(p => p.dataset.title).join()`
	is(tb, variant, "bash")
	tb.click(".switch-tabs > input[value=Python] + label")
	tb.until(variant + " === 'Python'")

	tb.click(".langs > summary")
	tb.click(".langs a[hreflang=es]")
	tb.at("es/medir-tempo/")
	tb.click(".pager-next")
	tb.at("es/conheca-sua-gpu/")
	tb.click(".side a[href='../assincrono/']")
	tb.at("es/assincrono/")
	tb.click(".brand")
	tb.at("es/")
}

// Without scripts no page shows a control that has no effect, and folds and tabs still work.
func TestNothingIsDeadWithoutScripts(t *testing.T) {
	t.Parallel()
	for name, site := range map[string]*host{"made": made(t), "lab": fleet(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, site.base)
			tb.withoutScripts()
			for _, width := range []int64{360, 1440} {
				tb.size(width, 900)
				for _, p := range site.pages {
					if strings.HasPrefix(p, "es/") == (width == 360) {
						continue // each kind of page exists in two languages
					}
					tb.visit(p)
					for _, dead := range eval[[]string](tb, `(() => {
					const seen = e => e.checkVisibility({visibilityProperty: true})
					const all = s => [...document.querySelectorAll(s)], words = e => e.tagName + "." + e.className + " " + (e.innerText || e.value || "").trim().slice(0, 40)
					const out = all("button, select, textarea, input:not(:disabled), [role=button], dialog").filter(e => seen(e) && !e.matches(".switch > input")).map(e => words(e) + " does nothing")
					all("summary").filter(seen).forEach(s => {
						const before = s.parentElement.open
						s.click()
						if (s.parentElement.open === before) out.push(words(s) + " does not fold")
						if (before) s.click()
					})
					all("details:not(.fold)").forEach(d => { d.open = true })
					all(".switch > label").filter(seen).forEach(l => {
						l.click()
						if (!seen(l.nextElementSibling)) out.push(words(l) + " shows nothing")
					})
					all("a[href^='#']").filter(seen).forEach(a => {
						if (!document.getElementById(decodeURIComponent(a.hash.slice(1)))) out.push(words(a) + " leads nowhere")
					})
					return out
				})()`) {
						t.Errorf("%s at %d pixels: %s", p, width, dead)
					}
				}
			}
		})
	}
}

// TestLanguageSwitcherKeepsTheSection checks that the other language opens at the section that is being read.
func TestLanguageSwitcherKeepsTheSection(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Um parágrafo bem comprido. ", 120)
	page := func(a, b, c string) string {
		return "# P\n\n" + text + "\n\n## " + a + "\n\n" + text + "\n\n### " + b + " {#x}\n\n" + text + "\n\n## " + c + "\n\n" + text + "\n"
	}
	site := serve(t, nil, func(s *server) {
		s.write(t, "content/pt/secoes.md", page("Começo", "Meio", "Fim de tudo"))
		s.write(t, "content/es/secoes.md", page("Comienzo", "Medio", "Fin"))
		const block = "\n\n```bash {run}\necho 5 ms\n```\n```text {expect}\n<t:number ms>\n```\n\n"
		s.write(t, "content/pt/medidas.md", "# Medidas\n\n## Começo"+block+text+"\n")
		s.write(t, "content/es/medidas.md", "# Medidas\n\n## Comienzo"+block+text+"\n")
		for _, machine := range []string{"deepnine", "deepten"} {
			s.gpudocs(t, "verify", "--machine", machine, "content/pt/medidas.md")
		}
	})
	tb := openTab(t, site.base)
	// A click by chromedp would scroll the page to where the bar would be.
	press := func(selector string) { eval[any](tb, "document.querySelector('"+selector+"').click()") }
	tb.visit("pt/secoes/")
	for _, c := range []struct{ at, hash string }{{"começo", "comienzo"}, {"x", "x"}, {"fim-de-tudo", "fin"}} {
		eval[any](tb, "document.getElementById('"+c.at+"').scrollIntoView({behavior: 'instant'})")
		tb.until("document.querySelector('.toc [aria-current]')?.hash.slice(1).toLowerCase() === encodeURIComponent('" + c.at + "').toLowerCase()")
		press(".langs > summary")
		press(".langs a[hreflang=es]")
		tb.at("es/secoes/#" + c.hash)
		tb.until("(r => r.top > -5 && r.top < innerHeight / 4)(document.getElementById('" + c.hash + "').getBoundingClientRect())")
		press(".langs > summary")
		press(".langs a[hreflang=pt]")
		tb.at("pt/secoes/#" + url.PathEscape(c.at))
	}
	eval[any](tb, "scrollTo({top: 0, behavior: 'instant'})")
	tb.until("!document.querySelector('.toc [aria-current]')")
	press(".langs > summary")
	press(".langs a[hreflang=es]")
	tb.at("es/secoes/")
	// On a phone the reader has to go up to the bar: the section is the last one stayed at.
	tb.size(360, 740)
	tb.visit("pt/secoes/")
	eval[any](tb, "document.getElementById('x').scrollIntoView({behavior: 'instant'})")
	tb.until(`document.querySelector('[aria-current=location]')?.hash === "#x" && Date.now() - (window.came = window.came || Date.now()) > 1800`)
	tb.click(".langs > summary")
	is(tb, "scrollY", 0)
	tb.click(".langs a[hreflang=es]")
	tb.at("es/secoes/#x")
	// The measures at the end of a page have the same id in each language.
	tb.size(1280, 800)
	tb.visit("pt/medidas/")
	eval[any](tb, "document.getElementById('_measures').scrollIntoView({behavior: 'instant'})")
	tb.until("document.querySelector('.toc [aria-current]')?.hash === '#_measures'")
	press(".langs > summary")
	press(".langs a[hreflang=es]")
	tb.at("es/medidas/#_measures")
}

// TestPageMenu checks the menu of a page, which closes by Escape and by a click elsewhere.
func TestPageMenu(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	shown := "document.querySelector('.actions li:last-child a').checkVisibility()"
	tb.visit("pt/medir-tempo/")
	is(tb, shown, false)
	tb.click(".actions > summary")
	is(tb, shown, true)
	tb.press(kb.Escape)
	tb.size(360, 740)
	is(tb, "document.querySelector('.pick-name').getBoundingClientRect().width > 30", true)
	is(tb, "document.querySelector('.pick-name').innerText", "Máquina")
	for _, leave := range []string{"Escape", "h1"} {
		tb.click(".actions > summary")
		tb.until(shown)
		is(tb, "(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector('.actions > ul').getBoundingClientRect())", true)
		is(tb, tooWide, "")
		if leave == "Escape" {
			tb.press(kb.Escape)
		} else {
			tb.click(leave)
		}
		tb.until("!" + shown)
	}
	tb.withoutScripts()
	tb.visit("pt/medir-tempo/")
	is(tb, shown, false)
	tb.click(".actions > summary")
	is(tb, shown, true)
}
