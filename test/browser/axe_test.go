package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// runAxe runs axe-core's rules on the page, and returns the serious and critical findings. In a dark
// scheme it runs only the rules about colours, as all others are run in the light one.
const runAxe = `(scheme => axe.run(document, {resultTypes: ["violations"], preload: false,
	...(scheme === "dark" && {runOnly: ["color-contrast", "link-in-text-block"]})}).then(r => ({
	checked: r.passes.length + r.incomplete.length,
	faults: r.violations.filter(v => v.impact === "serious" || v.impact === "critical").flatMap(v =>
		v.nodes.map(n => v.impact + " " + v.id + ": " + n.target.join(" ") + ": " + n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; ")))
})))`

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
				address := addresses[i%len(addresses)]
				tb.scheme(scheme)
				tb.show(k, address)
				eval[any](tb, string(source)+"\n;null") // not by the page, whose policy forbids it
				tb.axe(k.name, address, scheme)
			}
		})
	}
}

func (tb *tab) axe(name, address, scheme string) {
	tb.Helper()
	type result struct {
		Checked int      `json:"checked"`
		Faults  []string `json:"faults"`
	}
	got := eval[result](tb, fmt.Sprintf("%s(%q)", runAxe, scheme), awaiting)
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
	found := eval[[]string](tb, runAxe+`("light").then(r => r.faults)`, awaiting)
	if all := strings.Join(found, "\n"); !strings.Contains(all, "button-name") || !strings.Contains(all, "image-alt") {
		t.Errorf("axe does not see a button and an image without names: %s", all)
	}
	if found := eval[[]string](tb, runAxe+`("dark").then(r => r.faults)`, awaiting); len(found) != 1 || !strings.Contains(found[0], "color-contrast: #low") {
		t.Errorf("axe does not see grey on grey: %q", found)
	}
}
