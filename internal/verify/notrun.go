package verify

import (
	"context"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// NotRun makes the report of a machine that was to run the plan and did not, for
// the reason given: the checks of the plan have the outcome, the others are
// taken from previous, which may be nil. So are, with o.Keep, those that passed
// there: that a job did not start disproves nothing. What is known of the machine
// is what previous says of it.
func (p *Plan) NotRun(previous *report.Report, o Options, outcome report.Outcome, why report.Reason) *report.Report {
	r := newRun(p, previous, o)
	r.machine = report.Machine{Name: o.Machine, GPU: report.GPU{Status: report.GPUBroken, Code: report.CodeNotReached}}
	if previous != nil {
		r.machine = previous.Machine
	}
	why.Detail = newPrivate(o.Root).scrub(why.Detail)
	var passed map[report.ID]*report.Check
	if o.Keep && previous != nil {
		passed = passedIn(previous)
	}
	r.unfinished(outcome, why, passed)
	return r.report(previous)
}

// unfinished gives the checks that the plan runs and that have no outcome yet
// one, but for those of kept.
func (r *run) unfinished(outcome report.Outcome, why report.Reason, kept map[report.ID]*report.Check) {
	for _, l := range r.plan.Lines {
		if r.done[l.ID] == nil && kept[l.ID] == nil {
			c := r.check(l.ID, content.GPU)
			c.Want, c.Outcome, c.Reason = l.Want(), outcome, &why
			r.finish(nil, c)
		}
	}
	for _, s := range r.plan.Sessions {
		for _, b := range s.Chosen() {
			if r.done[b.ID] == nil && kept[b.ID] == nil {
				c := r.check(b.ID, b.Kind)
				c.Outcome, c.Reason = outcome, &why
				r.finish(b, c)
			}
		}
	}
}

// Because completes a report that [Options].Unfinished marked: the reason of each
// marked check becomes why. Where why is nil the mark goes, and the check is as
// in previous, if it is there.
func Because(r, previous *report.Report, mark report.Reason, why *report.Reason) {
	old := map[report.ID]report.Check{}
	if previous != nil {
		for _, c := range previous.Checks {
			old[c.ID] = c
		}
	}
	marked := func(c report.Check) bool { return c.Reason != nil && *c.Reason == mark }
	for i := range r.Checks {
		c := &r.Checks[i]
		if !marked(*c) {
			continue
		}
		if was, ok := old[c.ID]; why != nil {
			c.Reason = why
		} else if ok {
			*c = was
		}
	}
	if why == nil {
		r.Checks = slices.DeleteFunc(r.Checks, marked)
	}
}

// together is how far apart the processes of a job may get one signal.
const together = 250 * time.Millisecond

// endsToo tells, of a block that SIGTERM has ended, whether that signal is for
// gpudocs as well: Slurm, a container or a service manager send it to all
// processes of a job at once. Then the block has not failed; the run is
// interrupted.
func endsToo(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(together):
		return nil
	}
}
