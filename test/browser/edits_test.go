package browser

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// pieces are the parts of this test's page: one of each kind that scripts read, draw or change in its
// own way. %d is a different number in each.
var pieces = []string{
	"Um parágrafo %d com **força**, `código` e [uma ligação](texto.md).",
	"## Seção %d",
	"### Mais fundo %d",
	"```python {title=\"a.py\" numbers hl_lines=\"1\"}\nx = %d\nprint(x)\n```",
	"```bash {run name=bloco-%[1]d}\necho %[1]d\n```\n\n```text {expect}\n%[1]d\n```",
	":::tab Um %[1]d\num %[1]d\n:::\n\n:::tab Dois\ndois %[1]d\n:::",
	":::note Nota %[1]d\nO que convém %[1]d.\n:::",
	":::details Dobra %[1]d\nDobrado %[1]d.\n:::",
	"$$ x_%[1]d = \\frac{1}{%[1]d} $$ {#eq-%[1]d}",
	"A equação $y^{%d}$ no texto.",
	"![Uma onda](onda.svg \"Onda %d\"){width=60%%}",
	"- um\n- dois %d\n  - três",
	"| a | b |\n|---|---|\n| %d | 2 |",
	"```mermaid\ngraph LR\n  A%d --> B\n```",
	"Uma nota[^%[1]d].\n\n[^%[1]d]: O texto da nota %[1]d.",
	":::machines\n:::",
	"A GPU tem {live}`deepnine.gpus` GPUs, %d.",
	"```python {annotate}\nx = %d  # (1)!\n```\n\n1. O valor.",
	"> Citação %d.",
}

// asItIs returns the current text of a page, without the server's additions, the names of scripts and
// the white space between boxes.
const asItIs = `(() => {
  if (!document.documentElement || document.readyState !== 'complete') return 'loading';
  const skip = n => n.localName === 'script' || n.matches('.zoom-button[hidden]') || // put there once a picture did not fit
     /^gpudocs-/.test(n.id || '') || /_gpudocs/.test(n.getAttribute && n.getAttribute('href') || '');
  const out = [], walk = (n, deep) => {
    if (n.nodeType === 3) { if (n.data.trim()) out.push(deep + n.data.replace(/\s+/g, ' ').trim()); return; }
    if (n.nodeType !== 1 || skip(n)) return;
    out.push(deep + n.localName + [...n.attributes].map(a => ' ' + a.name + '=' + a.value.replace(/\?gpudocs=.*/, '')).sort().join(''));
    if (n.localName === 'template') out.push(deep + n.innerHTML);
    const state = ['open', 'checked', 'value', 'selectedIndex', 'disabled'].filter(k => k in n && typeof n[k] !== 'object' && n.localName !== 'li').map(k => k + ':' + n[k]).join(' ');
    if (state) out.push(deep + state);
    n.childNodes.forEach(c => walk(c, deep + ' '));
  };
  walk(document.documentElement, '');
  return out.join('\n');
})()`

// firstDifference returns the first different line of two pages, with the lines before it.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	part := func(l []string) string { return strings.Join(l[min(i, len(l)):min(i+4, len(l))], "\n") }
	return fmt.Sprintf("after\n%s\nit has\n%s\nanother has\n%s", strings.Join(x[max(0, i-6):i], "\n"), part(x), part(y))
}

