package verify

import (
	"context"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// keepFigures adds the figures of a step to its check. Figures are made by the author's
// code: one that is not valid in a report is left out.
func keepFigures(c *report.Check, pngs [][]byte) {
	for _, data := range pngs {
		f := report.Figure{PNG: data}
		if _, _, err := f.Size(); err == nil && len(c.Figures) < report.MaxFigures {
			c.Figures = append(c.Figures, f)
		}
	}
}

// remainingFigures collects the figures that a pycon block has left open. They are not
// known to be complete before the last example has run.
func (x *runner) remainingFigures(ctx context.Context, b *site.Block, c *report.Check, left time.Duration, stderr *strings.Builder) error {
	if x.endedBy != nil {
		return nil
	}
	res, err := x.step(ctx, b, "", b.CodeLine, session.Exec, max(left, time.Millisecond))
	if err != nil {
		return err
	}
	keepFigures(c, res.Figures)
	stderr.WriteString(x.stream(res.Stderr).String())
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res, 0) && c.Outcome == report.Passed {
		c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
	}
	if x.endedBy == &this {
		x.endedBy = c
	}
	return nil
}
