package judge

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Again judges the result of an earlier run by the expectations that the block has now. printed are the
// results of the examples of a pycon block.
func Again(b *site.Block, c *report.Check, facts ask.Machine, printed []Printed) {
	c.Outcome, c.Reason, c.Diff, c.Captures = report.Passed, nil, nil, nil
	// A try that differed in the same way would have ended as this one.
	c.Tries = slices.DeleteFunc(slices.Clone(c.Tries), func(t report.Try) bool {
		return t.Reason.Code == report.ReasonMismatch && t.Stdout.String() == c.Stdout.String() && t.Stderr.String() == c.Stderr.String()
	})
	if b.Kind != site.Pycon {
		want := Choose(b, facts)
		Compare(c, want.Stdout, c.Stdout)
		Compare(c, want.Stderr, c.Stderr)
		return
	}
	c.Exit = nil
	for i := range b.Examples {
		e := &b.Examples[i]
		switch {
		case !Runs(e):
		case i >= len(printed) || !printed[i].Meets(e):
			c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch, Place: Place(b, b.LineOf(e.Line))}
			return
		case printed[i].Exception == "":
			c.Captures = AddCaptures(c.Captures, e.Judge(printed[i].Output).Captures)
		}
	}
}
