package verify

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// judgeLines judges the gpu lines. Those that measure come last, one at a time and
// before any session, so that nothing else uses the machine.
func (r *run) judgeLines(ctx context.Context) {
	for _, l := range r.plan.Lines {
		if l.Measures() == nil {
			r.blockFinished(nil, r.gpuLine(l))
		}
	}
	for _, l := range r.plan.Lines {
		if l.Measures() == nil {
			continue
		}
		r.blockStarted(l.Block)
		c := r.measureLine(ctx, l)
		if r.judgeValues(l.Block, c); c.DriftedOnly() { // noise, perhaps
			again := r.measureLine(ctx, l)
			if r.judgeValues(l.Block, again); again.Outcome != report.Skipped { // else something took the memory
				c = again
			}
		}
		if ctx.Err() != nil {
			return // an interrupted measurement is no result
		}
		r.blockFinished(l.Block, c)
	}
}

// gpuLine judges one line of a gpu block by the facts of the machine.
func (r *run) gpuLine(l *Line) *report.Check {
	c := r.newLine(l)
	v := l.Judge(compat.Facts(r.machine, l.Block.Env))
	c.Found = v.Found
	if v.Met() {
		c.Outcome = report.Passed
		return c
	}
	e, code := v.Fact.Entry(), report.ReasonUnmet
	c.Outcome = report.Failed
	if v.Answer == ask.Unknown {
		c.Outcome, code = report.Skipped, report.ReasonNeeds
	}
	switch {
	case e.Source != ask.FromMachine && !e.Installed() && r.skipWithoutGPU(c):
	case v.Why != "":
		c.Reason = &report.Reason{Code: report.ReasonMeasure, Need: string(v.Fact), Why: v.Why}
		if v.Why == report.WhyLost || v.Why == report.WhyFailed {
			c.Outcome = report.Errored
		}
	default:
		if c.Reason = r.unmet(v, l.Block.Env); c.Reason.Code == report.ReasonNeeds {
			c.Reason.Code = code
		}
	}
	return c
}
