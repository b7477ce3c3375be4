// Package verify runs the checks of a site on this machine and writes the machine's
// report.
//
// # What runs
//
// [NewPlan] chooses sessions and gpu lines without executing anything (plan.go). [Run]
// probes the GPUs and the versions of interpreters (machine.go), keeps what an earlier
// report proves (keep.go), judges the gpu lines (gpuline.go), and runs the other
// sessions, in parallel if that disturbs nothing (schedule.go). Each session has a
// process and a scratch folder of its own (package session). The same code in two
// languages is one check and runs once. [DryRun] only decides what would run (dryrun.go),
// and [Plan.NotRun] reports that nothing did (notrun.go).
//
// A runner runs the blocks of a session (run.go, pycon.go) with the means of runner.go.
// judge.go judges how they ended, and package judge what they printed. results.go collects
// their checks, merges them with those of an earlier report, and trims them if they are too
// large (budget.go).
//
// A block with run=sbatch is a job script. It is submitted to Slurm, and its output is
// what Slurm wrote to the job's output file (sbatch.go).
//
// # How results are judged
//
// A block passes if it runs to its end, without a failing command or an exception, or
// with the exit code that the author expects, and its output matches the expectation
// (package match). Without an expectation, running to its end is enough. If several
// expectations follow a block, exactly one of each stream must apply to this machine:
// the one whose when= holds, or else the one without when=. If none or several apply,
// the check is an error, because the expected result is not known. See package judge.
//
// A block whose needs= this machine does not meet is skipped, and so are the later
// blocks of its session. A block that crashes or exceeds its time limit, or whose
// interpreter does not start, is an error and ends its session: the later blocks are
// errors too. A block that fails for the lack of something for which an earlier block of its
// session has failed is skipped too (package lack). A gpu line is skipped if the machine has no GPU, and an error if its
// driver is broken. Lines that measure run before any session (measure.go).
//
// Requirements on software, "runs torch" or "torch >= 1.12", are judged by package
// compat in the environment of their block. A gpu line with such a requirement fails if
// torch is not installed.
//
// # What snippets see
//
// Snippets have the environment of gpudocs, with NO_COLOR=1, TERM=dumb, COLUMNS=80,
// LC_ALL=C.UTF-8, MPLBACKEND=Agg and a TMPDIR in the scratch folder, and with the PATH
// of the environment that env= names. Their resources are limited. They have the
// permissions of the user unless the site asks for a sandbox (confine.go).
//
// # What is published
//
// Reports are published, so private facts are redacted before output is compared and
// kept (redact.go).
package verify

import (
	"context"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/measure"
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
	Measure func(ctx context.Context, s measure.Spec, gpus int) (*report.Measurement, error)
	// Keep leaves out checks that passed before under the same conditions.
	Keep bool
	// Builds is the folder that keeps what compilers made, or empty. Rebuild compiles again
	// what it holds.
	Builds  string
	Rebuild bool
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
