package browser

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// ownGPU writes a site that asks for GPUs. Its reports are made up.
func ownGPU(t *testing.T, s *server) {
	t.Helper()
	lab(t, s, 2)
	for _, lang := range []string{"pt", "es"} {
		s.write(t, "content/"+lang+"/index.md", "# Início\n\n:::my-gpu\n:::\n\n[GPU](gpu.md) [Novo](novo.md)\n")
		s.write(t, "content/"+lang+"/novo.md", "# Novo\n\n```bash {run name=livre}\ntrue\n```\n\n## Várias\n\n```bash {run name=duas needs=\"gpus >= 2\"}\ntrue\n```\n\n"+
			"```bash {run name=cu130 needs=\"runs cu130\"}\ntrue\n```\n\n```bash {run name=torch needs=\"gpus >= 1 and torch >= 2.1\"}\ntrue\n```\n\n"+
			"```bash {run name=grande needs=\"memory >= 16 GiB\"}\ntrue\n```\n\n```bash {run name=fila needs=\"slurm\"}\ntrue\n```\n\n```bash {run name=qual}\ntrue\n```\n\n```text {expect when=\"compute >= 8.0\"}\nnova\n```\n\n```text {expect}\nvelha\n```\n\n"+
			"```gpu name=perguntas\ndriver >= 535\nruns cu130\n```\n\n```gpu name=medidas\ncopy host-to-device\n```\n")
	}
}

// TestTabsForGPU: of tabs that say what they need, the one for the reader's machine is open, unless the reader has chosen another.
func TestTabsForGPU(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		ownGPU(t, s)
		pip := func(title, wheel string) string {
			return ":::tab " + title + "\n```bash\npip install torch --index-url https://download.pytorch.org/whl/" + wheel + "\n```\n:::\n"
		}
		s.write(t, "content/pt/abas.md", "# Abas\n\n::::tabs\n"+pip("Novo {#novo}", "cu130")+pip("Médio", "cu126")+pip("Velho", "cu118")+pip("Só CPU", "cpu")+"::::\n\nTexto.\n\n"+
			":::tab Qualquer\nTexto\n:::\n:::tab Duas\n```bash {run name=par needs=\"gpus >= 2\"}\ntrue\n```\n:::\n:::tab Uma\n```bash {run name=uma needs=\"gpus == 1\"}\ntrue\n```\n:::\n\nTexto.\n\n"+
			":::tab cu118\nTexto\n:::\n:::tab cu126 ou cu118\nTexto\n:::\n\n"+
			"```bash {run name=saida}\necho 1\n```\n```text {expect when=torch}\n1\n```\n```text {expect when=\"not torch\"}\n1\n```\n")
		version := func(title, torch, wheel string) string {
			return ":::tab " + title + "\n```bash\npip install " + torch + " --index-url https://download.pytorch.org/whl/" + wheel + "\n```\n:::\n"
		}
		s.write(t, "content/pt/versoes.md", "# Versões\n\n::::tabs\n"+version("Novo", "torch", "cu130")+version("Blackwell", "torch==2.11.*", "cu128")+
			version("Médio", "torch==2.14.*", "cu126")+version("Velho", "torch", "cu118")+version("Kepler", "torch==2.3.*", "cu118")+"::::\n")
		s.write(t, "content/pt/saidas.md", "# Saídas\n\n:::tab Uma saída\n```bash {run name=versao}\necho torch\n```\n\n```text {expect}\n2.11.0+cu130\n```\n:::\n:::tab Outra\nTexto\n:::\n\nTexto.\n\n"+
			":::::tabs\n::::tab Fora\n:::tab Três\n```bash {run name=tres needs=\"gpus >= 3\"}\ntrue\n```\n:::\n:::tab Sem\n```bash {run name=zero needs=\"gpus == 0\"}\ntrue\n```\n:::\n::::\n::::tab Nada\nTexto\n::::\n:::::\n")
	})
	tb := openTab(t, site.base)
	const open = `[...document.querySelectorAll(".switch-tabs > input:checked")].map(r => r.value).join()`
	tb.visit("pt/abas/")
	is(tb, open, "Novo,Qualquer,cu118") // as the author has them
	for _, c := range [][2]string{
		{"gpu=k80", "Velho,Uma,cu118"}, {"gpu=rtx-3060&driver=535", "Médio,Uma,cu118"}, {"gpu=h100", "Novo,Uma,cu118"}, {"gpu=2x-h100&driver=580.65.06", "Novo,Duas,cu118"},
		{"gpu=m10", "Médio,Uma,cu118"}, {"gpu=none", "Só CPU,Qualquer,cu126 ou cu118"}, {"machine=deepnine", "Velho,Duas,cu118"}, {"machine=deepten", "Médio,Duas,cu118"}, {"machine=", "Novo,Qualquer,cu118"},
	} {
		tb.visit("pt/abas/?" + c[0])
		tb.until(open + " === " + fmt.Sprintf("%q", c[1]))
	}
	for _, c := range [][2]string{
		{"gpu=rtx-5090&driver=572.83&os=windows", "Blackwell"}, {"gpu=rtx-5090&driver=570.86.15", "Blackwell"}, {"gpu=rtx-5090&driver=581.15&os=windows", "Novo"},
		{"gpu=gtx-960m&driver=560.94&os=windows", "Médio"}, {"gpu=rtx-3060&driver=470.256.02", "Velho"}, {"gpu=k80&driver=470.256.02", "Kepler"},
	} {
		tb.visit("pt/versoes/?" + c[0])
		tb.until(open + " === " + fmt.Sprintf("%q", c[1]))
	}
	tb.visit("pt/abas/?gpu=h100")
	tb.until(open + ` === "Novo,Uma,cu118"`)
	is(tb, meantNow, "") // a GPU does not say whether PyTorch is installed
	tb.visit("pt/saidas/?gpu=none")
	tb.until(open + ` === "Uma saída,Fora,Sem"`)
	tb.visit("pt/saidas/?gpu=k80") // of what a tab prints nothing follows, and of tabs in a tab one is enough
	tb.until(ownName + `?.startsWith("K80")`)
	tb.until(open + ` === "Uma saída,Fora,Três"`)
	tb.visit("pt/abas/?gpu=k80#novo") // where a link leads to
	tb.until(open + ` === "Novo,Uma,cu118"`)
	tb.visit("pt/abas/?gpu=k80")
	tb.until(open + ` === "Velho,Uma,cu118"`)
	tb.click(".mine-own [data-forget]")
	tb.until(open + ` === "Novo,Qualquer,cu118"`)
	tb.visit("pt/abas/?gpu=k80")
	tb.until(open + ` === "Velho,Uma,cu118"`)
	tb.click(`[id="_tabs.1.2-t"] + label`) // what the reader chooses
	tb.visit("pt/abas/?gpu=k80&driver=470")
	tb.until(ownName + `?.startsWith("K80 (12 GB), driver 470")`)
	tb.until(open + ` === "Médio,Uma,cu118"`)
}

