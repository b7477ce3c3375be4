package verify

import (
	"cmp"
	"context"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
)

// The decisions of a dry run.
const (
	WouldRun    = "run"      // it would run, or a gpu line holds
	WouldAnswer = "answered" // a gpu line that asks and demands nothing
	WouldKeep   = "keep"     // it passed before, and nothing has changed
	WouldSkip   = "skip"
	WouldFail   = "fail" // a gpu line does not hold, or the driver is broken
)

// A DryRunCheck is a check and what [Run] would do with it.
type DryRunCheck struct {
	ID    report.ID
	Name  string
	Kind  string
	Place report.Place
	// Decision is one of the Would constants. Reason is why it would be skipped or fail, or
	// why the answer is no.
	Decision string
	Reason   *report.Reason
	// Build is set if it would be built, although it would be skipped.
	Build bool
}

// DryRun returns what [Run] would do with each check of the plan, without running a
// block. Like Run it probes GPUs and the versions of interpreters. It assumes that no
// block ends its session.
func DryRun(ctx context.Context, p *Plan, previous *report.Report, o Options) ([]DryRunCheck, error) {
	r := newRun(p, previous, o)
	r.probeMachine(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.confinement = &confinement{sandboxed: o.Confine.Sandbox == site.SandboxBwrap}
	if r.confinement.sandboxed {
		r.checkSandbox(ctx)
	}
	if previous != nil && !r.sameReport(previous) {
		previous = nil
	}
	r.keep(ctx, previous)
	decisions := map[report.ID]DryRunCheck{}
	for _, l := range p.Lines {
		decisions[l.ID] = r.decideLine(l)
	}
	for id := range p.idsWithout(r.plan) {
		decisions[id] = DryRunCheck{Decision: WouldKeep}
	}
	for _, s := range r.plan.Sessions {
		r.decideSession(s, decisions)
	}
	return p.inOrder(decisions), nil
}

// decideLine judges a gpu line. For one that measures it only checks that there is
// something to measure.
func (r *run) decideLine(l *Line) DryRunCheck {
	c := &report.Check{Outcome: report.Passed}
	if l.Measures() == nil {
		c = r.gpuLine(l)
	} else if !r.skipWithoutGPU(c) {
		r.skipUnmeasurable(l, c)
	}
	decisions := map[standing.Standing]string{standing.Passed: WouldRun, standing.Answered: WouldAnswer, standing.NotApplicable: WouldSkip,
		standing.Skipped: WouldSkip}
	return DryRunCheck{Decision: cmp.Or(decisions[standing.Of(c).Standing], WouldFail), Reason: c.Reason}
}

// skipUnmeasurable sets the outcome of a measurement on a machine where CUDA cannot be used or sees no GPU, or
// that has no other GPU to copy to or no cuBLAS for a type.
func (r *run) skipUnmeasurable(l *Line, c *report.Check) {
	gpu, why, said := r.machine.GPU, "", ""
	switch counts := gpu.Counts; {
	case counts == nil || counts.CUDA == nil && (counts.Detail == "" || counts.Detail == cuda.ErrUnsupported.Error()):
		why = report.WhyNotSupported
	case counts.CUDA == nil && counts.Detail == cuda.ErrNoLibrary.Error():
		why, said = report.WhyNoLibrary, cuda.SharedLibrary
	case counts.CUDA == nil, *counts.CUDA == 0:
		why = report.WhyFailed
	case l.Measures().What == ask.Peer && len(gpu.Devices) < 2:
		why = report.WhyNotSupported
	case l.Measures().What == ask.Matmul && l.Measures().DType != ask.FP32 && r.o.HasBLAS != nil && !r.o.HasBLAS():
		why, said = report.WhyNoLibrary, "cuBLAS"
	}
	if why != "" {
		c.Outcome, c.Reason = notMeasured([]report.Measured{{Why: why, Detail: said}})
	}
}

// decideSession judges each block as a session does before running it.
func (r *run) decideSession(s *Session, decisions map[report.ID]DryRunCheck) {
	x := r.runner(s)
	for _, b := range s.Chosen() {
		c, d := r.newCheck(b.ID, b.Kind), DryRunCheck{Decision: WouldRun}
		if x.skip(b, c) {
			d.Build = x.buildsAnyway(b, c)
			d.Decision, d.Reason = WouldSkip, c.Reason
		}
		if _, ok := decisions[b.ID]; !ok { // otherwise it runs in another session too
			decisions[b.ID] = d
		}
	}
}

// inOrder returns the decisions in the order of the pages.
func (p *Plan) inOrder(decisions map[report.ID]DryRunCheck) []DryRunCheck {
	kinds := map[report.ID]site.Kind{}
	for _, l := range p.Lines {
		kinds[l.ID] = site.GPU
	}
	for _, s := range p.Sessions {
		for _, b := range s.Blocks {
			kinds[b.ID] = b.Kind
		}
	}
	var out []DryRunCheck
	for _, id := range p.order {
		if d, ok := decisions[id]; ok {
			d.ID, d.Name, d.Kind, d.Place = id, p.all[id].name, string(kinds[id]), p.all[id].places[0]
			out = append(out, d)
		}
	}
	return out
}
