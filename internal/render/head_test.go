package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// TestHead checks what a page says of its checks below the title: how many are proven, and where the others fail.
func TestHead(t *testing.T) {
	t.Parallel()
	files := map[string]string{"content/pt/index.md": "# A\n```bash {run name=x}\ntrue\n```\n```bash {run name=y}\necho\n```\n"}
	machine := func(name, gpu string, outcomes map[string]report.Outcome) results.Source {
		r := &report.Report{Schema: 1, Machine: report.Machine{Name: name}}
		if gpu != "" {
			r.Machine.GPU = report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: gpu}, {Name: gpu}}}
		}
		for block, outcome := range outcomes {
			r.Checks = append(r.Checks, report.Check{ID: checkIDs(t, files)[block], Kind: "bash", Page: "index", Name: block, Outcome: outcome})
		}
		return results.Source{Report: r}
	}
	old := machine("old", "Tesla K80", map[string]report.Outcome{"x": report.Passed, "y": report.Failed})
	stale := machine("stale", "", map[string]report.Outcome{"x": report.Passed, "y": report.Passed})
	stale.Report.Checks[0].ID = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	altered := machine("altered", "", map[string]report.Outcome{"x": report.Passed, "y": report.Passed})
	altered.Signature.State = results.SignedOther
	for _, c := range []struct {
		want    string
		sources []results.Source
	}{
		{`2 verificações comprovadas em ao menos uma máquina`, []results.Source{machine("a", "", map[string]report.Outcome{"x": report.Passed, "y": report.Passed})}},
		{`1 verificação comprovada em ao menos uma máquina # 1 falha em 2 × K80, old`, []results.Source{old}},
		{`2 verificações comprovadas em ao menos uma máquina # 2 falham em 2 máquinas (comprovadas em outra máquina)`, []results.Source{old, machine("a", "", map[string]report.Outcome{"x": report.Errored, "y": report.Passed})}},
		{`1 verificação comprovada em ao menos uma máquina # 1 falha em 2 × K80, old # 2 com assinatura inválida`, []results.Source{old, altered}}, // which hides nothing
		{`2 verificações comprovadas em ao menos uma máquina # 1 desatualizada (comprovada em outra máquina)`, []results.Source{stale, machine("a", "", map[string]report.Outcome{"x": report.Passed, "y": report.Passed})}},
		{`2 nunca executadas`, nil},
	} {
		_, head, _ := strings.Cut(get(t, newSite(t, files, themes.Default(), Options{}, c.sources...), "pt/index.html"), `<ul class="readout proof"`)
		head, _, _ = strings.Cut(head, "</ul>")
		var items []string
		for _, item := range strings.Split(head, "</svg>")[1:] {
			if link, ok := strings.CutPrefix(item, `<a href="#code-`); ok {
				_, item, _ = strings.Cut(link, ">")
			}
			text, _, _ := strings.Cut(item, "<")
			items = append(items, text)
		}
		if got := strings.Join(items, " # "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
