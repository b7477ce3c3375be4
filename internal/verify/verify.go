// Package verify runs the checks of a site on this machine and makes the
// machine's report.
//
// # What is run
//
// [NewPlan] chooses sessions and gpu lines; nothing is executed for that.
// [Run] asks the machine for its GPUs and the interpreters for their versions,
// judges the gpu lines, keeps what an earlier report proves (keep.go), and runs
// the other sessions, several at once where that disturbs nothing (schedule.go),
// each in a process of its own and in a scratch folder that is removed afterwards
// (package session says how). The same code in two languages is one check and
// runs once.
//
// A block with run=sbatch is a job script: it goes through Slurm, and its output
// is what Slurm wrote to the job's output file (see sbatch.go).
//
// # How it is judged
//
// A runnable block passes when it runs to its end, without a failing command
// or an exception, or with the exit code that the author expects, and its output
// is what the author expects (package match says what an expectation may leave
// open, and how Python sessions are judged). Without an expectation, running to
// its end is enough. Where several expectations follow, exactly one of a stream
// must be for this machine: the one whose when= holds, else the one without
// when=. If none or several are, the check is an error, because nobody has said
// what is right here. See judge.go.
//
// A block whose needs= this machine does not meet is skipped, and so are the
// blocks behind it in its session. A block that crashes or runs into its time
// limit, or whose interpreter does not start, is an error, and ends its session:
// the blocks behind it are errors too.
// A gpu line is skipped where the machine has no GPU, and an error where its
// driver is broken. One that measures does so before any session runs, and is
// judged in measure.go.
//
// What a requirement says of software, "runs torch" or "torch >= 1.12", is judged by
// package compat in the environment of its block. As a gpu line it fails where torch is
// not installed, for it says that it is.
//
// # What snippets see
//
// The environment of gpudocs itself, with NO_COLOR=1, TERM=dumb, COLUMNS=80,
// LC_ALL=C.UTF-8, MPLBACKEND=Agg and a TMPDIR in the scratch folder; with env=
// also the PATH of that environment. What a session uses is limited, and it may
// do what the user who runs verify may do, unless the site asks for a sandbox:
// confine.go.
//
// # What is published
//
// A report is published, so private facts are taken out of the output before
// it is compared and kept: see private.go.
package verify

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/compat"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
	"github.com/gpudocs/gpudocs/internal/slurm"
)

