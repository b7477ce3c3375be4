package main

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// measured says what a check measured, a line for each GPU, and nothing of one
// that did not measure.
func measured(c *report.Check) string {
	m := c.Measurement
	if m == nil {
		return ""
	}
	var b strings.Builder
	for _, g := range m.GPUs {
		fmt.Fprintf(&b, "GPU %d: %s\n", g.Device, measuredGPU(g, m.Unit))
	}
	if m.CPU != nil && m.CPU.Why == "" {
		fmt.Fprintf(&b, "CPU: %.3g %s, %s, n=%d\n", m.CPU.Rate, m.Unit, m.CPU.Library, m.CPU.N)
	}
	return b.String()
}

func measuredGPU(g report.Measured, unit string) string {
	if g.Why != "" {
		return strings.TrimSuffix(whyNot[g.Why]+": "+g.Detail, ": ")
	}
	parts := []string{fmt.Sprintf("%.4g %s", g.Rate, unit)}
	if g.Wrong {
		parts = append(parts, "WRONG")
	}
	if g.Peak > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%% of %.4g", 100*g.Rate/g.Peak, g.Peak))
	}
	if g.Backend != "" {
		parts = append(parts, g.Backend)
	}
	parts = append(parts, fmt.Sprintf("median %.4g ms, least %.4g, p90 %.4g of %d runs", g.Median, g.Min, g.P90, g.Runs))
	if g.Clock > 0 {
		parts = append(parts, fmt.Sprintf("%d MHz", g.Clock))
	}
	if g.PowerDraw > 0 {
		parts = append(parts, fmt.Sprintf("%.0f W", g.PowerDraw))
	}
	if len(g.Throttle) > 0 {
		parts = append(parts, "slowed by "+strings.Join(g.Throttle, " "))
	}
	return strings.Join(parts, ", ")
}
