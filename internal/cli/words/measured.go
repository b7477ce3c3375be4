package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Measured returns what a check measured, a line for each GPU, or "" if it measured nothing.
func Measured(t text.Catalog, c *report.Check) string {
	m := c.Measurement
	if m == nil {
		return ""
	}
	var b strings.Builder
	for _, g := range m.GPUs {
		fmt.Fprintf(&b, "GPU %d: %s\n", g.Device, measuredGPU(t, g, m.Unit))
	}
	if m.CPU != nil && m.CPU.Why == "" {
		fmt.Fprintf(&b, "CPU: %.3g %s, %s, n=%d\n", m.CPU.Rate, m.Unit, m.CPU.Library, m.CPU.N)
	}
	return b.String()
}

func measuredGPU(t text.Catalog, g report.Measured, unit string) string {
	if g.Why != "" {
		return reason.Unmeasured(t, g.Why, g.Detail)
	}
	short := func(x float64) string { return fmt.Sprintf("%.4g", x) }
	parts := []string{short(g.Rate) + " " + unit}
	if g.Wrong {
		parts = append(parts, t.Get("measured_wrong"))
	}
	if g.Peak > 0 {
		parts = append(parts, t.Get("measured_peak", "share", fmt.Sprintf("%.0f", 100*g.Rate/g.Peak), "peak", short(g.Peak)))
	}
	if g.Backend != "" {
		parts = append(parts, g.Backend)
	}
	runs := strconv.Itoa(g.Runs)
	parts = append(parts, t.Get("measured_times", "median", short(g.Median), "min", short(g.Min), "p90", short(g.P90), "runs", runs))
	if g.Clock > 0 {
		parts = append(parts, fmt.Sprintf("%d MHz", g.Clock))
	}
	if g.PowerDraw > 0 {
		parts = append(parts, fmt.Sprintf("%.0f W", g.PowerDraw))
	}
	if len(g.Throttle) > 0 {
		parts = append(parts, t.Get("measured_slowed", "why", strings.Join(g.Throttle, " ")))
	}
	for _, p := range g.Peers {
		parts = append(parts, g.To(p)+": "+t.Get("peer_"+p.Route(), "rate", short(p.Rate)+" "+unit))
	}
	return strings.Join(parts, ", ")
}

// Notes returns what is required of a value, its reference and its history.
func Notes(t text.Catalog, v report.Capture) (notes []string) {
	for _, s := range compare.Notes(t, v, func(x float64, unit string) string { return strings.TrimSpace(ask.FormatNumber(x) + " " + unit) }) {
		notes = append(notes, diag.Printable(s))
	}
	return notes
}

// Drifts returns the values of a check that have drifted, and how.
func Drifts(t text.Catalog, c *report.Check) (list []string) {
	for _, v := range c.Captures {
		if notes := Notes(t, v); v.Drift != nil && v.Drift.Drifted {
			list = append(list, diag.Printable(v.Name+" = "+v.Value+" "+v.Unit+": ")+notes[len(notes)-1])
		}
	}
	return list
}