// ownGPUSites returns the address of the site of ownGPU on a server and in a folder.
func ownGPUSites(t *testing.T) []string {
	t.Helper()
	site := serve(t, func(string) bool { return false }, func(s *server) { ownGPU(t, s) })
	out := filepath.Join(t.TempDir(), "out")
	site.gpudocs(t, "build", "--output", out)
	return []string{site.base, "file://" + out + "/"}
}

// TestSearchForCard: the name of a card leads to what runs on it, and to the machines that have it.
func TestSearchForCard(t *testing.T) {
	t.Parallel()
	for _, base := range ownGPUSites(t) {
		tb := openTab(t, base)
		search := func(query string) []string {
			tb.visit("pt/novo/index.html")
			tb.slash()
			tb.until("document.querySelector('dialog.search')?.open")
			return tb.searches(query)
		}
		for _, word := range []string{"verificações", "verificação 5"} {
			if got := search(word); strings.Contains(strings.Join(got, ""), "nela") || eval[bool](tb, `!!window.gpudocs.gpu`) {
				t.Errorf("%s finds %q", word, got)
			}
		}
		if got := search("rtx 2070 driver 460"); len(got) < 3 || got[0] != "> RTX 2070 (8 GB): o que roda nela" || got[1] != "> 2 × RTX 2070, deepnine: os resultados" || got[2] != "> Início" {
			t.Fatalf("a card finds %q", got)
		}
		is(tb, `document.querySelectorAll(".search [role=option]")[1].href.endsWith("index.html?machine=deepnine#_machines") || document.querySelectorAll(".search [role=option]")[1].pathname === "/pt/_status/"`, true)
		tb.press(kb.Enter)
		tb.until(ownName + ` === "RTX 2070 (8 GB), driver 460 · sua GPU"`)
		is(tb, `document.querySelector("form.my-gpu [name=gpu]").value`, "RTX 2070 (8 GB)")
		if got := search("minha GPU"); len(got) < 2 || got[1] != "- Funciona na minha GPU?" {
			t.Errorf("the field is not found: %q", got)
		}
	}
}

