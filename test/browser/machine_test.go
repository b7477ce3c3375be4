package browser

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

const machinesPage = "# A sua GPU\n\nO servidor tem {live}`deepnine.gpus` GPUs. [Início](index.md)\n\n" +
	"```bash {run name=copia needs=\"gpus >= 0\"}\necho copia\n```\n\n```bash {run name=cuda}\necho cuda\n```\n\n" +
	"```text {expect when=\"cuda >= 12.4\"}\nnova\n```\n\n```text {expect}\ncuda\n```\n\n```bash {run name=soma}\necho soma\n```\n"

// end has a check of a report, and the newest result of it, end with an outcome. A check that passes has no reason.
func end(report, check map[string]any, outcome string, why map[string]any) {
	delete(check, "reason")
	if why != nil {
		check["reason"] = why
	}
	check["outcome"] = outcome
	for _, e := range report["runs"].([]any)[0].(map[string]any)["results"].([]any) {
		if e := e.(map[string]any); e["id"] == check["id"] {
			delete(e, "code")
			if why != nil {
				e["code"] = why["code"]
			}
			e["outcome"] = outcome
		}
	}
}

// lab writes a site whose reports are made up: deepnine has an old driver, on deepten the check
// "soma" fails, nogpu has no GPU; beyond three there are nodes, all alike.
func lab(t *testing.T, s *server, machines int) {
	t.Helper()
	for _, lang := range []string{"pt", "es"} {
		s.write(t, "content/"+lang+"/index.md", "# Início\n\n[GPU](gpu.md)\n")
		s.write(t, "content/"+lang+"/gpu.md", machinesPage)
	}
	s.gpudocs(t, "verify", "--machine", "model")
	text := s.read(t, "results/model.json")
	for i := range machines {
		var r map[string]any
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		gpu := func(n int, name, driver, cuda string) map[string]any {
			devices := make([]any, n)
			for i := range devices {
				devices[i] = map[string]any{"name": name, "memory_bytes": 8 << 30, "compute": "8.6"}
			}
			return map[string]any{"status": "ok", "driver": driver, "cuda": cuda, "devices": devices}
		}
		m := r["machine"].(map[string]any)
		switch i {
		case 0:
			m["name"], m["gpu"] = "deepnine", gpu(2, "NVIDIA GeForce RTX 2070", "460.91.03", "11.2")
		case 1:
			m["name"], m["gpu"] = "deepten", gpu(4, "NVIDIA RTX A6000", "550.54.14", "12.4")
			for _, c := range r["checks"].([]any) {
				if c := c.(map[string]any); c["name"] == "soma" {
					end(r, c, "failed", map[string]any{"code": "output-differs"})
				}
			}
		case 2:
			m["name"], m["gpu"] = "nogpu", map[string]any{"status": "none", "code": "no-library"}
		default:
			m["name"], m["gpu"] = fmt.Sprintf("node%02d", i), gpu(8, "NVIDIA H100", "550.54.14", "12.4")
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		s.write(t, fmt.Sprintf("results/%s.json", m["name"]), string(data))
	}
}

// shifts adds up the layout shifts of a page while it loads.
const shifts = `window.moved = 0; new PerformanceObserver(l => l.getEntries().forEach(e => { moved += e.value })).observe({type: "layout-shift", buffered: true})`

// What the page says of the machine now.
const (
	verdictNow  = `[...document.querySelectorAll(".mine-of")].filter(e => e.checkVisibility()).map(e => e.querySelector(".mine-text").textContent).join("|")`
	liveNow     = `[...document.querySelectorAll(".live-mine")].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join("|")`
	needsNow    = `[...document.querySelectorAll(".meets")].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join("|")`
	meantNow    = `[...document.querySelectorAll(".meant")].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join("|")`
	outcomeNow  = `[...document.querySelectorAll(".panel-mine")].filter(e => e.checkVisibility()).map(e => e.textContent.trim()).join("|")`
	tabsNow     = `[...document.querySelector("[id='code-soma.results'] .switch").children].filter(e => e.tagName === "INPUT").map(e => e.value + (e.checked ? "*" : "")).join(" ")`
	rememberNow = `localStorage.getItem("gpudocs-machine")`
)

func TestMachineByAddress(t *testing.T) {
	site := serve(t, func(string) bool { return false }, func(s *server) { lab(t, s, 3) })
	tb := openTab(t, site.base)
	tb.onNewDocument(shifts)

	// Without a choice all machines are shown alike.
	tb.visit("pt/gpu/")
	for _, what := range []string{verdictNow, liveNow, needsNow, meantNow, outcomeNow} {
		is(tb, what, "")
	}
	is(tb, `document.querySelector(".pick").selectedOptions[0].textContent`, "todas as máquinas")
	before := eval[string](tb, tabsNow)

	// The address selects the machine, and the page is complete from the first frame.
	for range 3 { // a busy machine may draw half of a page
		tb.visit("pt/gpu/?machine=deepten")
		is(tb, verdictNow, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
		if eval[float64](tb, "moved") == 0 {
			break
		}
	}
	is(tb, liveNow, "(4 × RTX A6000, deepten: 4)")
	is(tb, needsNow, "4 × RTX A6000, deepten atende: gpus 4")
	is(tb, meantNow, "4 × RTX A6000, deepten: esta saída|4 × RTX A6000, deepten: outra saída")
	is(tb, outcomeNow, "4 × RTX A6000, deepten passou|4 × RTX A6000, deepten passou|4 × RTX A6000, deepten falhou")
	is(tb, tabsNow, "deepten* deepnine model nogpu")
	is(tb, `document.querySelector(".pick").value`, "deepten")
	is(tb, "moved", 0.0)
	tb.picture("machine", false)

	// Its links lead to the machine's tab in the panels.
	tb.click(`.mine-of:not([hidden]) a[href="#code-soma.results.2"]`)
	tb.until(`document.getElementById("code-soma.results.2").checkVisibility()`)
	is(tb, `document.getElementById("code-soma.results.2").querySelector(".facts b").textContent.trim()`, "4 × RTX A6000, deepten")

	// Opening a tab changes nothing but its panel.
	tb.click(`label[for="code-soma.results.1-t"]`)
	tb.until(`document.getElementById("code-soma.results.1").checkVisibility()`)
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
	is(tb, rememberNow, "deepten")

	// The choice stays on linked pages, and in the other language.
	tb.click(`article a[href="../"]`)
	tb.at("pt/")
	is(tb, `document.querySelector(".pick").value`, "deepten")
	tb.visit("es/gpu/")
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 pasaron, 1 falló")

	// Unknown names are ignored, in the address and in the browser's storage.
	tb.visit("es/gpu/?machine=vanished")
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 pasaron, 1 falló")
	eval[any](tb, `localStorage.setItem("gpudocs-machine", "vanished\"] *")`)
	tb.visit("pt/gpu/")
	is(tb, verdictNow, "")
	is(tb, tabsNow, before)
	tb.visit("pt/gpu/?machine=nogpu")
	is(tb, verdictNow, "só CPU, nogpu: todas as 3 verificações passam")
	is(tb, `document.querySelectorAll(".mine-of:not([hidden]) li").length`, 0)
	tb.visit("pt/gpu/?machine=") // no machine
	is(tb, verdictNow, "")
	is(tb, rememberNow, any(nil))

	// In print an open panel is as on the screen: the machine's alone. It continues on the next page.
	tb.visit("pt/gpu/?machine=deepten")
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
	tb.openDetails()
	is(tb, `[...document.querySelectorAll("[id='code-soma.results'] .pane")].filter(e => e.checkVisibility()).map(e => e.id).join()`, "code-soma.results.2")
	is(tb, `[...document.querySelectorAll(".panel")].every(p => getComputedStyle(p).breakInside === "auto")`, true)
}

func TestMachineByPicker(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		lab(t, s, 3)
		s.write(t, "gpudocs.toml", s.read(t, "gpudocs.toml")+"\n[site]\nrepository = \"https://github.com/lab/site\"\n")
	})
	tb := openTab(t, site.base)
	const report = `decodeURIComponent(document.querySelector(".changed a").href).match(/Máquina: (.*)/)[1]`
	tb.visit("pt/gpu/?x=1#code-soma")
	unknown := eval[string](tb, report)
	eval[any](tb, `document.querySelector(".pick").focus()`)
	is(tb, `document.querySelector(".pick").labels[0].textContent.trim().startsWith("Máquina")`, true)
	tb.press("4") // × RTX A6000, deepten
	tb.until(`document.querySelector(".pick").value === "deepten"`)
	tb.until(verdictNow + ` === "4 × RTX A6000, deepten: 2 passaram, 1 falhou"`)
	is(tb, `document.querySelector(".picked").textContent`, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
	is(tb, report, "deepten")                                                   // where to report a wrong result, of which machine
	is(tb, "location.search + location.hash", "?x=1&machine=deepten#code-soma") // to copy and send
	is(tb, tabsNow, "deepten* deepnine model nogpu")
	is(tb, "document.activeElement.className", "pick")

	tb.press(kb.Home) // all machines
	tb.until(verdictNow + ` === ""`)
	is(tb, report, unknown)
	is(tb, "location.search + location.hash", "?x=1#code-soma")
	is(tb, `document.querySelector(".picked").textContent`, "As páginas mostram todas as máquinas por igual")
	is(tb, tabsNow, "deepten* deepnine model nogpu") // the failure first, as without a choice
	is(tb, rememberNow, any(nil))

	// It is readable in both schemes; on a phone it is large enough for a finger, and nothing is too wide.
	tb.visit("pt/gpu/?machine=deepten")
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		tb.contrast("a machine", scheme)
	}
	tb.size(360, 740)
	is(tb, "document.documentElement.scrollWidth", 360)
	is(tb, `[...document.querySelectorAll(".picker, .mine-link, .mine-of a")].filter(e => e.checkVisibility()).every(e => (r => r.height >= 43.5 && r.width >= 43.5)(e.getBoundingClientRect()))`, true)
	tb.picture("machine-phone", false)

	// Without scripts there is no picker, and no machine is selected.
	tb.withoutScripts()
	tb.visit("pt/gpu/?machine=deepten")
	is(tb, `document.querySelector(".picker").checkVisibility()`, false)
	is(tb, verdictNow+"+"+liveNow+"+"+outcomeNow, "")
}

