package verify

import (
	"context"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// keepFigures adds the figures of a step to its check. They come from the
// author's code, so one that a report would refuse is left out.
func keepFigures(c *report.Check, pngs [][]byte) {
	for _, data := range pngs {
		f := report.Figure{PNG: data}
		if _, _, err := f.Size(); err == nil && len(c.Figures) < report.MaxFigures {
			c.Figures = append(c.Figures, f)
		}
	}
}

// lastFigures keeps what the examples of a pycon block have left open: only at
// its end is it known that no further one draws on it.
func (x *runner) lastFigures(ctx context.Context, b *content.Block, c *report.Check, left time.Duration, stderr *strings.Builder) error {
	if x.stopped != nil {
		return nil
	}
	res, err := x.step(ctx, b, "", b.CodeLine, session.Exec, max(left, time.Millisecond))
	if err != nil {
		return err
	}
	keepFigures(c, res.Figures)
	stderr.WriteString(textOf(x.stream(res.Stderr)))
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res, 0) && c.Outcome == report.Passed {
		c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
	}
	if x.stopped == &this {
		x.stopped = c
	}
	return nil
}