// TestSameCardLater: what the page did on a deferred machine with the reader's card is in the answer, and nowhere else on the page.
func TestSameCardLater(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		lab(t, s, 12)
		s.write(t, "results/node11.json", strings.ReplaceAll(s.read(t, "results/node11.json"), "NVIDIA H100", "NVIDIA GeForce RTX 3060"))
	})
	out := filepath.Join(t.TempDir(), "out")
	site.gpudocs(t, "build", "--output", out)
	tb := openTab(t, site.base)
	tb.visit("pt/gpu/?gpu=rtx-3060-8gb")
	tb.until(`document.querySelector('.mine-own li a[href="?machine=node11"]')?.textContent === "Na mesma placa, 8 × RTX 3060, node11: passou 3"`)
	is(tb, verdictNow+"+"+outcomeNow, "Todos os 3 blocos rodariam nela.")
	is(tb, `["rtx-3060-8gb", "rtx-3060"].map(id => gpudocs.gpu.machinesWith(gpudocs.gpu.read("gpu=" + id).devices[0].card).join()).join("|")`, "node11|") // that has 12 GB
	eval[any](tb, `(p => { p.value = "node11"; p.dispatchEvent(new Event("change")) })(document.querySelector(".pick"))`)
	tb.until(verdictNow + ` === "8 × RTX 3060, node11: passou 3"`)
	is(tb, outcomeNow, "8 × RTX 3060, node11 passou|8 × RTX 3060, node11 passou|8 × RTX 3060, node11 passou")
	tb = openTab(t, "file://"+out+"/") // from where they cannot be fetched
	tb.visit("pt/gpu/index.html?gpu=rtx-3060-8gb")
	tb.until(ownName + `?.startsWith("RTX 3060")`)
	is(tb, verdictNow+"+"+outcomeNow, "Todos os 3 blocos rodariam nela.")
}

const (
	ownName   = `document.querySelector(".mine-own .mine-name")?.textContent`
	ownText   = `document.querySelector(".mine-own .mine-text")?.textContent`
	ownCode   = `document.querySelector(".mine-own code")?.textContent`
	ownStored = `localStorage.getItem("gpudocs-gpu")`
	smi       = "| NVIDIA-SMI 550.54.14              Driver Version: 550.54.14      CUDA Version: 12.4     |\n" +
		"|   0  NVIDIA A100-SXM4-40GB          On  |   00000000:07:00.0 Off |                    0 |\n| N/A   30C    P0              43W / 400W |       0MiB / 40960MiB  |      0%      Default |\n" +
		"|   1  NVIDIA A100-SXM4-40GB          On  |   00000000:0A:00.0 Off |                    0 |\n| N/A   30C    P0              43W / 400W |       0MiB / 40960MiB  |      0%      Default |\n"
)

