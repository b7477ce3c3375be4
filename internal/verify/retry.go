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
	return report.Try{Outcome: c.Outcome, Reason: c.Reason, DurationMS: c.DurationMS, Exit: c.Exit, Stdout: c.Stdout, Stderr: c.Stderr, Diff: c.Diff}
}

// tryAgain runs a block again. What it did to its process and folder may be why it did not pass, so the
// runner gets new ones, in which the blocks before it run first. Their results count no more.
func tryAgain(ctx context.Context, x *runner, before []*site.Block, b *site.Block, c *report.Check) error {
	err := x.close()
	*x = runner{run: x.run, redactor: x.redactor, tool: x.tool, lacks: x.lacks}
	for _, earlier := range before {
		if err == nil {
			err = x.block(ctx, earlier, x.newCheck(earlier.ID, earlier.Kind))
		}
	}
	if err != nil {
		return err
	}
	return x.block(ctx, b, c)
}