// TestMachineWithoutMemory checks that if a browser stores nothing, the site's links pass the choice on.
func TestMachineWithoutMemory(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) { lab(t, s, 2) })
	tb := openTab(t, site.base)
	tb.onNewDocument(`for (const f of ["getItem", "setItem", "removeItem"]) Storage.prototype[f] = () => { throw new Error("blocked") }`)
	tb.visit("pt/?machine=deepten")
	tb.click(`article a[href="gpu/"]`)
	tb.at("pt/gpu/?machine=deepten")
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
	tb.click(`.toc a, article a[href="#code-soma"], .mine-of:not([hidden]) a[href^="#"]`)
	tb.until(`location.hash !== ""`)
	is(tb, "location.search", "?machine=deepten")
}

// If there are more machines than a page has room for, the results of the others are fetched when
// one is chosen. Opened from a disk, or on a site without these files, the page says why it cannot.
func TestMachineComesLater(t *testing.T) {
	site := serve(t, func(string) bool { return false }, func(s *server) { lab(t, s, 12) })
	tb := openTab(t, site.base)
	tb.onNewDocument(shifts)
	tb.visit("pt/gpu/index.html")
	is(tb, `document.querySelectorAll("[data-for=node11], [data-of=node11]").length`, 0)
	is(tb, `document.querySelector(".panel-left").textContent.startsWith("Há resultados de mais 5 máquinas")`, true)
	tb.visit("pt/gpu/index.html?machine=node11#code-soma.results.12")
	tb.until(verdictNow + ` === "8 × H100, node11: passou 3"`)
	is(tb, outcomeNow, "8 × H100, node11 passou|8 × H100, node11 passou|8 × H100, node11 passou")
	is(tb, tabsNow+".split(' ')[0]", "node11*")
	tb.until(`document.getElementById("code-soma.results.12").checkVisibility()`)
	is(tb, `document.querySelectorAll("[data-of=node11]").length`, 9)
	is(tb, `document.querySelector("[id='code-soma.results.12'] samp").textContent`, "soma\n")
	is(tb, `document.querySelector("[id='code-soma.results.12'] .facts").textContent.includes("8 × NVIDIA H100")`, true)
	eval[any](tb, `(p => { p.value = "deepten"; p.dispatchEvent(new Event("change")) })(document.querySelector(".pick"))`)
	is(tb, verdictNow, "4 × RTX A6000, deepten: 2 passaram, 1 falhou")
	is(tb, tabsNow+".split(' ')[0]", "deepten*")
	eval[any](tb, `(p => { p.value = "node10"; p.dispatchEvent(new Event("change")) })(document.querySelector(".pick"))`)
	tb.until(verdictNow + ` === "8 × H100, node10: passou 3"`)
	is(tb, tabsNow+".split(' ')[0]", "node10*")
	tb.visit("pt/gpu/index.html?machine=node10")
	tb.until(verdictNow + ` === "8 × H100, node10: passou 3"`)
	is(tb, "moved < 0.05", true)                   // the verdict's place was reserved; lines of panels make room for the machine
	tb.visit("pt/gpu/index.html?machine=node11#%") // an invalid escape in the address
	tb.until(verdictNow + ` === "8 × H100, node11: passou 3"`)

	// The same on the page of the whole section.
	tb.visit("pt/_print/index.html?machine=node11")
	tb.until(outcomeNow + ` === "8 × H100, node11 passou|8 × H100, node11 passou|8 × H100, node11 passou"`)
	is(tb, `document.querySelectorAll("[data-of=node11]").length`, 9)
	is(tb, `document.querySelectorAll("[id='_p.2.code-soma.results.12']").length`, 1)
	is(tb, `[...document.querySelectorAll("input[value=node11]")].every(r => r.checked && r.labels.length === 1)`, true)

	out := filepath.Join(t.TempDir(), "out")
	site.gpudocs(t, "build", "--output", out)
	tb = openTab(t, "file://"+out+"/")
	tb.visit("es/gpu/index.html?machine=node11")
	tb.until(verdictNow + `.startsWith("Los resultados de esta máquina no están en esta página, y un archivo abierto desde el disco")`)
	is(tb, outcomeNow, "")

	site = serve(t, func(string) bool { return false }, func(s *server) {
		lab(t, s, 12)
		s.write(t, "gpudocs.toml", s.read(t, "gpudocs.toml")+"\n[publish]\nfeeds = false\n")
	})
	tb = openTab(t, site.base)
	tb.visit("pt/gpu/?machine=node11")
	tb.until(verdictNow + ` === "Os resultados desta máquina não estão nesta página, e este site não os publica."`)
}

