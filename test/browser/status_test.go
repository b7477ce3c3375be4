package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

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
				c["outcome"], c["reason"] = "failed", map[string]any{"code": "exit-code", "detail": "1"}
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
	tb.press(label)
	tb.until(fmt.Sprintf("document.activeElement.selectedOptions[0].text === %q", label))
}

func TestStatusFilter(t *testing.T) {
	t.Parallel()
	site := twoMachines(t)
	tb := openTab(t, site.base)
	tb.visit("pt/")
	tb.click(".foot a")
	tb.at("pt/_status/")
	is(tb, rowsShown, "a,b,c")
	is(tb, columnsShown, "Verificação,alfa,beta")

	choose(tb, "outcome", "falhou")
	is(tb, rowsShown, "b")
	is(tb, "document.querySelector('.matrix-filter [role=status]').innerText", "1 de 3 verificações")
	is(tb, "[...document.querySelectorAll('.matrix-page')].filter(r => r.checkVisibility()).length", 1)
	choose(tb, "on", "alfa") // which passed it
	is(tb, rowsShown, "")
	is(tb, columnsShown, "Verificação,alfa")
	is(tb, "location.search", "?on=alfa&outcome=failed")
	choose(tb, "outcome", "todos")
	is(tb, rowsShown, "a,b,c")
	choose(tb, "page", "Dois")
	is(tb, rowsShown, "c")

	// The address says what was chosen, to who gets it too.
	tb.visit("es/_status/?on=beta&outcome=failed&page=index")
	is(tb, rowsShown, "b")
	is(tb, columnsShown, "Comprobación,beta")
	tb.visit("es/_status/?on=gone&outcome=odd")
	is(tb, rowsShown, "a,b,c")

	// A cell leads to the result of its machine, opened.
	eval[any](tb, "document.querySelector('.matrix td.is-failed a').focus()")
	tb.press(kb.Enter)
	tb.until("document.querySelector('details.panel[open] .pane .is-failed')")
	is(tb, "document.querySelector('details.panel[open] input:checked').value", "beta")
	tb.visit("pt/_status/")
	is(tb, "document.querySelector('.age').innerText !== ''", true)
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
	for _, width := range []int64{360, 768, 1440} {
		tb.size(width, 900)
		is(tb, "document.documentElement.scrollWidth <= innerWidth", true)
	}
}
