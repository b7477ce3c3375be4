package verify

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/report"
)

// lines judges the gpu lines. Those that measure come last and one by one, before
// any session runs: alone on the machine.
func (r *run) lines(ctx context.Context) {
	for _, l := range r.plan.Lines {
		if l.Measure == nil {
			r.finish(nil, r.gpuLine(l))
		}
	}
	for _, l := range r.plan.Lines {
		if l.Measure == nil {
			continue
		}
		r.begin(l.Block)
		c := r.measured(ctx, l)
		if ctx.Err() != nil {
			return // what was interrupted says nothing
		}
		r.finish(l.Block, c)
	}
}

// measured measures what a gpu line asks for, and judges it.
func (r *run) measured(ctx context.Context, l *Line) *report.Check {
	c := r.check(l.ID, content.GPU)
	c.Want = l.Want()
	if r.unmeasurable(c) {
		return c
	}
	if r.o.Measure == nil {
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonMeasure, Detail: report.WhyNotSupported}
		return c
	}
	began := time.Now()
	m, err := r.o.Measure(ctx, *l.Measure, len(r.machine.GPU.Devices))
	c.DurationMS = float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonEngine, Detail: r.private.scrub(clip(err.Error()))}
		return c
	}
	r.publishable(m)
	judgeMeasurement(c, *l.Measure, m)
	return c
}

// unmeasurable fills in a check where the machine has no GPU to measure.
func (r *run) unmeasurable(c *report.Check) bool {
	switch gpu := r.machine.GPU; {
	case gpu.Status == report.GPUBroken:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonBroken, Detail: gpu.Code}
	case gpu.Status != report.GPUOk || len(gpu.Devices) == 0:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoGPU, Detail: gpu.Code}
	default:
		return false
	}
	return true
}

// publishable takes private facts out of the words of drivers.
func (r *run) publishable(m *report.Measurement) {
	for i := range m.GPUs {
		m.GPUs[i].Detail = r.private.scrub(m.GPUs[i].Detail)
	}
	if m.CPU != nil {
		m.CPU.Detail = r.private.scrub(m.CPU.Detail)
	}
}

// judgeMeasurement fills in the check of a line by what was measured. Every GPU
// counts: a wrong result is worse than a slow one, and that than none; a slow one
// fails only against what the author wrote.
func judgeMeasurement(c *report.Check, s measure.Spec, m *report.Measurement) {
	c.Measurement = m
	unmeasured := func(g report.Measured) bool { return g.Why != "" }
	worst := slowest(m.GPUs, s)
	if worst != nil {
		c.Found = rate(worst.Rate) + " " + m.Unit
	}
	wrong := slices.IndexFunc(m.GPUs, func(g report.Measured) bool { return g.Wrong })
	switch {
	case wrong >= 0:
		c.Found = ""
		c.Outcome, c.Reason = report.Failed, wrongResult(m.GPUs[wrong])
	case worst != nil && !s.Holds(worst.Rate):
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonUnmet, Need: c.Want, Found: c.Found}
	case slices.ContainsFunc(m.GPUs, unmeasured):
		c.Outcome, c.Reason = notMeasured(m.GPUs)
	case worst == nil:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonMeasure, Detail: report.WhyNotSupported}
	default:
		c.Outcome = report.Passed
	}
	// A value of some of the GPUs, or of a wrong result, is none of the machine's.
	if worst != nil && wrong < 0 && !slices.ContainsFunc(m.GPUs, unmeasured) {
		c.Captures = []report.Capture{{Name: s.Name, Value: rate(worst.Rate), Unit: m.Unit}}
	}
}

// slowest is the GPU that decides: that with the least rate, or, where the author
// wants a rate to be low, with the greatest.
func slowest(gpus []report.Measured, s measure.Spec) (worst *report.Measured) {
	low := s.Op == "<" || s.Op == "<="
	for i := range gpus {
		g := &gpus[i]
		if g.Why == "" && (worst == nil || (g.Rate < worst.Rate) != low) {
			worst = g
		}
	}
	return worst
}

func wrongResult(g report.Measured) *report.Reason {
	r := &report.Reason{Code: report.ReasonWrong, Detail: "GPU " + strconv.Itoa(g.Device)}
	if g.Tolerance > 0 {
		r.Need = strconv.FormatFloat(g.Tolerance, 'g', 2, 64)
	}
	if g.MaxError > 0 {
		r.Found = strconv.FormatFloat(g.MaxError, 'g', 2, 64)
	}
	return r
}

// notMeasured is the outcome where some GPU was not measured: an error if its
// driver failed, and else skipped.
func notMeasured(gpus []report.Measured) (report.Outcome, *report.Reason) {
	reason := &report.Reason{Code: report.ReasonMeasure}
	for _, g := range gpus {
		switch g.Why {
		case "":
		case report.WhyNoMemory, report.WhyNotSupported, report.WhyNoLibrary:
			if reason.Detail == "" {
				reason.Detail = g.Why
			}
		default:
			reason.Detail = g.Why
			return report.Errored, reason
		}
	}
	return report.Skipped, reason
}

// rate says a rate with three digits that mean something.
func rate(v float64) string {
	decimals := 0
	for limit := 100.0; v > 0 && v < limit && decimals < 6; limit /= 10 {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
