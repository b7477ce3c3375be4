package verify

import (
	"context"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// Options are the options of [Run].
type Options struct {
	// Machine is the label under which the report is published.
	Machine string
	// Generator is the name and version of the program.
	Generator string
	// Root is the site's folder, to which paths of environments are relative.
	Root string
	// Confine is the table [verify] of the site's configuration: limits, sandbox, drift.
	Confine site.Verify
	// References are what values are held against, besides Confine.Drift.
	References site.References
	// Env are the site's environments. Packages are the packages that it declares for
	// blocks without an environment.
	Env      map[string]site.Environment
	Packages []string
	// Timeout replaces the time limit of every block. If zero, blocks have their own.
	Timeout time.Duration
	// Shared is a folder that the nodes of a cluster can read, for job scripts. It is
	// created if needed. QueueWait limits how long a job may wait for its start.
	Shared    string
	QueueWait time.Duration
	// Unfinished is the reason of checks that an interrupted run did not finish, which
	// become errors. If nil, they are left as they were.
	Unfinished *report.Reason
	// Probe probes the GPUs of the machine.
	Probe func(context.Context) report.GPU
	// Measure measures what a gpu line asks for on each of the machine's GPUs. If nil,
	// lines that measure are left out. Its error is that of ctx, or an internal one.
	Measure func(ctx context.Context, s ask.Measure, gpus int) (*report.Measurement, error)
	// HasBLAS reports whether there is a cuBLAS, for DryRun. If nil, there is one.
	HasBLAS func() bool
	// Keep leaves out checks that passed before under the same conditions.
	Keep bool
	// Jobs is the number of sessions that may run in parallel. If 0, it depends on the
	// machine.
	Jobs int
	// Checkpoint is called from time to time with the results so far. It may be nil.
	Checkpoint func(*report.Report) error
	// Progress is called for each event, one call at a time. It may be nil.
	Progress func(Event)
	// Examples is called with the results of the examples of pycon blocks, possibly
	// from several goroutines, for package update. It may be nil.
	Examples func(report.ID, []judge.Printed)
	// Now returns the current time. If nil, time.Now is used.
	Now func() time.Time
}

// An Event is the progress of a run.
type Event struct {
	// Done of Total checks are finished.
	Done, Total int
	// Machine is set in the first event only.
	Machine *report.Machine
	// Started is the block that begins, Ended the block that has ended, or nil.
	Started, Ended *site.Block
	// Finished is the check that has just been judged, or nil.
	Finished *report.Check
	// Kept is the number of checks that are not run because nothing has changed since
	// they passed.
	Kept int
	// Dropped is the number of earlier results that are no longer valid because the
	// machine's driver, GPUs or sandbox have changed.
	Dropped int
}

// Run runs the plan. Checks that are not in it are copied from previous, which may be
// nil. If the machine's driver, GPUs or sandbox have changed they are dropped instead,
// because a report has one description of the machine for all its checks;
// [Event].Dropped is their number. If the error is not nil, it is that of ctx, and the
// report holds the results so far. The report is nil if ctx ended before the machine
// was probed.
func Run(ctx context.Context, p *Plan, previous *report.Report, o Options) (*report.Report, error) {
	r := newRun(p, previous, o)
	o = r.o
	r.probeMachine(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err // an interrupted probe is no result
	}
	defer r.confine(ctx)()
	r.machine.After(previous)
	dropped := 0
	if previous != nil && !r.sameReport(previous) {
		dropped = len(previous.Checks)
		previous, r.previous.changed = nil, true
	}
	r.keepSoftware(previous)
	kept := r.keep(ctx, previous)
	r.total = r.plan.Steps()
	o.Progress(Event{Total: r.total, Machine: &r.machine, Kept: kept, Dropped: dropped})
	r.checkpoints = newCheckpointer(func() *report.Report { return r.report(previous) }, o.Checkpoint)
	r.judgeLines(ctx)
	err := r.sessions(ctx)
	if ctx.Err() != nil && o.Unfinished != nil {
		r.unfinished(report.Errored, *o.Unfinished, nil)
	}
	r.checkpoints.close()
	return r.report(previous), err
}
