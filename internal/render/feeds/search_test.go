package feeds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// foundOn returns the searchable texts of a language's pages: "url title lang", "## id heading", a line for each
// block, and those of code after a bar.
func foundOn(s *Site, code string) string {
	var b strings.Builder
	for _, l := range s.Content.Languages {
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
		{"the texts of diagrams", "# T\n\n```mermaid\nflowchart TD\n    accTitle: Do clone à página\n    a[git clone] --> b[(results/x.json)]\n    b -->|envia: já| c[\"um (dois)\"]\n```\n\n" +
			"```mermaid\nsequenceDiagram\n    CPU->>GPU: copia os dados\n```\n", "Do clone à página · git clone · results/x.json · envia: já · um (dois)\ncopia os dados\n"},
		{"what is expected, not what machines found", "# T\n\n```python {run name=soma}\nprint(1)\n```\n\n```text {expect}\nsaída\n```\n\nCom {live}`m.driver` hoje.\n", "| print(1)\n| saída\nCom … hoje.\n"},
		{"formulas", "# T\n\nSeja $\\alpha_1$.\n\n$$\nx = \\text{custo}\n$$\n", "Seja α₁.\nx = custo\n"},
		{"footnotes stand where they are referred to", "# T\n\nUm[^n].\n\n## A\n\nDois.\n\n[^n]: A nota.\n", "Um.\nA nota.\n## a A\nDois.\n"},
		{"references have their words", "# T\n\nVeja a [](#tab-a), em [](b.md).\n\n:::figure A tabela {#tab-a}\n| a |\n|---|\n| b |\n:::\n", "Veja a Tabela\u00a01, em Outra página.\na\nb\nA tabela\n"},
		{"raw HTML", "# T\n\n<div><p>Um <b>texto</b></p><script>x()</script><img alt=\"uma foto\" src=x.png></div>\n\nCom <kbd>tecla</kbd>.\n", "Um texto uma foto\nCom tecla.\n"},
		{"tabs of code", "# T\n\n```sh {tab=Um}\na\n```\n\n```sh {tab=Dois}\nb\n```\n", "Um\n| a\nDois\n| b\n"},
		{"what a dialect hides", "---\ndialects: [obsidian]\n---\n# T\n\n%%\nnada\n%%\n\nA. ^x\n", "A.\n"},
		{"comments and definitions are none", "# T\n\n<!-- nada -->\n\n[x]: http://example.org/ \"nada\"\n\n*[GPU]: Graphics Processing Unit\n\nA GPU.\n", "A GPU.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFeeds(t, map[string]string{"content/pt/index.md": c.source, "content/pt/x.png": "", "content/pt/b.md": "# Outra página\n"})
			if diff := cmp.Diff(" T \n"+c.want+"b/ Outra página \n", foundOn(s, "pt")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The form of a reader's own GPU is found by the names of all GPUs, once, and its section goes on after it.
func TestSearchFindsTheForm(t *testing.T) {
	s := newFeeds(t, map[string]string{"content/pt/index.md": "# T\n\n## A\n\nUm.\n\n:::my-gpu\n:::\n\nDois.\n\n:::my-gpu\n:::\n\nTrês.\n"})
	var got []string
	for _, sec := range s.searchPages(s.Content.Languages[0])[0].Sections {
		got = append(got, fmt.Sprintf("%s %v %d", sec.ID, sec.Also != "", len(sec.Blocks)))
	}
	if want := fmt.Sprintf(" false 0, a false 1,  true %d, a false 2", len(compat.Models())); strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// A page without a translation is found in the other language, marked with its own language.
func TestSearchFindsWhatIsNotTranslated(t *testing.T) {
	s := newFeeds(t, map[string]string{
		"content/pt/index.md": "# Início\n", "content/pt/gpu.md": "# A placa\n\nTexto.\n", "content/es/index.md": "# Inicio\n",
	})
	if diff := cmp.Diff(" Inicio \ngpu/ A placa pt\nTexto.\n", foundOn(s, "es")); diff != "" {
		t.Error(diff)
	}
}

// Citations have authors and year.
func TestSearchKeepsCitations(t *testing.T) {
	s := newFeeds(t, map[string]string{
		"gpudocs.toml":        "[languages.pt]\n[markdown]\nbibliography = \"refs.bib\"\n",
		"refs.bib":            "@book{k, author = {Knuth, Donald}, title = {T}, year = {2007}}\n",
		"content/pt/index.md": "# T\n\nVeja [@k, p. 7].\n",
	})
	if diff := cmp.Diff(" T \nVeja (Knuth, 2007, p. 7).\n", foundOn(s, "pt")); diff != "" {
		t.Error(diff)
	}
}

// The files of all indexes are listed, and each has the same bytes whether machines have reported or not.
func TestSearchFiles(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# Início\n\nTexto.\n", "content/es/index.md": "# Inicio\n\nTexto.\n"}
	s, again := New(newFeeds(t, files)), New(newFeeds(t, files))
	again.Reports = results.NewIndex(again.Content, []results.Source{{Report: &report.Report{Machine: report.Machine{Name: "outra"}}}}, nil, &results.Cache{})
	if n := len(s.Paths()); n != 6 {
		t.Errorf("%d files", n)
	}
	for _, name := range s.Paths() {
		a, there := s.File(name)
		b, _ := again.File(name)
		if !there || len(a) == 0 || string(a) != string(b) {
			t.Errorf("%s: %v\n%s\n%s", name, there, a, b)
		}
	}
	for _, name := range []string{"pt/_search/nothing.js", "fr/_search/index.js", "pt/index.html"} {
		if _, there := s.File(name); there {
			t.Errorf("%s is there", name)
		}
	}
	if s.SearchLink("es/a/", "es") != "../_search/index.js" || s.SearchLink("es/", "fr") != "" {
		t.Errorf("%q, %q", s.SearchLink("es/a/", "es"), s.SearchLink("es/", "fr"))
	}
	off := newFeeds(t, map[string]string{"gpudocs.toml": "[languages.pt]\n[publish]\nsearch = false\nbadges = false\nfeeds = false\n", "content/pt/index.md": "# A\n~~~bash {run}\n~~~\n"})
	if New(off); len(off.Paths()) > 0 {
		t.Error("an index that is not wanted")
	}
	for name := range planned(t, off) {
		if strings.HasPrefix(name, "badges/") || strings.HasPrefix(name, "_results/") {
			t.Errorf("%s is not wanted", name)
		}
	}
}
