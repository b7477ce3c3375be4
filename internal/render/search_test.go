package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// foundOn writes what can be found on a language's pages: "url title lang", "## id heading", a line for each
// block, those of code behind a bar.
func foundOn(s *Site, code string) string {
	var b strings.Builder
	for _, l := range s.content.Languages {
		if l.Code != code {
			continue
		}
		for _, p := range s.searchPages(l) {
			fmt.Fprintf(&b, "%s %s %s\n", p.URL, p.Title, p.Lang)
			for i, sec := range p.Sections {
				if i > 0 {
					fmt.Fprintf(&b, "## %s %s\n", sec.ID, sec.Heading)
				}
				for _, block := range sec.Blocks {
					bar := ""
					if block.Code {
						bar = "| "
					}
					for line := range strings.Lines(strings.TrimSpace(block.Text)) {
						b.WriteString(bar + strings.TrimSpace(line) + "\n")
					}
				}
			}
		}
	}
	return b.String()
}

func TestSearchPages(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"sections", "# T\n\nUm *dois* `três`.\n\n## A {#a}\n\n- quatro\n- cinco\n\n#### B\n\n> seis\n", "Um dois três.\n## a A\nquatro\ncinco\n## b B\nseis\n"},
		{"boxes, tabs and folds", "# T\n\n:::note Um título\nDentro.\n:::\n\n:::details Dobrado\nEscondido.\n:::\n\n:::tab Aba\nNa aba.\n:::\n", "Um título\nDentro.\nDobrado\nEscondido.\nAba\nNa aba.\n"},
		{"images", "# T\n\nVeja ![uma placa](x.png) aqui.\n\n![um gráfico](x.png \"A *legenda*\")\n", "Veja  aqui. uma placa\num gráfico\nA legenda\n"},
		{"tables", "# T\n\n| a | b |\n|---|---|\n| c | d |\n", "a · b\nc · d\n"},
		{"code", "# T\n\n```python {title=\"t.py\"}\n# soma\nx = 1\n```\n\n    cudaMalloc()\n", "t.py\n| # soma\n| x = 1\n| cudaMalloc()\n"},
		{"what is expected, not what machines found", "# T\n\n```python {run name=soma}\nprint(1)\n```\n\n```text {expect}\nsaída\n```\n\nCom {live}`m.driver` hoje.\n", "| print(1)\n| saída\nCom  hoje.\n"},
		{"formulas", "# T\n\nSeja $\\alpha_1$.\n\n$$\nx = \\text{custo}\n$$\n", "Seja α₁.\nx = custo\n"},
		{"footnotes stand where they are referred to", "# T\n\nUm[^n].\n\n## A\n\nDois.\n\n[^n]: A nota.\n", "Um.\nA nota.\n## a A\nDois.\n"},
		{"raw HTML", "# T\n\n<div><p>Um <b>texto</b></p><script>x()</script><img alt=\"uma foto\" src=x.png></div>\n\nCom <kbd>tecla</kbd>.\n", "Um texto uma foto\nCom tecla.\n"},
		{"comments and definitions are none", "# T\n\n<!-- nada -->\n\n[x]: http://example.org/ \"nada\"\n\n*[GPU]: Graphics Processing Unit\n\nA GPU.\n", "A GPU.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, map[string]string{"content/pt/index.md": c.source, "content/pt/x.png": ""}, themes.Default(), Options{})
			if diff := cmp.Diff(" T \n"+c.want, foundOn(s, "pt")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A page that lacks a translation is found in the other language, marked with its own.
func TestSearchFindsWhatIsNotTranslated(t *testing.T) {
	s := newSite(t, map[string]string{
		"content/pt/index.md": "# Início\n", "content/pt/gpu.md": "# A placa\n\nTexto.\n", "content/es/index.md": "# Inicio\n",
	}, themes.Default(), Options{})
	if diff := cmp.Diff(" Inicio \ngpu/ A placa pt\nTexto.\n", foundOn(s, "es")); diff != "" {
		t.Error(diff)
	}
}

// The files of the index are among the site's paths, whether they are asked for by name
// or all at once, and have the same bytes each time.
func TestSearchFiles(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# Início\n\nTexto.\n", "content/es/index.md": "# Inicio\n\nTexto.\n"}
	s, again := newSite(t, files, themes.Default(), Options{}), newSite(t, files, themes.Default(), Options{},
		Source{Report: &report.Report{Machine: report.Machine{Name: "outra"}}})
	head := get(t, s, "pt/_search/index.js")
	if !strings.HasPrefix(head, "gpudocs.search.head({") {
		t.Errorf("got %s", head)
	}
	paths := slices.DeleteFunc(slices.Clone(s.Paths()), func(p string) bool { return !strings.Contains(p, "/_search/") })
	if len(paths) != 6 || !slices.IsSorted(s.Paths()) {
		t.Errorf("got %q", paths)
	}
	for _, p := range paths {
		if a, b := get(t, s, p), get(t, again, p); a != b {
			t.Errorf("%s differs: a machine's results are no part of it", p)
		}
	}
	if _, ok, _ := s.File("pt/_search/nothing.js"); ok {
		t.Error("a file that is not there is found")
	}
	if page := get(t, s, "es/index.html"); !strings.Contains(page, `data-index="_search/index.js"`) || bytes.Contains([]byte(page), []byte("_search/index.js\"></script>")) {
		t.Error("the page does not lead to its index, or loads it")
	}
}

// html/template takes an attribute whose name begins with data-on for a script, and quotes its text once more.
func TestSearchTextsStandPlainly(t *testing.T) {
	s := newSite(t, map[string]string{"content/pt/index.md": "# Início\n\nTexto.\n"}, themes.Default(), Options{})
	page := get(t, s, "pt/index.html")
	if !strings.Contains(page, `="1 página"`) || strings.Contains(page, `="&#34;`) {
		t.Error("the text for one page that is found does not stand in the dialog as it is")
	}
}
