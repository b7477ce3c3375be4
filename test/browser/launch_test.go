package browser

import (
	"path"
	"strings"
	"testing"
)

// TestLaunch: a page leads to its notebook and to services that open it, none of which is asked before a click, and
// all code that runs is copied at once.
func TestLaunch(t *testing.T) {
	t.Parallel()
	site := serve(t, func(string) bool { return false }, func(s *server) {
		s.write(t, "gpudocs.toml", s.read(t, "gpudocs.toml")+"\n[launch]\nrepository = \"https://github.com/lab/notebooks\"\nservices = [\"colab\", \"kaggle\", \"binder\"]\n")
		for _, lang := range []string{"pt", "es"} {
			s.write(t, path.Join("content", lang, "index.md"), "# Soma\n\n```python {run name=soma hide=1}\nx = 2\nprint(x + 1)\n```\n\n```python\nshown = \"only\"\n```\n\n"+
				"```pycon {run name=sessao}\n>>> x = 3\n>>> x\n3\n```\n")
		}
	})
	const services = `[...document.querySelectorAll('.page-menu > a[href^="https:"]')].map(a => a.href).join(" ")`
	out := t.TempDir()
	site.gpudocs(t, "build", "--output", out+"/site", "--notebooks", out+"/notebooks")
	for _, base := range []string{site.base, "file://" + out + "/site/"} {
		tb := openTab(t, base)
		tb.onNewDocument(`window.copied = []; navigator.clipboard.writeText = text => { copied.push(text); return Promise.resolve(); }`)
		tb.visit("pt/index.html")
		const notebook = "github/lab/notebooks/blob/notebooks/pt/index.ipynb"
		if got := eval[string](tb, services); !strings.Contains(got, "https://colab.research.google.com/"+notebook) || !strings.Contains(got, "https://kaggle.com/") || !strings.Contains(got, "https://mybinder.org/") {
			t.Errorf("services: %s", got)
		}
		tb.click(".actions > summary")
		tb.click(".copy-page:not([data-from])")
		tb.until(`copied.length === 1 && document.querySelector(".copy-page:not([data-from])").matches(".copy-done")`)
		is(tb, "copied[0]", "x = 2\nprint(x + 1)\n\nx = 3\nx\n")
		is(tb, `performance.getEntriesByType("resource").filter(e => !e.name.startsWith("`+base+`")).map(e => e.name).join(" ")`, "")
		if base == site.base {
			is(tb, `fetch(document.querySelector(".actions a[download]").href).then(a => a.json()).then(n => n.nbformat)`, 4, awaiting)
		}
	}
}