// TestMachineThatLacksSomething checks a machine without what a block needs: what is expected of the block stays in view,
// and its mark, which is longer than that of all machines, has room in the head. It has no empty table of measures.
func TestMachineThatLacksSomething(t *testing.T) {
	t.Parallel()
	tb := openTab(t, fleet(t).base)
	tb.size(390, 800)
	// A table of answers has room for three machines on a tablet.
	tb.size(768, 900)
	tb.visit("pt/gpu/")
	is(tb, `[...document.querySelectorAll(".preview-values.scroll")].filter(e => e.scrollWidth > e.clientWidth).length`, 0)
	tb.size(390, 800)
	const promise = `[...document.querySelectorAll(".preview-promise")].filter(e => e.checkVisibility()).map(e => e.textContent + ": " + e.parentNode.querySelector("samp").textContent.trim()).join("|")`
	tb.visit("pt/gpu/")
	is(tb, promise, "")
	tb.visit("pt/gpu/?machine=tatu")
	is(tb, promise, "saída esperada: thread 0\nthread 1")
	is(tb, `[...document.querySelectorAll("figcaption > span")].filter(s => { const box = s.closest("figure").querySelector(".panel-mine:not([hidden])");
		if (!box || !s.checkVisibility()) return false;
		const a = s.getBoundingClientRect(), b = box.getBoundingClientRect();
		return a.right > b.left && a.left < b.right && a.bottom > b.top + 8 && a.top < b.bottom - 8 }).map(s => s.textContent).join("|")`, "")
	is(tb, `[...document.querySelectorAll(".panel-mine.is-not-applicable:not([hidden])")].filter(e => getComputedStyle(e).color !== getComputedStyle(e.closest("figure").querySelector("figcaption")).color).length`, 0)
	const tables = `[...document.querySelectorAll(".measures .scroll")].filter(e => e.checkVisibility()).length`
	tb.visit("pt/pytorch/?machine=tatu")
	is(tb, tables, 0)
	tb.visit("pt/pytorch/?machine=mico")
	is(tb, tables, 2) // the list, and a grid of the block with matrix=
	is(tb, `[...document.querySelectorAll(".measures table")].filter(e => e.checkVisibility() && ![...e.querySelectorAll("td b")].some(b => b.checkVisibility())).length`, 0)
}
