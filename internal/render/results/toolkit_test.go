package results

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestNeed: a block that nvcc compiles needs the newest toolkit that compiled it.
func TestNeed(t *testing.T) {
	t.Parallel()
	page := &site.Page{Source: &diag.File{Name: "x.md"}}
	block := func(id report.ID, kind, env string) *site.Block {
		b := &site.Block{Page: page, ID: id, Kind: site.Kind(kind), Recipe: &recipe.Recipe{Name: kind}, Session: &site.Session{Env: env}}
		page.Blocks = append(page.Blocks, b)
		return b
	}
	built := func(id report.ID, tool string) report.Check {
		return report.Check{ID: id, Outcome: report.Passed, Build: &report.Build{Outcome: report.Passed, Tool: tool}}
	}
	blocks := map[string]*site.Block{
		"kernels [nvcc cu135]": block("a", "cuda", "kernels"), "not compiled yet [nvcc cu]": block("b", "cuda", "kernels"), "old [nvcc cu118]": block("c", "cuda", "old"),
		"nowhere [nvcc cu]": block("d", "cuda", "nowhere"), "by nvcc [nvcc cu118]": block("e", "cpp", "old"), "by gcc": block("f", "cpp", "kernels"), "no recipe": {Page: page},
	}
	blocks["fails"] = block("g", "cuda", "kernels")
	blocks["fails"].NoBuild = true
	one := &report.Report{Machine: report.Machine{Name: "one"}, Checks: []report.Check{built("a", "nvcc 13.0.88"), built("c", "nvcc 11.8.89"), built("e", "nvcc 11.8.89"), built("f", "gcc 14.2.0")}}
	two := &report.Report{Machine: report.Machine{Name: "two"}, Checks: []report.Check{built("a", "nvcc 13.5.37"), built("c", "nvcc 9.2.148"), built("d", "nvcc")}}
	index := NewIndex(&site.Site{Pages: []*site.Page{page}}, []Source{{Report: one}, {Report: two}}, nil, &Cache{})
	for name, b := range blocks {
		_, after, compiled := strings.Cut(name, " [")
		want := ""
		if compiled {
			want = " [" + after
		}
		if got := index.Need(b).String(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