// After any edit, an open page is the same as one that is opened after the edit.
func TestEditedPageIsAsLoaded(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	seed, edits := uint64(1), 30
	if s := os.Getenv("GPUDOCS_EDITS"); s != "" { // another seed, and more of them
		seed, _ = strconv.ParseUint(s, 10, 64)
		edits = 150
	}
	r := rand.New(rand.NewPCG(seed, 2))
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/made")); err != nil {
		t.Fatal(err)
	}
	site, err := startServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.stop)

	const page = "content/pt/editar.md"
	n := 100
	piece := func() string {
		n++
		p := pieces[r.IntN(len(pieces))]
		if !strings.Contains(p, "%") {
			return p
		}
		return fmt.Sprintf(p, n)
	}
	var parts []string
	for range 12 {
		parts = append(parts, piece())
	}
	title := "Editar"
	save := func() { site.write(t, page, "---\ntitle: "+title+"\n---\n\n"+strings.Join(parts, "\n\n")+"\n") }
	save()
	report := site.read(t, "results/deepnine.json")
	svg := site.read(t, "content/pt/onda.svg")

	change := []struct {
		name string
		do   func()
	}{
		{"alter", func() { parts[r.IntN(len(parts))] = piece(); save() }},
		{"alter", func() { parts[r.IntN(len(parts))] = piece(); save() }},
		{"insert", func() { parts = slices.Insert(parts, r.IntN(len(parts)+1), piece()); save() }},
		{"insert three", func() { parts = slices.Insert(parts, r.IntN(len(parts)+1), piece(), piece(), piece()); save() }},
		{"delete", func() {
			if len(parts) > 4 {
				i := r.IntN(len(parts))
				parts = slices.Delete(parts, i, i+1)
			}
			save()
		}},
		{"move", func() {
			i, j := r.IntN(len(parts)), r.IntN(len(parts))
			parts[i], parts[j] = parts[j], parts[i]
			save()
		}},
		{"empty", func() { parts = []string{piece()}; save() }},
		{"title", func() { title = fmt.Sprint("Editar ", r.IntN(100)); save() }},
		{"many saves", func() {
			for range 8 {
				parts[r.IntN(len(parts))] = piece()
				save()
				time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond)
			}
		}},
		{"broken, and mended", func() {
			good := site.read(t, page)
			site.write(t, page, good+"\n```python {run nme=x}\n1\n```\n")
			time.Sleep(time.Duration(r.IntN(400)) * time.Millisecond)
			save()
		}},
		{"a new page", func() {
			site.write(t, fmt.Sprintf("content/pt/nova-%d.md", r.IntN(4)), fmt.Sprintf("---\ntitle: Nova %d\n---\n\nTexto.\n", r.IntN(9)))
		}},
		{"a page goes", func() { _ = os.Remove(filepath.Join(dir, fmt.Sprintf("content/pt/nova-%d.md", r.IntN(4)))) }},
		{"the translation", func() { site.write(t, "content/es/editar.md", "---\ntitle: Editar\n---\n\nTexto.\n") }},
		{"no translation", func() { _ = os.Remove(filepath.Join(dir, "content/es/editar.md")) }},
		{"an image", func() {
			site.write(t, "content/pt/onda.svg", strings.Replace(svg, "<svg", fmt.Sprintf("<svg data-n=\"%d\"", r.IntN(99)), 1))
		}},
		{"a report goes", func() { _ = os.Remove(filepath.Join(dir, "results/deepnine.json")) }},
		{"a report comes", func() { site.write(t, "results/deepnine.json", report) }},
		{"a style", func() {
			site.write(t, "themes/default/assets/style.css/99-own.css", fmt.Sprintf("article { --n: %d; }\n", r.IntN(99)))
		}},
		{"a text", func() {
			site.write(t, "themes/default/i18n/pt.toml", fmt.Sprintf("[strings]\non_this_page = \"Nesta página %d\"\ncopy = \"Copiar %d\"\n", r.IntN(9), r.IntN(9)))
		}},
		{"a template", func() {
			site.write(t, "themes/default/layouts/footer.html", fmt.Sprintf("{{define \"footer\"}}<footer class=\"foot\"><p>%d</p></footer>{{end}}\n", r.IntN(99)))
		}},
		{"the site's title", func() {
			was := testConfig(t)
			site.write(t, "gpudocs.toml", strings.Replace(was, "Laboratório", fmt.Sprint("Laboratório ", r.IntN(9)), 1))
		}},
	}
	live, fresh := openTab(t, site.base), openTab(t, site.base)
	live.visit("pt/editar/")
	live.until("document.querySelector('h1')?.textContent.startsWith('Editar')")
	for i := range edits {
		c := change[r.IntN(len(change))]
		eval[any](live, "window.marked = true")
		c.do()
		var a, b string
		for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
			again(fresh, "pt/editar/")
			a, b = now(live), now(fresh)
			if a == b && a != "loading" && strings.Contains(b, title) && !strings.Contains(site.out.String()[max(0, len(site.out.String())-200):], "last good") || time.Now().After(end) {
				break
			}
		}
		if a != b {
			t.Fatalf("after edit %d, %s: %s", i, c.name, firstDifference(a, b))
		}
		t.Logf("%d: %s; loaded anew: %v", i, c.name, !eval[bool](live, "!!window.marked"))
	}
}

func testConfig(t *testing.T) string {
	data, err := os.ReadFile("testdata/made/gpudocs.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// now returns the current text of a page, or "loading" while it is reloading.
func now(tb *tab) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](asItIs))
	if err != nil {
		tb.Log(err)
		return "loading"
	}
	return text
}

// again opens a page that may be reloading at the moment.
func again(tb *tab, path string) {
	tb.Helper()
	for {
		ctx, cancel := context.WithTimeout(tb.ctx, patience)
		err := chromedp.Do(ctx, chromedp.Navigate(tb.base+path))
		cancel()
		if err == nil || !strings.Contains(err.Error(), "ERR_ABORTED") {
			if err != nil {
				tb.Fatal(err)
			}
			return
		}
	}
}
