package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Job is a submitted job.
type Job struct {
	ID string
	// Cluster is its cluster if that is not the one of this machine.
	Cluster string
}

// Limits limit a job. Zero means no limit.
type Limits struct {
	// Queue limits the time until it starts, Run the time that it runs.
	Queue, Run time.Duration
}

// An Outcome is how waiting for a job ended.
type Outcome int

const (
	// Ended: the job ended by itself or was cancelled by somebody else.
	Ended Outcome = iota
	// NeverStarted: it waited in the queue for too long, or would never start.
	NeverStarted
	// TimedOut: it exceeded its time limit.
	TimedOut
)

// Slurm is queried often at first, for short jobs, and then less and less, because
// every query is work for a shared controller.
const firstPause, longestPause = 100 * time.Millisecond, 5 * time.Second

// maxUnresponsive is how long a controller that does not answer is queried again.
const maxUnresponsive = 5 * time.Minute

// cancelTime is how long a cancelled job may take to end. Slurm kills it after
// KillWait, by default 30 seconds.
const cancelTime = 2 * time.Minute

// errForgotten means that Slurm no longer knows the job.
var errForgotten = errors.New("the job is not known to Slurm any more, and so nobody knows how it ended")

// Wait waits until the job is over. changed, if not nil, is called when the state or
// its reason changes. If a limit is exceeded or ctx ends, the job is cancelled. For a
// limit Wait returns the job, and tasks that had not ended, as they were before.
func (j Job) Wait(ctx context.Context, limits Limits, changed func(Info)) (Info, Outcome, error) {
	var last Info
	var queued, ran time.Duration // an array may wait between two tasks
	pause := firstPause
	for at := time.Now(); ; {
		info, err := j.query(ctx, last)
		if err != nil {
			// The first error counts. The job may have started since the last query.
			if now, err := j.cancel(last); err == nil && now.ended() {
				last = now
			}
			return last, Ended, err
		}
		if changed != nil && (info.State != last.State || info.Reason != last.Reason) {
			changed(info)
		}
		if info.State != last.State {
			pause = firstPause
		}
		spent := &ran
		if last.State == "" || last.Waiting() {
			spent = &queued
		}
		now := time.Now()
		*spent += now.Sub(at)
		at, last = now, info
		next := pause
		switch {
		case info.ended():
			return info, Ended, nil
		case info.Waiting() && (info.hopeless() || limits.Queue > 0 && queued >= limits.Queue):
			return j.giveUp(info, NeverStarted)
		case info.Waiting() || limits.Run == 0:
		case ran >= limits.Run:
			return j.giveUp(info, TimedOut)
		default:
			next = min(next, max(limits.Run-ran, firstPause))
		}
		select {
		case <-ctx.Done():
		case <-time.After(next):
		}
		pause = min(pause*3/2, longestPause)
	}
}

// giveUp cancels a job, which may just have ended. last is its state before.
func (j Job) giveUp(last Info, outcome Outcome) (Info, Outcome, error) {
	now, err := j.cancel(last)
	if err != nil {
		return last, outcome, err
	}
	if len(last.Tasks) == 0 {
		last, outcome = last.givenUp(now, outcome)
		return last, outcome, nil
	}
	ended := map[int]Info{}
	for _, t := range now.Tasks {
		ended[t.Task] = t
	}
	for n, t := range last.Tasks {
		last.Tasks[n], _ = t.givenUp(ended[t.Task], outcome)
	}
	return last, outcome, nil
}

// givenUp returns how a job or task, last seen before it was given up, is to be judged.
func (i Info) givenUp(now Info, outcome Outcome) (Info, Outcome) {
	if i.ended() || now.ended() && (now.State != "CANCELLED" || outcome == NeverStarted && now.Began()) {
		return now, Ended
	}
	if outcome == TimedOut && now.RunTime > i.RunTime {
		i.RunTime = now.RunTime
	}
	return i, outcome
}

// Cancel cancels the job and waits until it is over.
func (j Job) Cancel() error {
	_, err := j.cancel(Info{})
	return err
}

// cancel ignores the caller's context: a submitted job must be ended. last is what is known
// of it.
func (j Job) cancel(last Info) (Info, error) {
	ctx, stop := context.WithTimeout(context.Background(), cancelTime)
	defer stop()
	_, problems, err := run(ctx, "scancel", j.args()...)
	if err != nil {
		return Info{}, fmt.Errorf("job %s could not be cancelled: %w: %s", j.ID, err, strings.TrimSpace(problems))
	}
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		info, err := j.query(ctx, last)
		switch {
		case errors.Is(err, errForgotten):
			return last, nil
		case ctx.Err() != nil:
			return info, fmt.Errorf("job %s is cancelled, and still there after %s", j.ID, cancelTime)
		case err != nil || info.ended():
			return info, err
		}
		time.Sleep(pause)
	}
}

// query returns the state of the job: what the controller says, and accounting if the controller
// has forgotten it. last is what is known of the job.
func (j Job) query(ctx context.Context, last Info) (Info, error) {
	records, err := j.records(ctx)
	if err != nil && !errors.Is(err, errForgotten) {
		return Info{}, err
	}
	if len(records)+len(last.Tasks) == 0 {
		for _, a := range j.accounted(ctx) {
			records = append(records, last.with(a))
		}
		if len(records) == 0 {
			return Info{}, errForgotten
		}
	}
	return last.update(records, func() []Info { return j.accounted(ctx) }), nil
}

// records repeats a query until the controller answers.
func (j Job) records(ctx context.Context) ([]Info, error) {
	began := time.Now()
	for {
		out, problems, err := run(ctx, "scontrol", append([]string{"show", "job"}, j.args()...)...)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			records, err := parseInfos(out)
			for n := range records {
				info := &records[n]
				host := info.BatchHost
				if info.ended() && hostPattern.MatchString(info.Stdout+info.Stderr) {
					host = cmp.Or(append(hostNames(ctx, info.BatchHost), host)...)
				}
				info.files(j.ID, host)
			}
			return records, err
		case strings.Contains(problems, "Invalid job id"):
			return nil, errForgotten
		case time.Since(began) > maxUnresponsive:
			return nil, fmt.Errorf("scontrol: %w: %s", err, strings.TrimSpace(problems))
		}
		select {
		case <-ctx.Done():
		case <-time.After(longestPause):
		}
	}
}

// args returns the arguments that identify the job.
func (j Job) args() []string {
	if j.Cluster != "" {
		return []string{"--clusters=" + j.Cluster, j.ID}
	}
	return []string{j.ID}
}

// Hosts returns the names of nodes, in the job's order, from Slurm's format: "n[1-3]".
func Hosts(ctx context.Context, nodes string) []string {
	if nodes == "" {
		return nil
	}
	out, _, err := run(ctx, "scontrol", "show", "hostnames", nodes)
	if err != nil {
		return []string{nodes}
	}
	return strings.Fields(out)
}

var hostName = lazyregexp.New(`(?m)\bNodeHostName=(\S+)`)

// hostNames returns the names that nodes have for themselves, which may differ from
// Slurm's.
func hostNames(ctx context.Context, nodes string) (names []string) {
	if nodes == "" {
		return nil
	}
	out, _, err := run(ctx, "scontrol", "show", "node", nodes)
	if err != nil {
		return nil
	}
	for _, m := range hostName.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	return names
}

// Names returns all names of nodes, including those that they have for themselves.
func Names(ctx context.Context, nodes string) []string {
	names := append(Hosts(ctx, nodes), hostNames(ctx, nodes)...)
	slices.Sort(names)
	return slices.Compact(names)
}
