package compare

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   report.Capture
		want []string
	}{
		{report.Capture{Value: "7"}, nil},
		{report.Capture{Value: "110", Unit: "GB/s", Reference: 100}, []string{"reference 100 GB/s (+10.0 %)"}},
		{report.Capture{Value: "90", Unit: "GB/s", Reference: 100, Bound: "[-5%, +20%]"},
			[]string{"reference 100 GB/s (-10.0 %)", "required: [-5%, +20%]"}},
		{report.Capture{Value: "100", Unit: "it", Reference: 100, Bound: ">= 5"}, []string{"reference 100 it (+0.0 %)", "required: >= 5"}},
		{report.Capture{Value: "1", Bound: "[-5%,]"}, []string{"no reference for this machine, so it is only recorded", "required: [-5%,]"}},
		{report.Capture{Value: "-8", Drift: &report.Drift{N: 5, Median: -10, Allowed: 0.1}}, []string{"median of 5 earlier values -10 (+20.0 %; 10 % allowed)"}},
		{report.Capture{Value: "-12", Drift: &report.Drift{N: 5, Median: -10, Allowed: 0.1, Drifted: true}},
			[]string{"drifted from the median of 5 earlier values, -10 (-20.0 %; 10 % allowed)"}},
		{report.Capture{Value: "-8", Reference: -10}, nil},
		{report.Capture{Value: "7", Drift: &report.Drift{N: 2, Why: report.DriftFew}}, []string{"earlier values: 2, too few to tell drift"}},
		{report.Capture{Value: "7", Drift: &report.Drift{Why: "of-a-later-version"}}, nil},
	} {
		got := Notes(text.Of("en"), c.of, func(x float64, unit string) string {
			if unit == "" {
				return fmt.Sprint(x)
			}
			return fmt.Sprint(x, " ", unit)
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v:\n got %q\nwant %q", c.of, got, c.want)
		}
	}
}
