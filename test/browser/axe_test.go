package browser

import (
	"os"
	"strings"
	"testing"
)

// runAxe has axe-core look at the page, and gives what is serious or critical.
const runAxe = `axe.run(document, {resultTypes: ["violations"], RULES}).then(r => ({
	checked: r.passes.length,
	faults: r.violations.filter(v => v.impact === "serious" || v.impact === "critical").flatMap(v =>
		v.nodes.map(n => v.impact + " " + v.id + ": " + n.target.join(" ") + ": " + n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; ")))
}))`

// axe-core finds nothing serious on any kind of page, in either scheme. Its other rules
// than those for colours do not look at the scheme, and are asked once.
func TestAxe(t *testing.T) {
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	tabs := map[*host]*tab{}
	for _, k := range kinds {
		site := k.site(t)
		tb := tabs[site]
		if tb == nil {
			tb = openTab(t, site.base)
			tabs[site] = tb
		}
		if k.path == "" {
			tb = openTab(t, site.base)
			tb.stay()
		}
		for _, address := range k.addresses() {
			tb.scheme("light")
			tb.show(k, address)
			eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
			tb.axe(k.name, address, "light", "rules: {}")
			tb.scheme("dark")
			tb.axe(k.name, address, "dark", `runOnly: ["color-contrast", "link-in-text-block"]`)
		}
	}
}

func (tb *tab) axe(name, address, scheme, rules string) {
	tb.Helper()
	type result struct {
		Checked int      `json:"checked"`
		Faults  []string `json:"faults"`
	}
	said := eval[result](tb, strings.Replace(runAxe, "RULES", rules, 1), awaiting)
	for _, f := range said.Faults {
		tb.Errorf("%s, %s, %s: %s", name, address, scheme, f)
	}
	if said.Checked == 0 {
		tb.Errorf("%s, %s, %s: axe checked nothing", name, address, scheme)
	}
}

// What the tests above look with sees a fault.
func TestAxeSees(t *testing.T) {
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, made(t).base)
	tb.visit("pt/")
	eval[any](tb, `document.querySelector("article").insertAdjacentHTML("beforeend", "<button></button><img src=''>"), null`)
	eval[any](tb, string(source)+"\n;null")
	found := eval[[]string](tb, strings.Replace(runAxe, "RULES", "rules: {}", 1)+".then(r => r.faults)", awaiting)
	if all := strings.Join(found, "\n"); !strings.Contains(all, "button-name") || !strings.Contains(all, "image-alt") {
		t.Errorf("axe does not see a button and an image without names: %s", all)
	}
}
