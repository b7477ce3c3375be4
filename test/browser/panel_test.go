package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// proof is a page with one block whose output can only be known by running it: the product of two numbers.
func proof(title string, a, b int) string {
	return fmt.Sprintf("---\ntitle: %s\n---\n\n```bash {run name=produto}\necho \"produto $((%d * %d))\"\n```\n", title, a, b)
}

func TestPanelShowsWhatReallyHappened(t *testing.T) {
	t.Parallel()
	a, b := 1000+rand.IntN(9000), 1000+rand.IntN(9000)
	output := fmt.Sprintf("produto %d\n", a*b)
	site := serve(t, func(string) bool { return false }, func(s *server) {
		for lang, title := range map[string]string{"pt": "Prova", "es": "Prueba"} {
			s.write(t, path.Join("content", lang, "index.md"), "---\ntitle: Início\n---\n\nTexto.\n")
			s.write(t, path.Join("content", lang, "prova.md"), proof(title, a, b))
		}
	}, "--verify")
	tb := openTab(t, site.base)
	tb.visit("pt/prova/")

	// The page updates itself when the result is there.
	tb.until("document.querySelector('details.panel-passed')")
	is(tb, "document.querySelector('.panel > summary .panel-line').innerText", "1 máquina")
	is(tb, "document.querySelector('.panel .pane').checkVisibility()", false)
	is(tb, "document.querySelector('.preview samp').textContent + '\\n'", output) // visible while the panel is closed
	tb.click(".panel > summary")
	tb.until("document.querySelector('.panel .pane').checkVisibility()")
	is(tb, "document.querySelector('.panel .pane .quiet').textContent", "Imprimiu o que aparece acima.")
	is(tb, "document.querySelector('.panel .verdict strong').innerText", "passou")
	is(tb, "document.querySelector('.panel .here').innerText", "esta máquina")
	is(tb, "document.querySelector('.panel .facts b').textContent.trim()", "só CPU, local")

	// The results of code that ends at the lower edge of the window are moved into it.
	tb.click(".panel > summary")
	tb.size(1280, 420)
	eval[any](tb, `(e => { e.style.height = "340px"; e.scrollIntoView() })(document.querySelector("figure.code-run > pre, figure.code-run .scroll > pre, figure.code-run pre"))`)
	tb.click(".panel > summary")
	tb.until("(r => r.top > 0 && r.top < innerHeight * .8)(document.querySelector('.panel .pane').getBoundingClientRect())")
	tb.size(1280, 800)

	// The same result in the other language, in its words.
	facts := `document.querySelector(".preview samp").textContent + document.querySelector(".panel time").dateTime + document.querySelector(".panel").id`
	inPortuguese := eval[string](tb, facts)
	tb.visit("es/prova/")
	is(tb, "document.querySelector('.panel > summary .panel-line').innerText", "1 máquina")
	tb.click(".panel > summary")
	tb.until("document.querySelector('.panel .pane').checkVisibility()")
	is(tb, "document.querySelector('.panel .verdict strong').innerText", "pasó")
	is(tb, "document.querySelector('.panel .here').innerText", "esta máquina")
	is(tb, facts, inPortuguese)

	// A second machine sends its report: another output, another system.
	var report map[string]any
	if err := json.Unmarshal([]byte(site.read(t, ".gpudocs/results/local.json")), &report); err != nil {
		t.Fatal(err)
	}
	report["machine"].(map[string]any)["name"] = "deepten"
	report["checks"].([]any)[0].(map[string]any)["stdout"].(map[string]any)["text"] = "produto de <b>deepten</b>\n"
	changed, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	site.write(t, "results/deepten.json", string(changed))
	// The list of machines has changed, so the page is loaded anew.
	tb.until("document.readyState === 'complete' && document.querySelector('.panel > summary .panel-line')?.innerText === '2 máquinas'")
	machinesByKeyboard(tb, output)

	// Code that changes is run again, and only the machine that ran it is up to date.
	for _, lang := range []string{"pt", "es"} {
		name := path.Join("content", lang, "prova.md")
		site.edit(t, name, fmt.Sprintf("%d * %d", a, b), fmt.Sprintf("%d + %d", a, b))
	}
	sum := fmt.Sprintf("produto %d\n", a+b)
	tb.until(fmt.Sprintf("[...document.querySelectorAll('.preview samp')].some(s => s.textContent + '\\n' === %q)", sum))
	const status = `[...document.querySelectorAll(".panel .pane")].map(p => p.dataset.of + " " + p.querySelector(".verdict strong").textContent).sort().join()`
	is(tb, status, "deepten desactualizado,local pasó")
	is(tb, "document.querySelector('.panel').classList.contains('panel-stale')", true)
	eval[any](tb, "document.querySelector('.panel').open = true")
	tb.picture("stale", false)
}

