// Package verify runs the checks of a site on this machine and makes the
// machine's report.
//
// # What is run
//
// [NewPlan] chooses sessions and gpu lines; nothing is executed for that.
// [Run] asks the machine for its GPUs, judges the gpu lines, and runs the
// sessions one after the other, each in a process of its own and in a scratch
// folder that is removed afterwards (package session says how). The same code
// in two languages is one check and runs once.
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
// driver is broken.
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
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// Options for [Run].
type Options struct {
	// Machine is the label under which the report is published.
	Machine string
	// Generator names the program and its version.
	Generator string
	// Root is the site's folder, for environments with a relative path.
	Root string
	Env  map[string]content.Environment
	// Confine are the limits and the sandbox that the site asks for.
	Confine content.Verify
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
	// Progress is told what happens, from one goroutine; nil is not told.
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
	// Started is the block that begins now, or nil.
	Started *content.Block
	// Finished is the check that has just ended, or nil.
	Finished *report.Check
	// Dropped counts earlier results that do not hold any more, because the
	// machine's driver or GPUs have changed since.
	Dropped int
}

// Run runs the plan. Checks that the plan leaves out are taken from previous,
// which may be nil, unless the machine has another driver or other GPUs by now:
// a report says all its checks of one machine as it is, and [Event].Dropped
// tells how many went. With an error, which is ctx's when that ends, the report
// holds what was finished; it is nil where ctx ended before anything was known
// of the machine.
func Run(ctx context.Context, p *Plan, previous *report.Report, o Options) (*report.Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	if o.Examples == nil {
		o.Examples = func(report.ID, []Printed) {}
	}
	r := &run{plan: p, o: o, done: map[report.ID]*report.Check{}, total: p.Checks()}
	r.machine = machine(o.Machine, o.Probe(ctx))
	if err := ctx.Err(); err != nil {
		return nil, err // an interrupted probe says nothing of the machine
	}
	r.facts = r.machine.GPU.Facts()
	r.private = newPrivate(o.Root)
	if previous != nil && !sameGPUs(previous.Machine.GPU, r.machine.GPU) {
		o.Progress(Event{Total: r.total, Dropped: len(previous.Checks)})
		previous = nil
	}
	defer r.confine(ctx)()
	o.Progress(Event{Total: r.total, Machine: &r.machine})
	for _, l := range p.Lines {
		r.finish(r.gpuLine(l))
	}
	err := r.sessions(ctx)
	if ctx.Err() != nil && o.Unfinished != nil {
		r.unfinished(report.Errored, *o.Unfinished)
	}
	return r.report(previous), err
}

// run is one run of a plan.
type run struct {
	plan    *Plan
	o       Options
	machine report.Machine
	facts   require.Machine
	private *private
	// confinement holds the snippets; it is made once for all.
	confinement *confinement
	done        map[report.ID]*report.Check
	total       int
	ended       int
	bytes       int // of output in the finished checks
}

// sessions runs all sessions. One that leaves something behind, such as a process
// that hangs in the GPU's driver, does not keep the others from running.
func (r *run) sessions(ctx context.Context) error {
	var left error
	for _, s := range r.plan.Sessions {
		if ctx.Err() != nil {
			break
		}
		left = errors.Join(left, r.session(ctx, s))
	}
	return errors.Join(ctx.Err(), left)
}

// finish files a check. One that ran before, as part of another session, keeps
// its first result.
func (r *run) finish(c *report.Check) {
	r.ended++
	if r.done[c.ID] != nil {
		r.o.Progress(Event{Done: r.ended, Total: r.total})
		return
	}
	r.fit(c)
	r.done[c.ID] = c
	r.o.Progress(Event{Done: r.ended, Total: r.total, Finished: c})
}

// A report has a bound. Past outputBudget bytes of output, further outputs are
// cut to crumb bytes at each end, so that a long run is never lost for its size.
const outputBudget, crumb = 40 << 20, 1 << 10

func (r *run) fit(c *report.Check) {
	for _, s := range []*report.Stream{c.Stdout, c.Stderr} {
		if s == nil {
			continue
		}
		if r.bytes > outputBudget && len(s.Text) > 2*crumb {
			was := *s
			*s = *headAndTail(s.Text, crumb, crumb)
			s.Cut += was.Cut
			if was.Cut > 0 {
				s.Bytes, s.SHA256 = was.Bytes, was.SHA256
			}
		}
		r.bytes += len(s.Text)
	}
	for _, d := range c.Diff {
		r.bytes += len(d.Text)
	}
	r.fitFigures(c)
	if r.bytes > outputBudget {
		c.Diff = c.Diff[:min(len(c.Diff), 20)]
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
	c.Want, c.Found = l.Need.String(), r.facts[l.Fact].String()
	gpu := r.machine.GPU
	v := l.Need.Judge(r.facts)
	switch {
	case v.Met:
		c.Outcome = report.Passed
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

// report joins what was run now and what an earlier report holds.
func (r *run) report(previous *report.Report) *report.Report {
	out := &report.Report{Schema: report.Schema, Generator: r.o.Generator, Machine: r.machine, Checks: []report.Check{}}
	old := map[report.ID]report.Check{}
	if previous != nil {
		for _, c := range previous.Checks {
			old[c.ID] = c
		}
	}
	taken := map[[2]string]bool{}
	for _, id := range r.plan.order {
		c := r.done[id]
		if was, ok := old[id]; c == nil && ok {
			c = &was
			c.Page, c.Name, c.Places = r.plan.names[id][0], r.plan.names[id][1], r.plan.places[id]
		}
		if c != nil {
			out.Checks = append(out.Checks, *c)
			taken[[2]string{c.Page, c.Name}] = true
		}
	}
	// What was found for code that has changed since, and was not run again,
	// stays: the site shows it as stale.
	here := map[[2]string]bool{}
	for _, at := range r.plan.names {
		here[at] = true
	}
	if previous != nil {
		for _, c := range previous.Checks {
			at := [2]string{c.Page, c.Name}
			if r.plan.places[c.ID] == nil && here[at] && !taken[at] {
				out.Checks = append(out.Checks, c)
			}
		}
	}
	return out
}

// sameGPUs tells whether results found on the one hold for the other.
func sameGPUs(a, b report.GPU) bool {
	return a.Driver == b.Driver && a.CUDA == b.CUDA && slices.Equal(a.Devices, b.Devices)
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
	chosen := map[report.ID]bool{}
	for _, l := range p.Lines {
		chosen[l.ID] = true
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			chosen[b.ID] = true
		}
	}
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
