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

// TestManyMachines: a page includes eight machines at most, the local one and those that fail, and the IDs with which a script finds the
// results of the others.
func TestManyMachines(t *testing.T) {
	t.Parallel()
	lab := rendertest.Make(t, txtar.Parse([]byte("-- gpudocs.toml --\n[languages.en]\n-- content/en/a.md --\n```bash {run name=x}\ntrue\n```\n```gpu {name=g}\nruns cu124\n```\n")))
	x := lab.Site.Pages[0].Blocks[0]
	for _, n := range []int{results.MaxIncluded, results.MaxIncluded + 4} {
		var sources []results.Source
		for i := range n {
			c := report.Check{ID: x.ID, Name: "x", Outcome: report.Passed}
			if i == n-2 {
				c.Outcome = report.Failed
			}
			r := &report.Report{Machine: report.Machine{Name: fmt.Sprintf("m%02d", i)}, Checks: []report.Check{c}}
			sources = append(sources, results.Source{Report: r, Local: i == n-1})
		}
		index := results.NewIndex(lab.Site, sources, nil, &results.Cache{})
		v := index.Present(rendertest.Texts(t, "en"), "en/a/", index.Included(lab.Site.Pages...))
		p, g := v.Panel(x), v.Panel(lab.Site.Pages[0].Blocks[1])
		got := fmt.Sprintf("%s: %d of %d, %q %d %v; %s", results.Names(index.Included(lab.Site.Pages...)), len(p.Results), p.Total, p.Omitted, len(p.Outcomes),
			p.Checks == string(x.ID), strings.TrimLeft(g.Checks, "abcdefghijklmnopqrstuvwxyz234567"))
		want := `m07 m00 m01 m02 m03 m04 m05 m06: 8 of 8, "" 8 false; `
		if n > results.MaxIncluded {
			want = `m11 m00 m01 m02 m03 m04 m05 m10: 8 of 12, "There are results of 4 more machines." 8 true; ?`
		}
		if got != want {
			t.Errorf("%d machines: %s, want %s", n, got, want)
		}
		if none := index.Present(rendertest.Texts(t, "en"), "en/a/", index.Machines[:1]).Panel(x); len(none.Results) != 2 || none.Results[0].Status != "failed" {
			t.Errorf("%d machines: the panel of one that passed does not show the failure: %+v", n, none.Results)
		}
	}
}

// TestRate: numbers that authors capture may have any size and no unit.
func TestRate(t *testing.T) {
	t.Parallel()
	v := (&results.Index{}).Present(rendertest.Texts(t, "pt"), "", nil)
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{{16.3, "TFLOP/s", "16,3 TFLOP/s"}, {0.973, "", "0,973"}, {-0.35, "", "-0,350"}, {0, "s", "0 s"}, {0.00125, "s", "0,00125 s"},
		{-1.25e-7, "", "-1,25e-07"}, {1e300, "", "1,00e+300"}, {123456, "ms", "123.456 ms"}} {
		if got := v.Rate(c.x, c.unit); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.x, c.unit, got, c.want)
		}
	}
}
