package env

import (
	"cmp"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
)

// Reason returns why a check did not pass, where, and what its author can do.
func (t Catalog) Reason(c *report.Check) string {
	text := reason.Told(t.Catalog, c, report.GPU{})
	if at := c.Reason.Place; at != nil {
		text = at.Text().In(t.Catalog) + ": " + text
	}
	if advice := reason.Advice(t.Catalog, c); advice != "" {
		text += "; " + advice
	}
	return text
}

// Built describes how a check was built: "compiled with nvcc 12.4.131 in 1.90s".
func (t Catalog) Built(b *report.Build) string {
	return t.Get("built_"+string(b.Outcome), "tool", cmp.Or(b.Tool, t.Get("compiler")), "time", fmt.Sprintf("%.2fs", b.DurationMS/1000))
}