// TestOwnGPU: a reader names a GPU, pastes what nvidia-smi prints, shares the answer, and removes it again; also from a folder.
func TestOwnGPU(t *testing.T) {
	t.Parallel()
	sites := ownGPUSites(t)
	for _, base := range sites {
		tb := openTab(t, base)
		tb.visit("pt/novo/index.html")
		is(tb, `!!window.gpudocs.gpu`, false) // it is loaded only if a reader asks

		// A card and its driver in the field of the home page.
		tb.visit("pt/index.html")
		tb.click(`form.my-gpu [name=gpu]`)
		tb.press("RTX 2070, driver 460" + kb.Enter)
		tb.until(ownName + ` === "RTX 2070 (8 GB), driver 460 · sua GPU"`)
		is(tb, `[...document.querySelectorAll("form.my-gpu input")].map(e => e.value).join()`, "RTX 2070,460")
		eval[any](tb, "localStorage.clear()")

		// A line of nvidia-smi -L in the field of the home page, and then a name.
		tb.visit("pt/index.html")
		tb.click(`form.my-gpu [name=gpu]`)
		tb.press("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)" + kb.Enter)
		tb.until(ownName + ` === "A100 (40 GB), driver 450 ou mais novo · sua GPU"`)
		eval[any](tb, "localStorage.clear()")
		tb.visit("pt/index.html")
		is(tb, `document.querySelector("form.my-gpu").checkVisibility()`, true)
		tb.click(`form.my-gpu [name=gpu]`)
		tb.press("rtx3060" + kb.Tab + "535" + kb.Enter)
		tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
		tb.until(`document.querySelector(".my-gpu-answer .mine-why a").textContent === "Novo"`)
		is(tb, `document.querySelector(".pick").selectedOptions[0].textContent`, "RTX 3060 (12 GB) (sua GPU)")
		is(tb, ownStored, "gpu=rtx-3060&driver=535&os=linux\nRTX 3060 (12 GB) (sua GPU)")
		is(tb, `document.querySelector(".picked").textContent !== ""`, true)

		// Pages answer block by block, in each language.
		tb.visit("pt/novo/index.html")
		tb.until(ownText + ` === "4 de 8 blocos rodariam nela. 1 talvez. 3 não rodariam. Além da GPU, precisam de: PyTorch 2.1 ou superior."`)
		is(tb, ownCode, `pip install "torch==2.14.*" --index-url https://download.pytorch.org/whl/cu126`)
		is(tb, needsNow, "não na sua: precisa de 2 GPUs; a sua tem 1|não na sua: este driver (535, CUDA 12.2) não consegue rodar cu130: é preciso >= 580.65.06|"+
			"roda na sua com PyTorch 2.1 ou superior|não na sua: precisa de 16 GiB de memória de GPU; a sua tem 12 GB|roda na sua com Slurm|driver >= 535: sim|runs cu130: não na sua: este driver (535, CUDA 12.2) não consegue rodar cu130: é preciso >= 580.65.06")
		is(tb, meantNow, "para a sua|não é para a sua")
		is(tb, `document.querySelector('.mine-own a[href="#code-duas"]').closest("li").textContent`, "Precisa de 2 GPUs; a sua tem 1: Várias · duas")
		tb.picture("own", false)
		tb.visit("es/novo/index.html")
		tb.until(ownText + `?.startsWith("4 de 8 bloques")`)

		// Pasted into the form, by keyboard. The form says what it has found, and what it does not understand.
		eval[any](tb, `(p => { p.value = "~?"; p.dispatchEvent(new Event("change")) })(document.querySelector(".pick"))`)
		tb.until(`document.querySelector("dialog.my-gpu-dialog").open`)
		is(tb, `document.activeElement.name`, "gpu")
		is(tb, `document.querySelector(".my-gpu-dialog [name=driver]").value`, "535")
		eval[any](tb, `(a => { a.value = "hola"; a.dispatchEvent(new Event("input")) })(document.querySelector("textarea[name=paste]"))`)
		is(tb, `document.querySelector(".my-gpu-say").textContent.startsWith("No hay ninguna GPU")`, true)
		tb.paste("GPU 0: Orin (nvgpu) (UUID: 1)")
		is(tb, `document.querySelector(".my-gpu-say").textContent`, "Encontrado: Jetson Orin. El driver no dice qué placa es: elige la tuya, o las respuestas valen para todas.")
		is(tb, `[...document.querySelector(".my-gpu-dialog [name=card]").options].map(o => o.value).join()`, "jetson-agx-orin,jetson-agx-orin-32gb,jetson-orin-nx,jetson-orin-nx-8gb,jetson-orin-nano,jetson-orin-nano-4gb")
		tb.paste("GPU 0: NVIDIA Quadro Nova (UUID: 1)")
		is(tb, `document.querySelector(".my-gpu-say").textContent.includes("pega lo que muestra nvidia-smi --query-gpu=name,memory.total,compute_cap")`, true)
		tb.paste(smi)
		is(tb, `document.querySelector(".my-gpu-say").textContent`, "Encontrado: 2 × A100 (40 GB), driver 550.54.14, CUDA 12.4.")
		tb.picture("own-form", false)
		tb.click(`.my-gpu-dialog [type=submit]`)
		tb.until(ownName + ` === "2 × A100 (40 GB), driver 550.54.14 · tu GPU"`)
		is(tb, `document.querySelector("dialog.my-gpu-dialog").open`, false)
		is(tb, ownStored, "gpu=2x-a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux\n2 × A100 (40 GB) (tu GPU)")

		// It is shared by the address, which overrides what is stored; nothing of a hostile one is shown.
		if strings.HasPrefix(base, "http:") {
			is(tb, "location.search", "?gpu=2x-a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux")
		}
		tb.visit("pt/novo/index.html?gpu=k80&driver=470.256.02&os=linux")
		tb.until(ownName + ` === "K80 (12 GB), driver 470.256.02 · sua GPU"`)
		is(tb, ownCode, `pip install "torch==2.3.*" --index-url https://download.pytorch.org/whl/cu118`)
		is(tb, meantNow, "não é para a sua|para a sua")
		tb.visit("pt/novo/index.html?gpu=k80") // there is no later driver for it than 470
		tb.until(ownName + ` === "K80 (12 GB), no máximo driver 470 · sua GPU"`)
		is(tb, `[...document.querySelectorAll(".meets")].find(m => m.textContent.startsWith("driver >= 535")).textContent`, "driver >= 535: não na sua: precisa de driver 535 ou superior, o que é impossível na sua: o último driver dela é o 470")
		tb.visit("pt/novo/index.html?gpu=k80&driver=535")
		tb.until(`document.querySelector(".mine-own .mine-off")?.textContent.startsWith("Não existe driver 535 para esta GPU; a última série é a 470")`)
		tb.visit("pt/novo/index.html?gpu=k80&driver=470.256.02")
		tb.visit("pt/gpu/index.html") // remembered
		tb.until(ownName + ` === "K80 (12 GB), driver 470.256.02 · sua GPU"`)
		tb.visit("pt/novo/index.html?gpu=%3Cb%3E~1")
		tb.until(ownName + ` === "K80 (12 GB), driver 470.256.02 · sua GPU"`) // what is remembered stays

		// What every driver for a card meets, and what a machine without a GPU may.
		tb.visit("pt/novo/index.html?gpu=rtx-5090")
		tb.until(ownName + ` === "RTX 5090 (32 GB), driver 570 ou mais novo · sua GPU"`)
		is(tb, `[...document.querySelectorAll(".meets")].find(m => m.textContent.startsWith("driver >= 535")).textContent`, "driver >= 535: sim")
		is(tb, `(t => {
			const driver = t["driver >= 535"], torch = t["gpus >= 1 and torch >= 2.1"].and[1];
			Object.assign(t, {a: {or: [driver, torch]}, b: {not: driver}, c: {and: [torch, driver]}});
			return ["a", "b", "c", "of a newer page"].map(n => gpudocs.gpu.answer(n, gpudocs.gpu.read("gpu=none")).status).join();
		})(gpudocs.gpu.site.trees)`, "passed,skipped,skipped,none")

		// What the page did on machines with the same card.
		tb.visit("pt/novo/index.html?gpu=rtx-2070")
		tb.until(ownName + `?.startsWith("RTX 2070")`)
		tb.visit("pt/gpu/index.html")
		tb.until(`document.querySelector('.mine-own li a[href="?machine=deepnine"]')?.textContent.startsWith("Na mesma placa, 2 × RTX 2070, deepnine: ")`)

		// A lab machine instead of it, and back; then it is removed.
		tb.visit("pt/novo/index.html?gpu=rtx-3060")
		tb.until(ownName + `?.startsWith("RTX 3060")`)
		is(tb, `document.querySelector(".mine-own").textContent.includes("Precisa do driver 580.65.06 ou mais novo.")`, true)
		tb.tabTo(".mine-own [data-change]")
		tb.press(kb.Enter)
		tb.until(`document.querySelector("dialog.my-gpu-dialog").open`)
		tb.press("t4" + kb.Enter)
		tb.until(ownName + `?.startsWith("T4")`)
		is(tb, `document.activeElement.matches(".mine-own [data-change]")`, true)
		is(tb, `document.querySelector(".picked").textContent === `+ownText, true)
		tb.visit("pt/novo/index.html?machine=deepten")
		is(tb, `document.querySelectorAll(".mine-own").length`, 0)
		tb.visit("pt/novo/index.html?gpu=rtx-3060")
		tb.until(ownName + `?.startsWith("RTX 3060")`)
		tb.click(".mine-own [data-forget]")
		tb.until(`document.querySelector(".pick").value === ""`)
		is(tb, ownStored, any(nil))
		is(tb, rememberNow, any(nil))
		is(tb, `[...document.querySelectorAll("[data-for='~']")].filter(e => e.checkVisibility()).length`, 0)

		// Chosen, changed and removed in another tab of the browser, where the page is in the other language.
		other := func(key, value string) {
			eval[any](tb, fmt.Sprintf(`localStorage.setItem(%[1]q, %[2]q), dispatchEvent(new StorageEvent("storage", {key: %[1]q, newValue: %[2]q})), 0`, "gpudocs-"+key, value))
		}
		tb.visit("pt/novo/index.html?machine=")
		other("gpu", "gpu=t4&driver=535&os=linux\nT4 (tu GPU)")
		other("machine", "~")
		tb.until(ownName + `?.startsWith("T4")`)
		is(tb, `document.querySelector(".pick").selectedOptions[0].textContent`, "T4 (16 GB) (sua GPU)")
		other("gpu", "gpu=k80&driver=470&os=linux\nK80 (tu GPU)")
		tb.until(ownName + `?.startsWith("K80")`)
		other("gpu", "")
		other("machine", "")
		is(tb, `[...document.querySelector(".pick").options].some(o => o.value === "~") + document.querySelector(".pick").value`, "false")

		// A name that is not in the list.
		tb.visit("pt/index.html")
		tb.click(`form.my-gpu [name=gpu]`)
		tb.press("radeon" + kb.Enter)
		tb.until(`document.querySelector("dialog.my-gpu-dialog")?.open`)
		is(tb, `document.querySelector(".my-gpu-say").textContent.startsWith("Nenhuma GPU")`, true)
		is(tb, `document.querySelector(".my-gpu-say").textContent.includes("CUDA só roda em GPUs da NVIDIA")`, true)
		tb.press(kb.Escape)
		tb.until(`!document.querySelector("dialog.my-gpu-dialog").open`)

		// None is an answer, in the field and in the form.
		eval[any](tb, `document.querySelector("form.my-gpu [name=gpu]").select()`)
		tb.press("nenhuma" + kb.Enter)
		tb.until(ownName + ` === "Sem GPU"`)
		is(tb, ownStored, "gpu=none&os=linux\nSem GPU")
		tb.visit("pt/novo/index.html")
		tb.until(ownText + ` === "2 de 8 blocos rodariam nela. 1 talvez. 5 não rodariam."`)
		is(tb, ownCode, "pip install torch --index-url https://download.pytorch.org/whl/cpu")
		tb.click(".mine-own [data-change]")
		tb.until(`document.querySelector("dialog.my-gpu-dialog")?.open`)
		tb.press("t4" + kb.Enter)
		tb.until(ownName + `?.startsWith("T4")`)
		tb.click(".mine-own [data-change]")
		tb.press("sem GPU" + kb.Enter)
		tb.until(ownName + ` === "Sem GPU"`)
		tb.click(".mine-own [data-forget]")
		tb.visit("pt/index.html")

		// What is not the name of one model is chosen from a list. The answer is scrolled to, and a later visit has it in the field.
		tb.size(390, 700)
		eval[any](tb, `document.querySelector("form.my-gpu [name=gpu]").select()`)
		tb.press("titan" + kb.Tab + "535" + kb.Enter)
		tb.until(`document.querySelector("dialog.my-gpu-dialog").open`)
		is(tb, `(f => f.card.value + "|" + f.card.length + "|" + f.driver.value + "|" + document.activeElement.name)(document.querySelector(".my-gpu-dialog form"))`, "|8|535|card")
		tb.press(kb.Enter)
		tb.click(`.my-gpu-dialog [type=submit]`)
		is(tb, `document.querySelector(".my-gpu-say").textContent.startsWith("Qual destas é a sua?")`, true)
		eval[any](tb, `document.querySelector(".my-gpu-dialog [name=card]").focus()`)
		tb.press(kb.ArrowDown + kb.ArrowDown + kb.ArrowDown)
		tb.click(`.my-gpu-dialog [type=submit]`)
		tb.until(ownName + `?.startsWith("TITAN V")`)
		tb.until(`(r => r.top >= 0 && r.top < innerHeight / 2)(document.querySelector(".mine-own").getBoundingClientRect())`)
		is(tb, `document.querySelector(".mine-install").compareDocumentPosition(document.querySelector(".mine-why")) & 4`, 4.0)
		is(tb, `[...document.querySelectorAll(".mine-own details a")].map(a => a.textContent).join()`, "A sua GPU")
		tb.visit("pt/index.html")
		tb.until(`(f => f.gpu.value + "|" + f.driver.value)(document.querySelector("form.my-gpu")) === "TITAN V (12 GB)|535"`)
		tb.visit("pt/gpu/index.html")
		tb.until(ownName)
		is(tb, `document.querySelectorAll(".mine-install").length`, 0) // it does not use PyTorch
		tb.size(1280, 900)
		for _, address := range tb.requested() { // nothing is sent: files of the site are all that is loaded
			if !strings.HasPrefix(address, base) && !strings.HasPrefix(address, "data:") || regexp.MustCompile(`\?.*gpu=`).MatchString(address) && !strings.Contains(address, "novo/") {
				t.Errorf("requested: %s", address)
			}
		}
	}

	// It is readable, and on a phone large enough for a finger and not too wide.
	tb := openTab(t, sites[0])
	for _, scheme := range []string{"light", "dark"} {
		tb.scheme(scheme)
		tb.visit("pt/novo/?gpu=rtx-3060&driver=535")
		tb.until(ownName)
		tb.contrast("a GPU of the reader", scheme)
	}
	tb.size(360, 740)
	is(tb, "document.documentElement.scrollWidth", 360)
	is(tb, `[...document.querySelectorAll(".mine-own button")].every(e => e.getBoundingClientRect().height >= 43.5)`, true)
	eval[any](tb, `gpudocs.own.ask()`)
	tb.until(`document.querySelector("dialog.my-gpu-dialog")?.open`)
	is(tb, `document.querySelector("dialog.my-gpu-dialog").scrollWidth <= 360`, true)
	tb.picture("own-phone", false)

	// Without scripts the field is a sentence.
	tb.withoutScripts()
	tb.visit("pt/")
	is(tb, `document.querySelector("form.my-gpu").checkVisibility()`, false)
	is(tb, `document.querySelector("noscript").textContent.includes("JavaScript")`, true)
}

