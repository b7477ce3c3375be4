package results_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// TestVerdictFolds: a verdict shows only a few blocks; the others are folded, and beyond a limit only counted.
func TestVerdictFolds(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	for i := range 60 {
		fmt.Fprintf(&page, "```bash {run name=b%d}\necho %d\n```\n", i, i)
	}
	lab := rendertest.Make(t, txtar.Parse([]byte("-- gpudocs.toml --\n[languages.en]\n-- content/en/a.md --\n"+page.String())))
	for _, c := range []struct{ failed, seen, folded, more int }{{0, 0, 0, 0}, {5, 5, 0, 0}, {6, 4, 2, 0}, {40, 4, 36, 0}, {41, 4, 36, 1}, {60, 4, 36, 20}} {
		r := &report.Report{Machine: report.Machine{Name: "m"}}
		for i, b := range lab.Site.Pages[0].Blocks {
			of := report.Check{ID: b.ID, Name: b.Name, Outcome: report.Passed}
			if i < c.failed {
				of.Outcome = report.Failed
			}
			r.Checks = append(r.Checks, of)
		}
		index := results.NewIndex(lab.Site, []results.Source{{Report: r}}, nil, &results.Cache{})
		v := index.Present(rendertest.Texts(t, "en"), "en/", index.Machines).Verdicts(lab.Site.Pages[0])[0]
		if len(v.Blocks) != c.seen || len(v.Folded) != c.folded || v.More != c.more || v.Rest() != c.folded+c.more {
			t.Errorf("%d failed: %d seen, %d folded, %d more", c.failed, len(v.Blocks), len(v.Folded), v.More)
		}
	}
}
