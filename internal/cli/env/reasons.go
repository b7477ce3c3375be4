package env

import (
	"cmp"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
)

// Reason returns why a check did not pass, where, and what its author can do.
func (t Catalog) Reason(c *report.Check) string {
	text := t.reasonWithoutPlace(c)
	if at := c.Reason.Place; at != nil {
		text = at.Text().In(t.Catalog) + ": " + text
	}
	if advice := reason.Advice(t.Catalog, c); advice != "" {
		text += "; " + advice
	}
	return text
}

// reasonWithoutPlace returns why a check did not pass, without the place.
func (t Catalog) reasonWithoutPlace(c *report.Check) string {
	return reason.Told(t.Catalog, c, report.GPU{})
}

// Built describes how a check was built: "compiled with nvcc 12.4.131 in 1.90s".
func (t Catalog) Built(b *report.Build) string {
	key := "built_" + string(b.Outcome)
	if b.Cached {
		key = "built_cached"
	}
	return t.Get(key, "tool", cmp.Or(b.Tool, t.Get("compiler")), "time", fmt.Sprintf("%.2fs", b.DurationMS/1000))
}
