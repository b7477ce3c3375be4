package verify

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// What would become of a check.
const (
	WouldRun  = "run"  // what comes of it, only running it can tell; a gpu line holds
	WouldKeep = "keep" // it passed before, and nothing has changed
	WouldSkip = "skip"
	WouldFail = "fail" // a gpu line that does not hold, or a driver that is broken
)

// A Foreseen check is what [Run] would do with it.
type Foreseen struct {
	ID    report.ID
	Name  string
	Kind  string
	Place report.Place
	// Fate is one of the Would names; Reason says why it would be skipped or fail.
	Fate   string
	Reason *report.Reason
}

// Foresee tells what [Run] would do with each check of the plan, without running a
// block. Like Run it asks the machine for its GPUs, and interpreters for their
// versions. A block that crashes takes those behind it with it: that is not foreseen.
func Foresee(ctx context.Context, p *Plan, previous *report.Report, o Options) ([]Foreseen, error) {
	r := newRun(p, previous, o)
	r.ask(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.confinement = &confinement{sandboxed: o.Confine.Sandbox == content.SandboxBwrap}
	if r.confinement.sandboxed {
		r.shut(ctx)
	}
	if previous != nil && !r.sameReport(previous) {
		previous = nil
	}
	r.keep(previous)
	fates := map[report.ID]Foreseen{}
	for _, l := range p.Lines {
		fates[l.ID] = r.foreseeLine(l)
	}
	for id := range p.left(r.plan) {
		fates[id] = Foreseen{Fate: WouldKeep}
	}
	for _, s := range r.plan.Sessions {
		r.foreseeSession(s, fates)
	}
	return p.inOrder(fates), nil
}

// foreseeLine judges a gpu line; one that measures is judged by whether there is
// something to measure.
func (r *run) foreseeLine(l *Line) Foreseen {
	c := &report.Check{Outcome: report.Passed}
	if l.Measure == nil {
		c = r.gpuLine(l)
	} else {
		r.unmeasurable(c)
	}
	fates := map[report.Outcome]string{report.Passed: WouldRun, report.Skipped: WouldSkip}
	fate, ok := fates[c.Outcome]
	if !ok {
		fate = WouldFail
	}
	return Foreseen{Kind: report.KindGPU, Fate: fate, Reason: c.Reason}
}

// foreseeSession judges blocks as a session does before each of them.
func (r *run) foreseeSession(s *Session, fates map[report.ID]Foreseen) {
	x := r.runner(s)
	for _, b := range s.Chosen() {
		c := r.check(b.ID, b.Kind)
		f := Foreseen{Fate: WouldRun}
		if x.stop(b, c) {
			f.Fate, f.Reason = WouldSkip, c.Reason
		}
		if _, ok := fates[b.ID]; !ok { // else another session holds it too
			fates[b.ID] = f
		}
	}
}

// inOrder names the checks, in the order of the pages.
func (p *Plan) inOrder(fates map[report.ID]Foreseen) []Foreseen {
	kinds := map[report.ID]content.Kind{}
	for _, l := range p.Lines {
		kinds[l.ID] = content.GPU
	}
	for _, s := range p.Sessions {
		for _, b := range s.Blocks {
			kinds[b.ID] = b.Kind
		}
	}
	var out []Foreseen
	for _, id := range p.order {
		f, ok := fates[id]
		if !ok {
			continue
		}
		f.ID, f.Name, f.Place = id, p.names[id][1], p.places[id][0]
		if f.Kind == "" {
			f.Kind = string(kinds[id])
		}
		out = append(out, f)
	}
	return out
}

// Scrubber returns a function that takes private facts out of a text, for a site
// in the folder root: see private.go.
func Scrubber(root string) func(string) string { return newPrivate(root).scrub }

// Describe says what a report says of this machine: its name is a label.
func Describe(name string, gpu report.GPU) report.Machine { return machine(name, gpu) }