// TestDriverAsked: what is no driver is asked about in the field, in the form and for an address, in each language, and what it is meant to be is offered.
func TestDriverAsked(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) { ownGPU(t, s) })
	tb := openTab(t, site.base)
	const said = `document.querySelector("form.my-gpu[data-gpu-field] .my-gpu-answer").textContent`
	ask := func(lang, gpu, driver string) {
		tb.visit(lang + "/")
		eval[any](tb, "localStorage.clear()")
		tb.visit(lang + "/")
		tb.click(`form.my-gpu [name=gpu]`)
		tb.press(gpu + kb.Tab + driver + kb.Enter)
	}
	for _, c := range [][4]string{
		{"pt", "RTX 3060", "12.2", "12.2 é a versão de CUDA? O CUDA 12.2 vem com o driver 535. Usar o driver 535"},
		{"es", "RTX 3060", "CUDA 12.4", "¿Es 12.4 la versión de CUDA? CUDA 12.4 viene con el driver 550. Usar el driver 550"},
		{"pt", "RTX 3060", "abc", "“abc” não é uma versão de driver. O nvidia-smi a mostra nas primeiras linhas: 535.183.01 ou, em resumo, 535."},
		{"es", "RTX 3060", "5350", "“5350” no es una versión de driver. nvidia-smi la muestra en sus primeras líneas: 535.183.01 o, abreviada, 535."},
		{"pt", "RTX 3060 CUDA 12.2", "", "12.2 é a versão de CUDA? O CUDA 12.2 vem com o driver 535. Usar o driver 535"},
		{"pt", "535.183.01", "", "Esta é uma versão de driver ou de CUDA. De qual GPU?"},
	} {
		ask(c[0], c[1], c[2])
		tb.until(said + " === " + fmt.Sprintf("%q", c[3]))
		is(tb, ownStored, any(nil))
	}
	is(tb, `document.querySelector("form.my-gpu [name=driver]").value + document.activeElement.name`, "535.183.01gpu")
	ask("pt", "RTX 3060", "12.2")
	tb.until(said + `.includes("CUDA")`)
	is(tb, `document.querySelector("form.my-gpu [name=driver]").getAttribute("aria-invalid")`, "true")
	tb.click(".my-gpu-answer [data-driver]")
	tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	for _, driver := range []string{"R535", "v535", "driver 535"} {
		ask("pt", "RTX 3060", driver)
		tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	}
	ask("pt", "RTX 3060", "535.183.01-open")
	tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535.183.01 · sua GPU"`)

	// In the form, and in an address.
	tb.click(".mine-own [data-change]")
	tb.until(`document.querySelector("dialog.my-gpu-dialog")?.open`)
	eval[any](tb, `document.querySelector(".my-gpu-dialog [name=driver]").select()`)
	eval[any](tb, `document.querySelector(".my-gpu-dialog [name=driver]").focus()`)
	tb.press("12.2" + kb.Enter)
	tb.until(`document.querySelector(".my-gpu-say").textContent.startsWith("12.2 é a versão de CUDA?")`)
	tb.click(".my-gpu-say [data-driver]")
	tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	tb.visit("pt/novo/?gpu=rtx-3060&driver=12.2")
	tb.until(`document.querySelector(".mine-off")?.textContent.startsWith("12.2 é a versão de CUDA?")`)
	is(tb, `document.querySelector(".mine-own").classList.contains("is-passed")`, false)
	tb.click(".mine-off [data-driver]")
	tb.until(ownName + ` === "RTX 3060 (12 GB), driver 535 · sua GPU"`)
	is(tb, `document.querySelectorAll(".mine-off").length`, 0)
}