// Options for [Run].
type Options struct {
	// Machine is the label under which the report is published.
	Machine string
	// Generator names the program and its version.
	Generator string
	// Root is the site's folder, for environments with a relative path.
	Root string
	// Confine are the limits and the sandbox that the site asks for.
	Confine content.Verify
	// Env are the site's environments, Packages the packages that it declares
	// for blocks without one.
	Env      map[string]content.Environment
	Packages []string
	// Timeout, if not zero, is the limit of every block in place of its own.
	Timeout time.Duration
	// Shared is a folder that the nodes of a cluster see, for job scripts; it is
	// made when it is needed. QueueWait is how long a job may wait for its start.
	Shared    string
	QueueWait time.Duration
	// Unfinished, if not nil, is the reason of the checks that an interrupted run
	// did not finish: they are errors then, and else left as they were.
	Unfinished *report.Reason
	// Probe asks for the machine's GPUs.
	Probe func(context.Context) report.GPU
	// Measure measures what a gpu line asks for, on each of the machine's GPUs; nil
	// leaves such lines out. An error is ctx's, or one of gpudocs.
	Measure func(ctx context.Context, s measure.Spec, gpus int) (*report.Measurement, error)
	// Keep leaves out what passed before under the same conditions.
	Keep bool
	// Jobs is how many sessions may run at once; 0 leaves it to the machine.
	Jobs int
	// Checkpoint, if not nil, is given what is finished, now and then.
	Checkpoint func(*report.Report) error
	// Progress is told what happens, one call at a time; nil is not told.
	Progress func(Event)
	// Examples is told what the examples of a pycon block printed, maybe from
	// several goroutines, for [NewUpdate]; nil is not told.
	Examples func(report.ID, []Printed)
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

// An Event is one step of a run.
type Event struct {
	// Done of Total checks are finished.
	Done, Total int
	// Machine is what the first event says: on which one the checks run.
	Machine *report.Machine
	// Started is the block that begins now, Ended the one that has come to its
	// end, or nil.
	Started, Ended *content.Block
	// Finished is the check that has just got its outcome, or nil.
	Finished *report.Check
	// Kept counts the checks that are not run because nothing has changed since
	// they passed.
	Kept int
	// Dropped counts earlier results that do not hold any more, because the
	// machine's driver, GPUs or sandbox have changed since.
	Dropped int
}

// Run runs the plan. Checks that it does not run are taken from previous, which
// may be nil, unless the machine has another driver, other GPUs or another sandbox
// by now: a report says all its checks of one machine as it is, and [Event].Dropped tells
// how many went. With an error, which is ctx's when that ends, the report holds
// what was finished; it is nil where ctx ended before anything was known of the
// machine.
func Run(ctx context.Context, p *Plan, previous *report.Report, o Options) (*report.Report, error) {
	r := newRun(p, previous, o)
	o = r.o
	r.ask(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err // an interrupted probe says nothing of the machine
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
	r.lines(ctx)
	err := r.sessions(ctx)
	if ctx.Err() != nil && o.Unfinished != nil {
		r.unfinished(report.Errored, *o.Unfinished, nil)
	}
	r.checkpoints.close()
	return r.report(previous), err
}

// run is one run of a plan.
type run struct {
	plan        *Plan
	o           Options
	machine     report.Machine
	tools       map[toolKey]*tool
	private     *private
	confinement *confinement // of the snippets, made once for all
	past        past
	checkpoints *checkpointer
	total       int

	mu    sync.Mutex // of what follows, and of Progress
	done  map[report.ID]*report.Check
	ended int
	size  int // of the finished checks in the report
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
	return &run{plan: p, o: o, past: newPast(previous, p), done: map[report.ID]*report.Check{}, total: p.Checks()}
}

// ask finds out what the machine and its interpreters are, at the same time.
func (r *run) ask(ctx context.Context) {
	var asking sync.WaitGroup
	asking.Go(func() { r.tools = findTools(ctx, r.plan, r.o) })
	var cluster *report.Slurm
	if r.plan.asksSlurm() {
		asking.Go(func() { cluster = &report.Slurm{Version: slurm.Version(ctx)} })
	}
	r.machine = machine(r.o.Machine, r.o.Probe(ctx))
	r.private = newPrivate(r.o.Root)
	asking.Wait()
	r.machine.Environments, r.machine.Slurm = environments(r.tools), cluster
}

// begin says that a block begins.
func (r *run) begin(b *content.Block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Progress(Event{Done: r.ended, Total: r.total, Started: b})
}

// finish files a check. One that ran before, as part of another session, keeps
// its first result.
func (r *run) finish(b *content.Block, c *report.Check) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	if r.done[c.ID] != nil {
		r.o.Progress(Event{Done: r.ended, Total: r.total, Ended: b})
		return
	}
	c.History = r.past.history(c, r.plan.spots[c.ID])
	r.done[c.ID] = c
	if r.size += cost(c); r.size > budget {
		r.shrink()
	}
	r.checkpoints.mark()
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
	r.size = shrink(all, budget/4*3)
	for _, c := range all {
		r.done[c.ID] = c
	}
}

func (r *run) check(id report.ID, kind content.Kind) *report.Check {
	at := r.plan.names[id]
	return &report.Check{ID: id, Kind: string(kind), Page: at[0], Name: at[1],
		Places: r.plan.places[id], Ran: r.o.Now().UTC().Truncate(time.Second)}
}

// gpuLine judges one line of a gpu block by the machine's facts.
func (r *run) gpuLine(l *Line) *report.Check {
	c := r.check(l.ID, content.GPU)
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
		if have, asked := facts[v.Program]; !asked || have.Untold() {
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

// runsLine judges a line such as "runs cu124". It fails where the software does
// not run, a framework that is not installed included, and is skipped where
// nobody can tell.
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

// unmet is the reason that a requirement gives, with the verdict on the software
// that it asks for, unless that runs here and was not to.
func (r *run) unmet(v require.Verdict, environment string) *report.Reason {
	reason := &report.Reason{Code: report.ReasonNeeds, Need: v.Need, Found: v.Found}
	if v.Program != "" {
		r.lacks(v, environment, reason)
	}
	if v.Software == "" {
		return reason
	}
	if verdict := compat.Judge(r.machine, environment, v.Software); !verdict.Runs() {
		reason.Verdict = &verdict
	}
	return reason
}

// lacks completes the reason that software is not there, or another version of it:
// of Python and of a framework it says in which environment.
func (r *run) lacks(v require.Verdict, environment string, reason *report.Reason) {
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

// Known tells which checks of a report need not run again for the site as it
// is now: all that the report holds.
func Known(r *report.Report) func(report.ID) bool {
	ids := map[report.ID]bool{}
	if r != nil {
		for _, c := range r.Checks {
			ids[c.ID] = true
		}
	}
	return func(id report.ID) bool { return ids[id] }
}

// Of returns the report with those of its checks only that the plan runs.
func (p *Plan) Of(r *report.Report) *report.Report {
	chosen := p.ids()
	out := *r
	out.Checks = slices.DeleteFunc(slices.Clone(r.Checks), func(c report.Check) bool { return !chosen[c.ID] })
	return &out
}

// Failed tells whether any check that the plan runs failed or was an error.
func (p *Plan) Failed(r *report.Report) bool {
	return slices.ContainsFunc(p.Of(r).Checks, func(c report.Check) bool {
		return c.Outcome == report.Failed || c.Outcome == report.Errored
	})
}

// environ is what snippets see.
func environ(scratch string, pathFirst string, more ...string) []string {
	set := map[string]string{
		"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TMPDIR": scratch,
		"MPLBACKEND": "Agg", // Matplotlib draws without a screen
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
