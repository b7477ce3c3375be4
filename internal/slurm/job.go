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

// A Job is one that Slurm has taken.
type Job struct {
	ID string
	// Cluster is where it runs if that is not the one of this machine.
	Cluster string
}

// Limits bound a job; zero is no bound.
type Limits struct {
	// Queue is how long it may wait for its start, Run how long it may run.
	Queue, Run time.Duration
}

// A Fate is how waiting for a job came to its end.
type Fate int

const (
	// Ended: by itself, or by somebody else.
	Ended Fate = iota
	// NeverStarted: it stood in the queue for too long, or would for ever.
	NeverStarted
	// TimedOut: it ran for longer than its limit.
	TimedOut
)

func (f Fate) String() string { return [...]string{"ended", "never started", "timed out"}[f] }

// Slurm is asked often at first, for short jobs, and then less and less, for
// every question is work for a controller that all share.
const firstPause, longestPause = 100 * time.Millisecond, 5 * time.Second

// deaf is how long a controller that does not answer is asked again.
const deaf = 5 * time.Minute

// dying is how long a cancelled job may take to be over; Slurm kills what is left
// of it after its KillWait, 30 seconds unless it is set.
const dying = 2 * time.Minute

// errForgotten is the error of a job that Slurm does not know any more.
var errForgotten = errors.New("the job is not known to Slurm any more, and so nobody knows how it ended")

// Wait waits until the job is over. changed, if not nil, is told when its state
// or the reason of that changes. When a limit is reached or ctx ends, the job is
// cancelled; for a limit what is returned is the job as it was before.
func (j Job) Wait(ctx context.Context, limits Limits, changed func(Info)) (Info, Fate, error) {
	var last Info
	queued, began := time.Now(), time.Time{}
	pause := firstPause
	for {
		info, err := j.ask(ctx)
		if err != nil {
			// What went wrong first counts. The job may have started since it was
			// asked about.
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
			began = time.Time{} // it may have been sent back to the queue
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

// giveUp cancels the job; it may have come to its end just before.
func (j Job) giveUp(was Info, fate Fate) (Info, Fate, error) {
	now, err := j.cancel()
	if err == nil && now.ended() && (now.State != "CANCELLED" || fate == NeverStarted && now.Began()) {
		return now, Ended, nil
	}
	if fate == TimedOut && now.RunTime > was.RunTime {
		was.RunTime = now.RunTime
	}
	return was, fate, err
}

// Cancel ends the job and waits until it is over.
func (j Job) Cancel() error {
	_, err := j.cancel()
	return err
}

// cancel does not end with any context: what was started must be ended.
func (j Job) cancel() (Info, error) {
	ctx, stop := context.WithTimeout(context.Background(), dying)
	defer stop()
	_, problems, err := run(ctx, Script{}, nil, "scancel", j.args()...)
	if err != nil {
		return Info{}, fmt.Errorf("job %s could not be cancelled: %w: %s", j.ID, err, strings.TrimSpace(problems))
	}
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		info, err := j.ask(ctx)
		switch {
		case errors.Is(err, errForgotten):
			return info, nil
		case ctx.Err() != nil:
			return info, fmt.Errorf("job %s is cancelled, and still there after %s", j.ID, dying)
		case err != nil || info.ended():
			return info, err
		}
		time.Sleep(pause)
	}
}

// ask asks until the controller answers.
func (j Job) ask(ctx context.Context) (Info, error) {
	began := time.Now()
	for {
		out, problems, err := run(ctx, Script{}, nil, "scontrol", append([]string{"show", "job"}, j.args()...)...)
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
		case time.Since(began) > deaf:
			return Info{}, fmt.Errorf("scontrol: %w: %s", err, strings.TrimSpace(problems))
		}
		select {
		case <-ctx.Done():
		case <-time.After(longestPause):
		}
	}
}

// args name the job to a command of Slurm.
func (j Job) args() []string {
	if j.Cluster != "" {
		return []string{"--clusters=" + j.Cluster, j.ID}
	}
	return []string{j.ID}
}

// Hosts lists the names of nodes, in the job's order, that Slurm writes
// together: "n[1-3]".
func Hosts(ctx context.Context, nodes string) []string {
	if nodes == "" {
		return nil
	}
	out, _, err := run(ctx, Script{}, nil, "scontrol", "show", "hostnames", nodes)
	if err != nil {
		return []string{nodes}
	}
	return strings.Fields(out)
}

var hostName = lazyregexp.New(`(?m)\bNodeHostName=(\S+)`)

// hostNames are the names that nodes have for themselves, which may be others
// than Slurm's.
func hostNames(ctx context.Context, nodes string) (names []string) {
	if nodes == "" {
		return nil
	}
	out, _, err := run(ctx, Script{}, nil, "scontrol", "show", "node", nodes)
	if err != nil {
		return nil
	}
	for _, m := range hostName.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	return names
}

// Names are all names of the nodes that Slurm writes together, those that they
// have for themselves too.
func Names(ctx context.Context, nodes string) []string {
	names := append(Hosts(ctx, nodes), hostNames(ctx, nodes)...)
	slices.Sort(names)
	return slices.Compact(names)
}
