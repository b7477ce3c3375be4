package compare

import (
	"cmp"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Notes returns what is required of a value, its reference and its history, in sentences without full
// stops. rate formats a number with its unit. The texts come from a report, so they must be escaped.
func Notes(t text.Catalog, v report.Capture, rate func(x float64, unit string) string) (notes []string) {
	x, _ := strconv.ParseFloat(v.Value, 64)
	change := func(from float64) string {
		percent := 100 * (x/from - 1)
		if from < 0 {
			percent = -percent
		}
		return map[bool]string{true: "+"}[percent >= 0] + t.Number(percent, 1) + " %"
	}
	limits, bounded := ask.ParseBound(v.Bound)
	switch {
	case v.Reference > 0:
		notes = append(notes, t.Get("value_reference", "reference", rate(v.Reference, v.Unit), "change", change(v.Reference)))
	case bounded && limits.Relative:
		notes = append(notes, t.Get("value_reference_none"))
	}
	if v.Bound != "" {
		notes = append(notes, t.Get("value_bound", "bound", t.Amount(v.Bound)))
	}
	if d := v.Drift; d != nil && d.Why != "" {
		if key := "value_" + d.Why; t.Has(key) {
			notes = append(notes, t.Get(key, "n", strconv.Itoa(d.N)))
		}
	} else if d != nil {
		key := map[bool]string{true: "value_drifted", false: "value_history"}[d.Drifted]
		notes = append(notes, t.Get(key, "n", strconv.Itoa(d.N), "median", rate(d.Median, v.Unit),
			"change", change(cmp.Or(d.Median, 1)), "allowed", t.Number(100*d.Allowed, 0)+" %"))
	}
	return notes
}