// machinesByKeyboard goes through the machines of the first panel with the keyboard only. This does not
// select a machine: the next page is not affected.
func machinesByKeyboard(tb *tab, local string) {
	tb.Helper()
	const (
		shown = `[...document.querySelectorAll(".panel .pane")].filter(p => p.checkVisibility()).map(p => p.querySelector("samp, .verdict + .facts + .quiet").textContent).join("|")`
		value = "document.activeElement.value"
	)
	eval[any](tb, "document.querySelector('.panel > summary').focus()")
	tb.press(kb.Enter)
	tb.until("document.querySelector('.panel').open")
	is(tb, shown, local)
	tb.press(kb.Tab)
	tb.until(value + " === 'local'")
	is(tb, "document.activeElement.type", "radio")
	is(tb, "document.activeElement.labels[0].innerText.trim().startsWith('solo CPU, local')", true)
	is(tb, "parseFloat(getComputedStyle(document.activeElement.labels[0]).outlineWidth) >= 1", true)
	tb.press(kb.ArrowRight)
	tb.until(value + " === 'deepten'")
	is(tb, shown, "produto de <b>deepten</b>\n") // escaped text, not markup
	is(tb, "[...document.querySelectorAll('.panel-mine')].some(m => m.checkVisibility())", false)
	tb.press(kb.ArrowRight) // and round again
	tb.until(value + " === 'local'")
	is(tb, shown, local)
	tb.press(kb.ArrowLeft)
	tb.until(value + " === 'deepten'")

	// Tab goes on into the result, not to the other machine.
	tb.press(kb.Tab)
	is(tb, "document.activeElement.tagName + ' ' + document.activeElement.checkVisibility()", "PRE true")

	at := strings.TrimPrefix(tb.location(), tb.base)
	tb.visit("pt/prova/")
	is(tb, "document.querySelector('.panel input:checked').value", "local")
	is(tb, "document.querySelector('.pick').value", "")
	tb.visit(at)
}

func TestPanelOpensByAddress(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.visit("pt/medir-tempo/")
	id := eval[string](tb, "[...document.querySelectorAll('details.panel')].at(-1).id")
	is(tb, "document.getElementById('"+id+"').open", false)
	tb.visit("es/#" + id) // another page first, so that this is no mere change of the hash
	tb.visit("pt/medir-tempo/#" + id)
	tb.until("document.getElementById('" + id + "').open")
	tb.until("(r => r.top >= -5 && r.top < innerHeight)(document.getElementById('" + id + "').getBoundingClientRect())")
}

// TestPanelByLink: a link to a result leads to the code that it is about, and going back leaves the page as it was.
func TestPanelByLink(t *testing.T) {
	t.Parallel()
	tb := openTab(t, fleet(t).base)
	tb.visit("pt/comecar/")
	const (
		panel = "document.getElementById('code-erro.results')"
		head  = "(r => r.top >= 0 && r.top < 200)(document.getElementById('code-erro').getBoundingClientRect())"
		which = "document.querySelector('[id=\"code-erro.results\"] input:checked').value"
	)
	first := eval[string](tb, which)
	eval[any](tb, "scrollTo(0, 40)")
	follow := func(to string) {
		eval[any](tb, "(a => (a.href = '"+to+"', document.querySelector('article').append(a), a.click(), a.remove()))(document.createElement('a'))")
	}
	follow("#code-erro.results.3")
	tb.until(panel + ".open && " + head)
	if now := eval[string](tb, which); now == first {
		t.Errorf("the link shows %s, as before", now)
	}
	follow("#soma")
	tb.until("document.getElementById('soma').getBoundingClientRect().top >= 0")
	is(tb, panel+".open", true) // another link leaves it open
	eval[any](tb, "history.go(-2)")
	tb.until("!" + panel + ".open && " + which + " === '" + first + "'")
	tb.until("scrollY === 40")
	eval[any](tb, "history.forward()")
	tb.until(panel + ".open && " + head)

	// So does the link of another page, though browsers scroll to its target once more when the page is loaded.
	tb.visit("pt/_status/")
	eval[any](tb, "document.querySelector('.matrix a[href$=\"code-erro.results.3\"]').click()")
	tb.until("performance.getEntriesByType('navigation')[0].loadEventEnd && " + panel + ".open && " + head)

	// On a phone the measures of a page need no scrolling sideways.
	tb.size(390, 800)
	tb.visit("pt/gpu/")
	is(tb, "(s => s.scrollWidth <= s.clientWidth)(document.querySelector('.measures > .scroll'))", true)
	tb.visit("pt/gpu/?machine=mico") // nor are those of other machines shown
	tb.until("new Set([...document.querySelectorAll('.measures [data-of]')].filter(r => r.checkVisibility()).map(r => r.dataset.of)).size === 1")
	eval[any](tb, "document.querySelector('.measures tbody').hidden = true") // nor a name without a value
	is(tb, "document.querySelector('.measures tbody').checkVisibility()", false)
}

func TestCopyButton(t *testing.T) {
	t.Parallel()
	tb := openTab(t, shared(t).base)
	tb.onNewDocument(`window.copied = []; navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve(); }`)
	tb.visit("pt/medir-tempo/")
	const figure = "figure[data-language=pycon]"
	is(tb, "document.querySelector('"+figure+" .copy').innerText.trim()", "Copiar")
	tb.click(figure + " .copy")
	tb.until("document.querySelector('" + figure + " .copy').innerText.trim() === 'Copiado'")
	// Of a session only the typed lines are copied.
	is(tb, "copied.join('|')", strings.Join([]string{
		`import time`,
		`c = time.get_clock_info("perf_counter")`,
		`c.monotonic, c.adjustable`,
		`c.resolution <= 1e-6`,
		`time.get_clock_info("time").adjustable`,
	}, "\n"))
	tb.until("document.querySelector('" + figure + " .copy').innerText.trim() === 'Copiar'")
	is(tb, "document.querySelectorAll('.code-expected .copy').length", 0)
}
