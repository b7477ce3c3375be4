package browser

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
)

// runAxe runs axe-core's rules on a part of the page, and returns the serious and critical findings.
const runAxe = `((part, rules) => axe.run(part, {resultTypes: ["violations"], preload: false, ...rules}).then(r => ({
	checked: r.passes.length + r.incomplete.length,
	faults: r.violations.filter(v => v.impact === "serious" || v.impact === "critical").flatMap(v =>
		v.nodes.map(n => v.impact + " " + v.id + ": " + n.target.join(" ") + ": " + n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; ")))
})))`

// Rules of axe-core. The contrast takes as long as all others.
const (
	allRules    = `{}`
	colourRules = `{runOnly: ["color-contrast", "link-in-text-block"]}`
	otherRules  = `{rules: {"color-contrast": {enabled: false}}}`
)

// axe-core has no serious finding on any kind of page in either colour scheme. The first language is
// checked in the light scheme, the second in the dark one, and a page with one language in both.
func TestAxe(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, k.site(t).base)
			if k.path == "" {
				tb.stay()
			}
			addresses := k.addresses()
			for i, scheme := range []string{"light", "dark"} {
				rules := allRules
				if scheme == "dark" { // all others do not depend on the scheme
					rules = colourRules
				}
				address := addresses[i%len(addresses)]
				tb.scheme(scheme)
				tb.show(k, address)
				eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
				tb.axe(k.name, address, scheme, cmp.Or(k.part, "html"), rules)
			}
		})
	}
}

func (tb *tab) axe(name, address, scheme, part, rules string) {
	tb.Helper()
	type result struct {
		Checked int      `json:"checked"`
		Faults  []string `json:"faults"`
	}
	got := eval[result](tb, fmt.Sprintf("%s(%q, %s)", runAxe, part, rules), awaiting)
	for _, f := range got.Faults {
		tb.Errorf("%s, %s, %s: %s", name, address, scheme, f)
	}
	if got.Checked == 0 {
		tb.Errorf("%s, %s, %s: axe checked nothing", name, address, scheme)
	}
}

// The checks of the tests above find a fault.
func TestAxeSees(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(needModule(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, made(t).base)
	tb.visit("pt/")
	eval[any](tb, `document.querySelector("article").insertAdjacentHTML("beforeend", "<button></button><img src=''><p id='low'>low</p>"),
		Object.assign(document.querySelector("#low").style, {color: "#777", background: "#888"}), null`)
	eval[any](tb, string(source)+"\n;null")
	found := eval[[]string](tb, runAxe+`("html", `+allRules+`).then(r => r.faults)`, awaiting)
	if all := strings.Join(found, "\n"); !strings.Contains(all, "button-name") || !strings.Contains(all, "image-alt") {
		t.Errorf("axe does not see a button and an image without names: %s", all)
	}
	if found := eval[[]string](tb, runAxe+`("html", `+colourRules+`).then(r => r.faults)`, awaiting); len(found) != 1 || !strings.Contains(found[0], "color-contrast: #low") {
		t.Errorf("axe does not see grey on grey: %q", found)
	}
	if found := eval[[]string](tb, contrast); len(found) != 1 || !strings.Contains(found[0], "rgb(119, 119, 119) on rgb(136,136,136)") {
		t.Errorf("contrast.js does not see grey on grey: %q", found)
	}
}