// TestCompiledForGPU: blocks that nvcc compiles depend on the toolkit, and pages that do not use PyTorch recommend no wheel. The answer counts
// what the marks of blocks say.
func TestCompiledForGPU(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		ownGPU(t, s)
		s.write(t, "content/pt/cuda.md", "# CUDA\n\n```cuda {run name=kernel}\nint main() {}\n```\n\n```cuda {run name=errado build=fails}\nint x\n```\n\n```bash {run name=torch needs=\"gpus >= 1\"}\necho torch\n```\n")
	})
	tb := openTab(t, site.base)
	for _, c := range [][2]string{{"pt/cuda/?gpu=rtx-3060&driver=535", "2 de 3 blocos rodariam nela. 1 talvez."}, {"pt/cuda/?gpu=none", "1 de 3 blocos rodaria nela. 2 não rodariam."}} {
		tb.visit(c[0])
		tb.until(ownText + " === " + fmt.Sprintf("%q", c[1]))
		is(tb, `document.querySelectorAll(".mine-install").length`, 0)
	}
	tb.visit("pt/cuda/?gpu=rtx-3060&driver=535")
	tb.until(ownText)
	is(tb, needsNow, "depende da versão do nvcc que o compila|roda na sua")
	for _, page := range []string{"pt/cuda/", "pt/novo/", "pt/gpu/"} {
		tb.visit(page + "?gpu=rtx-3060&driver=535")
		tb.until(ownText)
		is(tb, `(marks => {
			const blocks = [...document.querySelectorAll("figure.code-run")].filter(f => f.dataset.needs || f.dataset.language !== "gpu");
			const own = gpudocs.gpu.read(location.search), status = blocks.map(f => gpudocs.gpu.answer(f.dataset.needs || "", own).status);
			const shown = blocks.map(f => f.dataset.asks ? null : f.querySelector('.meets[data-for="~"]')).map((m, i) => m ? /is-(\w+)/.exec(m.className)[1] : status[i]);
			const n = (list, s) => list.filter(x => x === s).length, said = document.querySelector(".mine-own .mine-text").textContent.match(/^\D*(\d+)/)[1];
			return shown.join() === status.join() && n(status, "passed") === +said;
		})()`, true)
	}
}

// paste puts a text into the form for what nvidia-smi prints.
func (tb *tab) paste(text string) {
	tb.Helper()
	eval[any](tb, `(a => { a.value = `+"`"+text+"`"+`; a.dispatchEvent(new Event("input")) })(document.querySelector("textarea[name=paste]"))`)
}
