package status

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// TestValues: texts and lines for numbers that authors capture, which may have any size and no unit.
func TestValues(t *testing.T) {
	t.Parallel()
	pt := &site.Language{Code: "pt"}
	texts, err := text.ForTheme("pt", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	w := New(results.NewIndex(&site.Site{}, []results.Source{{Report: &report.Report{Machine: report.Machine{Name: "m"}}}}, nil, &results.Cache{}), &nav.Map{}, pt, texts)
	for _, c := range []struct {
		x    float64
		unit string
		want string
	}{{16.3, "TFLOP/s", "16,3 TFLOP/s"}, {0.973, "", "0,973"}, {-0.35, "", "-0,350"}, {0, "s", "0 s"}, {0.00125, "s", "0,00125 s"},
		{-1.25e-7, "", "-1,25e-07"}, {1e300, "", "1,00e+300"}, {123456, "ms", "123.456 ms"}} {
		if got := w.Rate(c.x, c.unit); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.x, c.unit, got, c.want)
		}
	}
	id := report.ID("a")
	past := func(x string) []report.Capture { return []report.Capture{{Name: "v", Value: x}} }
	check := &report.Check{ID: id, Captures: past("1e308"), History: []report.Past{{Outcome: report.Passed, Captures: past("0")}, {Outcome: report.Passed, Captures: past("-1e308")}}}
	page := &site.Page{Language: pt, Blocks: []*site.Block{{ID: id}}}
	at := w.Locate([]*nav.Entry{{Placed: &nav.Placed{Page: page, Language: pt}}})
	if row := w.valueRow(seriesOf(w.Machines[0], check, check.Captures[0]), at); row.Line != "0.0,18.0 50.0,10.0 100.0,2.0" {
		t.Errorf("the line is %s", row.Line)
	}
}
