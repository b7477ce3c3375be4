package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

// boxes is a page with a callout of every kind, folds, and tabs in tabs.
func boxes() string {
	var b strings.Builder
	b.WriteString("# Caixas\n\n[fundo](#fundo) [segredo](#segredo)\n\n")
	for _, kind := range strings.Fields("note tip important warning caution danger info success question failure bug example quote abstract todo details") {
		fmt.Fprintf(&b, ":::%[1]s\nTexto com `código`, [um elo](#fim) e *ênfase*.\n:::\n\n:::%[1]s Um título comprido, com `código_que_não_se_quebra_em_lugar_nenhum` {fold}\nTexto.\n:::\n\n", kind)
	}
	b.WriteString("::::note {fold}\n:::details Dentro\n## Segredo {#segredo}\n:::\n::::\n\n")
	b.WriteString(":::::tabs\n::::tab Um\n:::tab A\nTexto A.\n:::\n:::tab B\nTexto B.\n\n## Igual\n:::\n::::\n::::tab Dois\n:::tab C\nTexto C.\n:::\n:::tab D\n## Igual\n\n## Fundo {#fundo}\n\n- [x] feito\n- [ ] por fazer\n:::\n::::\n:::::\n\n## Fim\n\n" + strings.Repeat("Texto.\n\n", 40)) // room to scroll
	return b.String()
}

func TestCalloutsAndTabs(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", boxes())
	})
	tb := openTab(t, site.base)
	seen := func(id string, want bool) {
		t.Helper()
		is(tb, fmt.Sprintf("document.getElementById(%q).checkVisibility()", id), want)
	}

	// A hidden section opens if it is the target of a link, and is not in the table of contents while it is
	// hidden.
	tb.visit("pt/")
	seen("segredo", false)
	seen("fundo", false)
	is(tb, `[...document.querySelectorAll(".toc a")].map(a => a.textContent).join()`, "Segredo,Igual (B),Igual (D),Fundo,Fim")
	is(tb, `document.querySelectorAll(".toc a[aria-current]").length`, 0)
	tb.click(`article a[href="#segredo"]`)
	tb.until(`document.getElementById("segredo").checkVisibility()`)
	tb.until(`document.querySelector(".toc a[aria-current]")?.textContent === "Segredo"`)
	tb.click(`.toc a[href="#fundo"]`)
	tb.until(`document.getElementById("fundo").checkVisibility()`)
	eval[any](tb, `document.querySelectorAll("details").forEach(d => { d.open = false }); document.querySelector(".switch-tabs > input").click()`)
	seen("fundo", false)
	tb.click(`.toc a[href="#fundo"]`) // the same address again
	tb.until(`document.getElementById("fundo").checkVisibility()`)
	tb.visit("pt/#segredo")
	tb.until(`document.getElementById("segredo").checkVisibility()`)

	// The keyboard opens folds and moves through tabs, in each group separately.
	tb.visit("pt/")
	eval[any](tb, `document.querySelector(".callout-tip summary").focus()`)
	tb.press(kb.Enter)
	tb.until(`document.querySelector("details.callout-tip").open`)
	eval[any](tb, `document.querySelector(".switch-tabs > input").focus()`)
	tb.press(kb.ArrowRight)
	const chosen = `[...document.querySelectorAll(".switch-tabs > input")].filter(i => i.checked).map(i => i.value).join()`
	is(tb, chosen, "A,Dois,C")
	tb.press(kb.Tab)
	tb.press(kb.ArrowRight)
	is(tb, chosen, "A,Dois,D")

	// The text is readable in both schemes and on a phone; in print nothing is folded.
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		tb.openDetails()
		if low := eval[[]string](tb, contrast); len(low) > 0 {
			t.Errorf("%s: %s", scheme, strings.Join(low, "\n"))
		}
	}
	tb.size(360, 740)
	is(tb, "document.documentElement.scrollWidth", 360)
	tb.visit("pt/")
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	is(tb, `document.querySelector("details.callout-tip").open`, false)
	is(tb, `[...document.querySelectorAll(".callout-body")].every(b => b.getBoundingClientRect().height > 0)`, true)
	is(tb, `[...document.querySelectorAll(".pane")].every(b => b.checkVisibility())`, true)
}

// TestFoldsWithoutScripts checks that folds and tabs work without scripts.
func TestFoldsWithoutScripts(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "content/pt/index.md", boxes())
	})
	tb := openTab(t, site.base)
	tb.withoutScripts()
	tb.visit("pt/")
	tb.click(".callout-tip > summary")
	is(tb, `document.querySelector("details.callout-tip").open`, true)
	tb.click("article > .switch-tabs > label:nth-of-type(2)")
	is(tb, `[...document.querySelectorAll(".switch-tabs > input")].filter(i => i.checked).map(i => i.value).join()`, "A,Dois,C")
}
