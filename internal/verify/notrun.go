package verify

import (
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// NotRun returns the report of a machine that was to run the plan and did not. The
// checks of the plan get the outcome and the reason; the others are copied from
// previous, which may be nil. With o.Keep, checks that passed in previous are copied
// too: a job that did not start disproves nothing. The machine is described as in
// previous.
func (p *Plan) NotRun(previous *report.Report, o Options, outcome report.Outcome, why report.Reason) *report.Report {
	r := newRun(p, previous, o)
	r.machine = report.Machine{Name: o.Machine, GPU: report.GPU{Status: report.GPUBroken, Code: report.CodeNotReached}}
	if previous != nil {
		r.machine = previous.Machine
	}
	why = *why.Redacted(newRedactor(o.Root, nil).redact)
	var passed map[report.ID]*report.Check
	if o.Keep && previous != nil {
		passed = passedIn(previous)
	}
	r.unfinished(outcome, why, passed)
	return r.report(previous)
}

// unfinished sets the outcome of the checks of the plan that have none yet, except for
// those in kept.
func (r *run) unfinished(outcome report.Outcome, why report.Reason, kept map[report.ID]*report.Check) {
	for _, l := range r.plan.Lines {
		if r.done[l.ID] == nil && kept[l.ID] == nil {
			c := r.newLine(l)
			c.Outcome, c.Reason = outcome, &why
			r.blockFinished(nil, c)
		}
	}
	for _, s := range r.plan.Sessions {
		for _, b := range s.Chosen() {
			if r.done[b.ID] == nil && kept[b.ID] == nil {
				c := r.newCheck(b.ID, b.Kind)
				c.Outcome, c.Reason = outcome, &why
				r.blockFinished(b, c)
			}
		}
	}
}

// ReplaceReason completes a report of a run with [Options].Unfinished: it replaces the
// reason mark of each check by why. If why is nil, these checks are removed, or
// restored from previous if they are there.
func ReplaceReason(r, previous *report.Report, mark report.Reason, why *report.Reason) {
	old := previous.ByID()
	marked := func(c report.Check) bool { return c.Reason != nil && reflect.DeepEqual(*c.Reason, mark) }
	for i := range r.Checks {
		c := &r.Checks[i]
		if !marked(*c) {
			continue
		}
		if was := old[c.ID]; why != nil {
			c.Reason = why
		} else if was != nil {
			*c = *was
		}
	}
	if why == nil {
		r.Checks = slices.DeleteFunc(r.Checks, marked)
	}
}
