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
// limit Wait returns the job as it was before.
func (j Job) Wait(ctx context.Context, limits Limits, changed func(Info)) (Info, Outcome, error) {
	var last Info
	queued, began := time.Now(), time.Time{}
	pause := firstPause
	for {
		info, err := j.query(ctx)
		if err != nil {
			// The first error counts. The job may have started since the last query.
			if now, err := j.cancel(); err == nil && now.ended() {
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
		last = info
		switch {
		case info.ended():
			return info, Ended, nil
		case info.Waiting() && (info.hopeless() || limits.Queue > 0 && time.Since(queued) >= limits.Queue):
			return j.giveUp(info, NeverStarted)
		case info.Waiting():
			began = time.Time{} // it may be back in the queue
		case began.IsZero():
			began = time.Now()
		case limits.Run > 0 && time.Since(began) >= limits.Run:
			return j.giveUp(info, TimedOut)
		}
		next := pause
		if limits.Run > 0 && !began.IsZero() {
			next = min(next, max(limits.Run-time.Since(began), firstPause))
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
	now, err := j.cancel()
	if err == nil && now.ended() && (now.State != "CANCELLED" || outcome == NeverStarted && now.Began()) {
		return now, Ended, nil
	}
	if outcome == TimedOut && now.RunTime > last.RunTime {
		last.RunTime = now.RunTime
	}
	return last, outcome, err
}

// Cancel cancels the job and waits until it is over.
func (j Job) Cancel() error {
	_, err := j.cancel()
	return err
}

// cancel ignores the caller's context: a submitted job must be ended.
func (j Job) cancel() (Info, error) {
	ctx, stop := context.WithTimeout(context.Background(), cancelTime)
	defer stop()
	_, problems, err := run(ctx, "scancel", j.args()...)
	if err != nil {
		return Info{}, fmt.Errorf("job %s could not be cancelled: %w: %s", j.ID, err, strings.TrimSpace(problems))
	}
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		info, err := j.query(ctx)
		switch {
		case errors.Is(err, errForgotten):
			return info, nil
		case ctx.Err() != nil:
			return info, fmt.Errorf("job %s is cancelled, and still there after %s", j.ID, cancelTime)
		case err != nil || info.ended():
			return info, err
		}
		time.Sleep(pause)
	}
}

// query repeats a query until the controller answers.
func (j Job) query(ctx context.Context) (Info, error) {
	began := time.Now()
	for {
		out, problems, err := run(ctx, "scontrol", append([]string{"show", "job"}, j.args()...)...)
		switch {
		case ctx.Err() != nil:
			return Info{}, ctx.Err()
		case err == nil:
			info, err := parseInfo(out)
			host := info.BatchHost
			if info.ended() && hostPattern.MatchString(info.Stdout+info.Stderr) {
				host = cmp.Or(append(hostNames(ctx, info.BatchHost), host)...)
			}
			info.files(j.ID, host)
			return info, err
		case strings.Contains(problems, "Invalid job id"):
			return Info{}, errForgotten
		case time.Since(began) > maxUnresponsive:
			return Info{}, fmt.Errorf("scontrol: %w: %s", err, strings.TrimSpace(problems))
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
