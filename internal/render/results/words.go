package results

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Words is what a panel says of a finding in sentences, its reason first, "" if it has none.
func (v *Presenter) Words(f Finding) []string {
	var list []string
	if f.Check.Outcome != report.Passed {
		reason, where := v.Reason(f.Check.Reason, f.Machine.GPU)
		list = append(list, strings.TrimSpace(reason+" "+where))
	}
	if m := v.measurement(f); m != nil {
		if list == nil {
			list = []string{""}
		}
		for _, g := range m.GPUs {
			list = append(list, strings.TrimSpace(g.Rate+" "+g.GPU), g.Why, g.Share, g.Lesson, g.Error, g.Times)
		}
		list = append(list, m.Lesson, m.CPU)
	}
	return slices.Compact(list)
}
