package verify

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/lack"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A lacking is what a block of a session lacks, and the code of the blocks that failed for it.
type lacking struct {
	lack.Thing
	first string // its name
	codes []string
}

type lackings []lacking

// attribute makes a check not reached if it failed for the lack of something for which an earlier block
// of the session has failed: one cause is one failure.
func (all *lackings) attribute(b *site.Block, c *report.Check) {
	for i := range *all {
		if l := &(*all)[i]; l.Follows(c, l.codes) {
			l.codes = append(l.codes, b.Code)
			c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNotReached, Detail: l.first, Found: l.Name, Place: c.Reason.Place}
			c.Exit, c.Stdout, c.Stderr, c.Build, c.Diff, c.Captures, c.Figures, c.Tries = nil, nil, nil, nil, nil, nil, nil, nil
			return
		}
	}
	if t := lack.Of(c); t != (lack.Thing{}) {
		*all = append(*all, lacking{t, c.Name, []string{b.Code}})
	}
}
