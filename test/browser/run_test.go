package browser

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const runnable = `---
title: Executar
---

Texto.

` + "```bash {run name=primeiro session=s}\nX=6\n```\n\n```bash {run name=segundo session=s}\necho OUT-$((X * 7))\n```\n\n```bash {run name=longo timeout=10m}\necho > begun; sleep 600\n```\n"

var openAt = regexp.MustCompile(`(?m)^  http://[^/]+/(_gpudocs/run#\S+)$`)

// A block is run from the page by keyboard, and its result appears without a reload.
func TestRunFromThePage(t *testing.T) {
	t.Parallel()
	site := serve(t, func(p string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", runnable)
		s.write(t, "content/pt/outra.md", "# Outra\n\nTexto.\n")
	}, "--allow-run")
	m, err := site.out.wait(openAt, nil)
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, site.base)
	tb.expect("403")

	// Without the token in the address that the terminal shows, the page explains this and has no button.
	tb.visit("pt/")
	tb.until("document.querySelector('#gpudocs-runs')?.textContent.includes('terminal')")
	is(tb, "document.querySelectorAll('.gpudocs-run').length", 0)

	// A wrong token changes nothing; the right one leads to the site.
	tb.visit("_gpudocs/run#WRONG")
	tb.until("document.querySelector('#state').textContent.includes('not the address')")
	is(tb, "localStorage.getItem('gpudocs-run')", any(nil))
	tb.visit(m[1])
	tb.at("pt/")
	tb.until("document.querySelectorAll('.gpudocs-run').length === 3")
	is(tb, "document.querySelector('#gpudocs-runs').textContent.includes('pode executar')", true)
	const box = "document.querySelectorAll('.gpudocs-run')[1]"
	is(tb, box+".textContent.includes('executa antes: primeiro')", true)
	is(tb, "document.documentElement.outerHTML.includes('"+m[1][strings.Index(m[1], "#")+1:]+"')", false)

	eval[any](tb, box+".querySelector('button').focus()")
	tb.picture("run", false)
	tb.press(kb.Enter)
	tb.until("document.getElementById('code-segundo.results').open && document.getElementById('code-segundo').innerText.includes('OUT-42')")
	tb.until(box + ".querySelector('.good')?.textContent === 'Passou.'")
	is(tb, box+".contains(document.activeElement)", true)
	tb.picture("ran", false)
	site.gpudocs(t, "build", "--output", "built")
	if page := site.read(t, "built/pt/index.html"); strings.Contains(page, "_gpudocs") || strings.Contains(page, "OUT-42") {
		t.Error("a built page has the additions of serve, or results of this run")
	}

	// Now without reloading the page; and a canceled run leaves nothing behind.
	eval[any](tb, "window.marked = true")
	eval[any](tb, box+".querySelector('button').focus()")
	tb.press(kb.Enter)
	tb.until("!" + box + ".querySelector('.good')")
	tb.until(box + ".querySelector('.good')?.textContent === 'Passou.'")
	const long = "document.querySelectorAll('.gpudocs-run')[2]"
	eval[any](tb, long+".querySelector('button').focus()")
	tb.press(kb.Enter)
	tb.until(long + ".textContent.includes('Executando: longo')")
	tb.picture("running", false)
	is(tb, "document.activeElement.textContent", "Cancelar")
	tb.press(kb.Enter)
	tb.until(long + ".textContent.includes('Cancelado.')")
	is(tb, "document.activeElement.textContent", "Verificar este bloco")
	is(tb, "window.marked", true)
	tb.scheme("dark")
	tb.size(390, 844)
	tb.picture("run-phone", false)
	is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
	is(tb, "getComputedStyle(document.querySelector('#gpudocs-runs')).backgroundColor", "rgb(38, 38, 45)")
	// It is above the theme's bar at the bottom of the window, also at the end of the page.
	is(tb, "document.querySelector('.fold > summary').checkVisibility()", true)
	for _, to := range []string{"0", "document.body.scrollHeight"} {
		eval[any](tb, "scrollTo({top: "+to+", behavior: 'instant'})")
		tb.until("Math.abs(document.querySelector('#gpudocs-runs').getBoundingClientRect().bottom - document.querySelector('.fold > summary').getBoundingClientRect().top) < 1.5")
	}
	tb.picture("run-phone-end", false)
	is(tb, "document.getElementById('block-3.results') === null && document.getElementById('code-longo.results').matches('.panel-none')", true)
}
