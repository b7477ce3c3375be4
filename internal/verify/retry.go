package verify

import (
	"context"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

// steadyReasons are those that another try cannot change.
var steadyReasons = []string{report.ReasonSession, report.ReasonBuild, report.ReasonBuilt, report.ReasonNoExpect, report.ReasonManyExpect}

// mayPassAgain reports whether a check did not pass and another try may end differently. A session that
// an earlier block has ended would end there again, or that block has been tried again itself.
func mayPassAgain(c *report.Check) bool {
	if c.Outcome != report.Failed && c.Outcome != report.Errored || slices.Contains(steadyReasons, c.Reason.Code) {
		return false
	}
	syntax := c.Reason.Code == report.ReasonException && strings.HasPrefix(c.Reason.Said, "SyntaxError")
	return !syntax && ask.LackOf(c) == (ask.Lack{})
}

// tryOf returns what a report keeps of a try.
func tryOf(c *report.Check) report.Try {
	c = trimOutputs(c)
	return report.Try{
		Outcome:    c.Outcome,
		Reason:     c.Reason,
		DurationMS: c.DurationMS,
		Exit:       c.Exit,
		Stdout:     c.Stdout,
		Stderr:     c.Stderr,
		Diff:       c.Diff,
	}
}

// restart gives the runner another process and folder, as what a block did to them may be why it did not pass, and
// runs the blocks before it there. Their results count no more.
func (x *runner) restart(ctx context.Context, before []*site.Block) error {
	err := x.close()
	*x = runner{run: x.run, redactor: x.redactor, tool: x.tool, lacks: x.lacks}
	for _, b := range before {
		if err == nil {
			_, err = x.check(ctx, b)
		}
	}
	return err
}
