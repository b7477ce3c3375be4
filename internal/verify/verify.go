// Package verify runs the checks of a site on this machine and writes the machine's
// report.
//
// # What runs
//
// [NewPlan] chooses sessions and gpu lines without executing anything. [Run] probes the
// GPUs and the versions of interpreters, judges the gpu lines, keeps what an earlier
// report proves (keep.go), and runs the other sessions, in parallel if that disturbs
// nothing (schedule.go). Each session has a process and a scratch folder of its own
// (package session). The same code in two languages is one check and runs once.
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
// the check is an error, because the expected result is not known. See judge.go.
//
// A block whose needs= this machine does not meet is skipped, and so are the later
// blocks of its session. A block that crashes or exceeds its time limit, or whose
// interpreter does not start, is an error and ends its session: the later blocks are
// errors too. A gpu line is skipped if the machine has no GPU, and an error if its
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
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/measure"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Options are the options of [Run].
type Options struct {
	// Machine is the label under which the report is published.
	Machine string
	// Generator is the name and version of the program.
	Generator string
	// Root is the site's folder, to which paths of environments are relative.
	Root string
	// Confine are the limits and the sandbox of the site's configuration.
	Confine site.Verify
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
	// Jobs is the number of sessions that may run in parallel. If 0, it depends on the
	// machine.
	Jobs int
	// Checkpoint is called from time to time with the results so far. It may be nil.
	Checkpoint func(*report.Report) error
	// Progress is called for each event, one call at a time. It may be nil.
	Progress func(Event)
	// Examples is called with the results of the examples of pycon blocks, possibly
	// from several goroutines, for [NewUpdate]. It may be nil.
	Examples func(report.ID, []Printed)
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
		previous = nil
	}
	r.keepSoftware(previous)
	kept := r.keep(previous)
	r.total = r.plan.Checks()
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

// run is the state of one run of a plan.
type run struct {
	plan        *Plan
	o           Options
	machine     report.Machine
	tools       map[toolKey]*tool
	redactor    *redactor
	confinement *confinement // shared by all snippets
	previous    previousChecks
	checkpoints *checkpointer
	total       int

	mu    sync.Mutex // guards the fields below, and calls of Progress
	done  map[report.ID]*report.Check
	ended int
	size  int // encoded size of the finished checks
}

func newRun(p *Plan, previous *report.Report, o Options) *run {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	if o.Examples == nil {
		o.Examples = func(report.ID, []Printed) {}
	}
	return &run{plan: p, o: o, previous: newPreviousChecks(previous, p), done: map[report.ID]*report.Check{}, total: p.Checks()}
}

// probeMachine probes the machine and its interpreters, in parallel.
func (r *run) probeMachine(ctx context.Context) {
	var asking sync.WaitGroup
	asking.Go(func() { r.tools = findTools(ctx, r.plan, r.o) })
	var cluster *report.Slurm
	if r.plan.needsSlurm() {
		asking.Go(func() { cluster = &report.Slurm{Version: slurm.Version(ctx)} })
	}
	r.machine = Describe(r.o.Machine, r.o.Probe(ctx))
	r.redactor = newRedactor(r.o.Root)
	asking.Wait()
	r.machine.Environments, r.machine.Slurm = environments(r.tools), cluster
}

// blockStarted reports that a block begins.
func (r *run) blockStarted(b *site.Block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Progress(Event{Done: r.ended, Total: r.total, Started: b})
}

// blockFinished records a check. A check that already ran, as part of another session,
// keeps its first result.
func (r *run) blockFinished(b *site.Block, c *report.Check) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	if r.done[c.ID] != nil {
		r.o.Progress(Event{Done: r.ended, Total: r.total, Ended: b})
		return
	}
	c.History = r.previous.history(c, r.plan.locations[c.ID])
	r.done[c.ID] = c
	if r.size += encodedSize(c); r.size > budget {
		r.shrink()
	}
	r.checkpoints.changed()
	r.o.Progress(Event{Done: r.ended, Total: r.total, Ended: b, Finished: c})
}

// shrink makes room for the checks to come.
func (r *run) shrink() {
	var all []*report.Check
	for _, id := range r.plan.order {
		if c := r.done[id]; c != nil {
			all = append(all, c)
		}
	}
	r.size = shrinkChecks(all, budget/4*3)
	for _, c := range all {
		r.done[c.ID] = c
	}
}

