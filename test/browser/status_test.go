package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// twoMachines makes a site with two made-up reports: beta fails what alfa passes.
func twoMachines(t *testing.T) *server {
	t.Helper()
	return serve(t, func(string) bool { return false }, func(s *server) {
		for _, lang := range []string{"pt", "es"} {
			s.write(t, "content/"+lang+"/index.md", "# Um\n\n```bash {run name=a}\necho a\n```\n\n```bash {run name=b}\necho b\n```\n")
			s.write(t, "content/"+lang+"/dois.md", "# Dois\n\n```bash {run name=c}\necho c\n```\n")
		}
		if err := os.Remove(filepath.Join(s.dir, "results", "nogpu.json")); err != nil {
			t.Fatal(err)
		}
		s.gpudocs(t, "verify", "--machine", "alfa")
		var report map[string]any
		if err := json.Unmarshal([]byte(s.read(t, "results/alfa.json")), &report); err != nil {
			t.Fatal(err)
		}
		report["generator"] = "made up"
		report["machine"].(map[string]any)["name"] = "beta"
		for _, c := range report["checks"].([]any) {
			if c := c.(map[string]any); c["name"] == "b" {
				end(report, c, "failed", map[string]any{"code": "exit-code", "exit": 1})
			}
		}
		changed, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		s.write(t, "results/beta.json", string(changed))
	})
}

const (
	rowsShown    = `[...document.querySelectorAll(".matrix tbody tr:not(.matrix-page)")].filter(r => r.checkVisibility()).map(r => r.querySelector("th code").innerText).join()`
	columnsShown = `[...document.querySelectorAll(".matrix thead th")].filter(r => r.checkVisibility()).map(r => r.innerText).join()`
)

// choose picks an option of a select as a reader does, with the keyboard.
func choose(tb *tab, name, label string) {
	tb.Helper()
	eval[any](tb, fmt.Sprintf("document.querySelector('.matrix-filter select[name=%s]').focus()", name))
	// With arrow keys: letters that are typed slowly start a new search.
	for tb.press(kb.Home); eval[string](tb, "document.activeElement.selectedOptions[0].text") != label; tb.press(kb.ArrowDown) {
		if eval[bool](tb, "document.activeElement.selectedIndex === document.activeElement.length - 1") {
			tb.Fatalf("%s has no option %q", name, label)
		}
	}
}

func TestStatusFilter(t *testing.T) {
	t.Parallel()
	site := twoMachines(t)
	tb := openTab(t, site.base)
	tb.visit("pt/")
	tb.click(".foot a")
	tb.at("pt/_status/")
	is(tb, rowsShown, "a,b,c")
	is(tb, columnsShown, "Verificação,só CPU\nalfa,só CPU\nbeta")

	choose(tb, "outcome", "falhou")
	is(tb, rowsShown, "b")
	is(tb, "document.querySelector('.matrix-filter [role=status]').innerText", "1 de 3 verificações")
	is(tb, "[...document.querySelectorAll('.matrix-page')].filter(r => r.checkVisibility()).length", 1)
	choose(tb, "on", "só CPU, alfa") // which passed it
	is(tb, rowsShown, "")
	is(tb, columnsShown, "Verificação,só CPU\nalfa")
	is(tb, "location.search", "?on=alfa&outcome=failed")
	choose(tb, "outcome", "todos")
	is(tb, rowsShown, "a,b,c")
	choose(tb, "page", "Dois")
	is(tb, rowsShown, "c")

	// The address has the choices, so that it can be shared.
	tb.visit("es/_status/?on=beta&outcome=failed&page=index")
	is(tb, rowsShown, "b")
	is(tb, columnsShown, "Comprobación,solo CPU\nbeta")
	tb.visit("es/_status/?on=gone&outcome=odd")
	is(tb, rowsShown, "a,b,c")

	// A cell links to the result of its machine, which is opened.
	eval[any](tb, "document.querySelector('.matrix td.is-failed a').focus()")
	tb.press(kb.Enter)
	tb.until("document.querySelector('details.panel[open] .pane .is-failed')")
	is(tb, "document.querySelector('details.panel[open] input:checked').value", "beta")
	tb.visit("pt/_status/")
	is(tb, "document.querySelector('.age').innerText !== ''", true)
	is(tb, "[...document.querySelectorAll('.changes .status-nav a')].some(a => a.checkVisibility())", false) // nothing is mended: they would hide nothing
	is(tb, "document.querySelector('.status-feeds img').naturalWidth > 100", true)
}

func TestStatusWithoutScripts(t *testing.T) {
	t.Parallel()
	site := twoMachines(t)
	tb := openTab(t, site.base)
	tb.withoutScripts()
	tb.visit("pt/_status/")
	is(tb, rowsShown, "a,b,c")
	is(tb, "document.querySelector('.matrix-filter').checkVisibility()", false)
	is(tb, "document.querySelector('.age').checkVisibility()", false)
	// The links of what changed work as a filter.
	is(tb, "document.querySelector('.change-list a code').innerText", "b")
	tb.visit("pt/_status/#_failed")
	is(tb, "document.querySelector('.change-list .is-failed').checkVisibility()", true)
	for _, width := range []int64{360, 768, 1440} {
		tb.size(width, 900)
		is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
	}
}

// TestStatusHeadsStay checks that the heads of rows and columns are visible in the middle of a long
// table, and that they do not cover a focused element.
func TestStatusHeadsStay(t *testing.T) {
	t.Parallel()
	site := twoMachines(t)
	var b strings.Builder
	b.WriteString("# Um\n")
	for i := range 60 {
		fmt.Fprintf(&b, "\n```bash {run name=c%d}\necho %d\n```\n", i, i)
	}
	for _, lang := range []string{"pt", "es"} {
		site.write(t, "content/"+lang+"/dois.md", b.String())
	}
	tb := openTab(t, site.base)
	// A table that is not too wide scrolls with the page.
	for _, size := range [][3]int64{{360, 740}, {1440, 900}, {1440, 900, 3000}} {
		tb.size(size[0], size[1])
		tb.visit("pt/_status/")
		tb.until("document.querySelectorAll('.matrix tbody tr').length > 60")
		if size[2] > 0 {
			eval[any](tb, fmt.Sprintf("document.querySelector('.matrix').style.width = '%dpx', dispatchEvent(new Event('resize')), 0", size[2]))
		}
		is(tb, "(b => b.clientHeight === b.scrollHeight)(document.querySelector('.scroll:has(> .matrix)'))", size[2] == 0)
		eval[any](tb, "document.querySelector('.matrix tbody:last-child tr:last-child th a').focus()")
		tb.until("document.querySelector('.scroll:has(> .matrix)').scrollTop > 100 || scrollY > 100")
		if size[2] > 0 {
			eval[any](tb, "document.querySelector('.scroll:has(> .matrix)').scrollIntoView({block: 'center', behavior: 'instant'})")
		}
		const seen = `(e => (r => e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)))(e.getBoundingClientRect()))`
		is(tb, seen+"(document.querySelector('.matrix thead th'))", true)
		for range 12 { // back up the table
			tb.do("press shift+tab", chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
			is(tb, seen+"(document.activeElement)", true)
		}
	}
}
