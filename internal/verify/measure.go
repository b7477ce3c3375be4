package verify

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// measureLine measures what a gpu line asks for and judges it.
func (r *run) measureLine(ctx context.Context, l *Line) *report.Check {
	c := r.newLine(l)
	if r.skipWithoutGPU(c) {
		return c
	}
	if r.o.Measure == nil {
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonMeasure, Why: report.WhyNotSupported}
		return c
	}
	began := time.Now()
	m, err := r.o.Measure(ctx, *l.Measures(), len(r.machine.GPU.Devices))
	c.DurationMS = float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		c.Outcome, c.Reason = report.Errored, &report.Reason{
			Code: report.ReasonEngine,
			Said: r.redactor.redact(diag.Clip(err.Error(), maxDetail)),
		}
		return c
	}
	r.redactMeasurement(m)
	judgeMeasurement(c, *l.Measures(), m, r.limits())
	return c
}

// skipWithoutGPU sets the outcome of a line on a machine without a usable GPU,
// and reports whether it did.
func (r *run) skipWithoutGPU(c *report.Check) bool {
	switch gpu := r.machine.GPU; {
	case gpu.Status == report.GPUBroken:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonBroken, Why: gpu.Code}
	case gpu.Status != report.GPUOk || len(gpu.Devices) == 0:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoGPU, Why: cmp.Or(gpu.Code, report.CodeNoDevice)}
	default:
		return false
	}
	return true
}

// redactMeasurement redacts the messages of drivers.
func (r *run) redactMeasurement(m *report.Measurement) {
	for i := range m.GPUs {
		m.GPUs[i].Detail = r.redactor.redact(m.GPUs[i].Detail)
	}
	if m.CPU != nil {
		m.CPU.Detail = r.redactor.redact(m.CPU.Detail)
	}
}

// judgeMeasurement sets the outcome of a line from its measurement. Every GPU counts: a
// wrong result is worse than a slow one, and a slow one is worse than none. A slow GPU
// fails only if the author gave a bound.
func judgeMeasurement(c *report.Check, s ask.Measure, m *report.Measurement, limits judge.Limits) {
	c.Measurement = m
	unmeasured := func(g report.Measured) bool { return g.Why != "" }
	reference := limits.Reference(c, report.Capture{Name: s.Name, Unit: m.Unit})
	worst := deciding(m.GPUs, s, reference)
	if worst != nil {
		c.Found = formatRate(worst.Rate) + " " + m.Unit
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
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonMeasure, Why: report.WhyNotSupported}
	default:
		c.Outcome = report.Passed
	}
	// A value that some of the GPUs lack, or that comes from a wrong result, is not
	// reported.
	if worst != nil && wrong < 0 && !slices.ContainsFunc(m.GPUs, unmeasured) {
		c.Captures = []report.Capture{{Name: s.Name, Value: formatRate(worst.Rate), Unit: m.Unit}}
		if s.Bound.Relative {
			c.Captures[0].Bound = s.Bound.String()
		}
	}
}

// deciding returns the GPU that decides: one that is out of the bound, or else the one with the lowest rate,
// or the highest if the author gave an upper bound only.
func deciding(gpus []report.Measured, s ask.Measure, reference float64) (worst *report.Measured) {
	low := s.Bound.Better() < 0
	out := func(g *report.Measured) bool {
		return s.Bound.Relative && reference > 0 && !s.Bound.Holds(g.Rate, reference)
	}
	for i := range gpus {
		g := &gpus[i]
		if g.Why == "" && (worst == nil || out(g) && !out(worst) || out(g) == out(worst) && (g.Rate < worst.Rate) != low) {
			worst = g
		}
	}
	return worst
}

func wrongResult(g report.Measured) *report.Reason {
	r := &report.Reason{Code: report.ReasonWrong, GPUs: []int{g.Device}}
	for _, p := range g.Peers {
		if p.Wrong {
			r.GPUs = []int{g.Device, p.Device}
		}
	}
	if g.Tolerance > 0 {
		r.Need = strconv.FormatFloat(g.Tolerance, 'g', 2, 64)
	}
	if g.MaxError > 0 {
		r.Found = strconv.FormatFloat(g.MaxError, 'g', 2, 64)
	}
	return r
}

// notMeasured returns the outcome if a GPU was not measured: an error if its driver
// failed, or else skipped.
func notMeasured(gpus []report.Measured) (report.Outcome, *report.Reason) {
	reason := &report.Reason{Code: report.ReasonMeasure}
	for _, g := range gpus {
		switch g.Why {
		case "":
		case report.WhyNoMemory, report.WhyNotSupported, report.WhyNoLibrary:
			if reason.Why == "" && g.Why == report.WhyNoLibrary {
				reason.Said = g.Detail // which library
			}
			reason.Why = cmp.Or(reason.Why, g.Why)
		default:
			reason.Why, reason.Said = g.Why, ""
			return report.Errored, reason
		}
	}
	return report.Skipped, reason
}

// formatRate formats a rate with three significant digits.
func formatRate(v float64) string {
	return strconv.FormatFloat(v, 'f', ask.Decimals(v), 64)
}