func (r *run) newCheck(id report.ID, kind site.Kind) *report.Check {
	at := r.plan.names[id]
	return &report.Check{ID: id, Kind: string(kind), Page: at[0], Name: at[1],
		Places: r.plan.places[id], Ran: r.o.Now().UTC().Truncate(time.Second)}
}

// gpuLine judges one line of a gpu block by the facts of the machine.
func (r *run) gpuLine(l *Line) *report.Check {
	c := r.newCheck(l.ID, site.GPU)
	if l.Fact == require.Runs {
		r.runsLine(l, c)
		return c
	}
	facts := compat.Facts(r.machine, l.Block.Env)
	c.Want, c.Found = l.Want(), facts[l.Fact].String()
	gpu := r.machine.GPU
	v := l.Need.Judge(facts)
	switch {
	case v.Met:
		c.Outcome = report.Passed
	case v.Program != "":
		c.Outcome, c.Reason = report.Failed, r.unmet(v, l.Block.Env)
		if have, asked := facts[v.Program]; !asked || have.VersionUnknown() {
			c.Outcome = report.Skipped
		}
	case gpu.Status == report.GPUNone:
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNoGPU, Detail: gpu.Code}
	case gpu.Status == report.GPUBroken:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonBroken, Detail: gpu.Code}
	case v.Found == "":
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
	c.Want, c.Found = l.Want(), compat.Found(v)
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

// unmet returns the reason of a requirement that is not met. It includes the verdict on
// the software that the requirement names, unless that does run here.
func (r *run) unmet(v require.Verdict, environment string) *report.Reason {
	reason := &report.Reason{Code: report.ReasonNeeds, Need: v.Need, Found: v.Found}
	if v.Program != "" {
		r.addMissing(v, environment, reason)
	}
	if v.Software == "" {
		return reason
	}
	if verdict := compat.Judge(r.machine, environment, v.Software); !verdict.Runs() {
		reason.Verdict = &verdict
	}
	return reason
}

// addMissing completes the reason for missing software or another version of it. For
// Python and frameworks it adds the environment.
func (r *run) addMissing(v require.Verdict, environment string, reason *report.Reason) {
	reason.Code = report.ReasonSoftware
	if v.Found != "" {
		reason.Found = string(v.Program) + " " + v.Found
	}
	if v.Program == require.Slurm {
		return
	}
	reason.Detail = cmp.Or(environment, "python3")
	for _, e := range r.machine.Environments {
		if e.Name == environment && e.Interpreter != "" {
			reason.Detail += ", " + e.Interpreter
		}
	}
}

// Known returns a function that reports whether a check need not run again: all checks
// that the report holds.
func Known(r *report.Report) func(report.ID) bool {
	checks := r.ByID()
	return func(id report.ID) bool { return checks[id] != nil }
}

// Of returns a copy of the report with only those checks that are in the plan.
func (p *Plan) Of(r *report.Report) *report.Report {
	chosen := p.ids()
	out := *r
	out.Checks = slices.DeleteFunc(slices.Clone(r.Checks), func(c report.Check) bool { return !chosen[c.ID] })
	return &out
}

// Failed reports whether any check of the plan failed or was an error.
func (p *Plan) Failed(r *report.Report) bool {
	return slices.ContainsFunc(p.Of(r).Checks, func(c report.Check) bool {
		return c.Outcome == report.Failed || c.Outcome == report.Errored
	})
}

// environ returns the environment variables of snippets.
func environ(scratch string, pathFirst string, more ...string) []string {
	set := map[string]string{
		"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TMPDIR": scratch,
		"MPLBACKEND": "Agg", // Matplotlib draws without a display
	}
	for _, kv := range more {
		k, v, _ := strings.Cut(kv, "=")
		set[k] = v
	}
	if pathFirst != "" {
		set["PATH"] = pathFirst + string(os.PathListSeparator) + os.Getenv("PATH")
	}
	var env []string
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		if _, ours := set[k]; !ours && !strings.HasPrefix(k, "GPUDOCS_") {
			env = append(env, kv)
		}
	}
	for k, v := range set {
		env = append(env, k+"="+v)
	}
	slices.Sort(env)
	return env
}
