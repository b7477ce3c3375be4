package verify

import (
	"cmp"
	"context"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// judgeLines judges the gpu lines. Those that measure come last, one at a time and
// before any session, so that nothing else uses the machine.
func (r *run) judgeLines(ctx context.Context) {
	for _, l := range r.plan.Lines {
		if l.Measure == nil {
			r.blockFinished(nil, r.gpuLine(l))
		}
	}
	for _, l := range r.plan.Lines {
		if l.Measure == nil {
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
	switch {
	case l.Fact == ask.Runs:
		r.runsLine(l, c)
		return c
	case l.Reading != nil:
		r.readingLine(l, c)
		return c
	}
	facts := compat.Facts(r.machine, l.Block.Env)
	c.Found = facts[l.Fact].String()
	gpu := r.machine.GPU
	v := l.Need.Judge(facts)
	switch {
	case v.Met:
		c.Outcome = report.Passed
	case v.Program != "":
		c.Outcome, c.Reason = report.Failed, r.unmet(v, l.Block.Env)
		if have, known := facts[v.Program]; !known || have.VersionUnknown() {
			c.Outcome = report.Skipped
		}
	case l.Need.OfGPU() && gpu.Status == report.GPUNone:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoGPU, Detail: gpu.Code}
	case l.Need.OfGPU() && gpu.Status == report.GPUBroken:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonBroken, Detail: gpu.Code}
	case v.Found == "":
		c.Found = ""
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNeeds, Need: v.Need}
	default:
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonUnmet, Need: v.Need, Found: v.Found}
	}
	return c
}

// runsLine judges a line such as "runs cu124". It fails if the software does not run,
// including a framework that is not installed, and is skipped if that is not known.
func (r *run) runsLine(l *Line, c *report.Check) {
	gpu, v := r.machine.GPU, compat.Judge(r.machine, l.Block.Env, l.Need.Software())
	c.Found = compat.Found(v)
	need := l.Need.String()
	switch {
	case v.Runs():
		c.Outcome = report.Passed
	case gpu.Status == report.GPUBroken:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonBroken, Detail: gpu.Code}
	case gpu.Status == report.GPUNone, v.By == report.ByNoGPU:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoGPU, Detail: cmp.Or(gpu.Code, report.CodeNoDevice)}
	case v.Answer == report.RunsUnknown:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNeeds, Need: need, Found: c.Found, Verdict: &v}
	default:
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonUnmet, Need: need, Found: c.Found, Verdict: &v}
	}
}

// readingLine judges a line such as "temperature < 85". GPUs without the sensor or link are left
// out; if no GPU has it the line is skipped. If a reading is unknown for another reason the line does
// not pass.
func (r *run) readingLine(l *Line, c *report.Check) {
	s := *l.Reading
	if r.skipWithoutGPU(c) {
		return
	}
	devices := r.machine.GPU.Devices
	worst, at, differs, unread := ask.ReadingValue{}, -1, false, ""
	for i, d := range devices {
		v, why := s.Of(d.Readings)
		switch {
		case why == report.WhyNotSupported:
		case why != "":
			unread = cmp.Or(unread, why)
		default:
			differs = differs || at >= 0 && v != worst
			if at < 0 || s.Worse(v, worst) {
				worst, at = v, i
			}
		}
	}
	if at >= 0 {
		c.Found = worst.Text
	}
	if differs {
		c.Found += " (GPU " + strconv.Itoa(at) + ")"
	}
	switch {
	case at >= 0 && !s.Holds(worst):
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonUnmet, Need: c.Want, Found: c.Found}
	case at < 0 || unread != "":
		c.Outcome = report.Skipped
		c.Reason = &report.Reason{Code: report.ReasonMeasure, Need: s.Name, Detail: cmp.Or(unread, report.WhyNotSupported)}
		if unread == report.WhyLost || unread == report.WhyFailed {
			c.Outcome = report.Errored
		}
	default:
		c.Outcome = report.Passed
	}
}
