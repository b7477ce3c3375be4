package verify

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/site"
)

// maxJobs limits the number of parallel sessions if the user has not set it.
const maxJobs = 4

// jobs returns how many sessions run in parallel. On a machine with a GPU it is one
// unless the user sets another number: nothing shows which snippets use the GPU, and
// two at once would change timings or run out of memory. Otherwise it is half the
// number of CPUs, so that measured times are not disturbed.
func (r *run) jobs() int {
	switch {
	case r.o.Jobs > 0:
		return r.o.Jobs
	case len(r.machine.GPU.Devices) > 0:
		return 1
	}
	return min(max(runtime.GOMAXPROCS(0)/2, 1), maxJobs)
}

// usesGPU reports whether some needs= of the session names more than software.
func (s *Session) usesGPU() bool {
	return slices.ContainsFunc(s.Chosen(), func(b *site.Block) bool { return b.Needs.OfGPU() })
}

// sessions runs all sessions: first those that do not use the GPU, in parallel, and
// then those that do, one at a time, so that nothing disturbs their measurements. Other
// sessions still run if one leaves something behind, such as a process that hangs in
// the GPU's driver.
func (r *run) sessions(ctx context.Context) error {
	var together, alone []*Session
	jobs := r.jobs()
	for _, s := range r.plan.Sessions {
		if jobs > 1 && s.usesGPU() {
			alone = append(alone, s)
		} else {
			together = append(together, s)
		}
	}
	return errors.Join(r.runParallel(ctx, together, jobs), r.runParallel(ctx, alone, 1), ctx.Err())
}

// runParallel runs sessions in the order of the plan, at most jobs at once.
func (r *run) runParallel(ctx context.Context, sessions []*Session, jobs int) error {
	errs := make([]error, len(sessions))
	var workers errgroup.Group
	workers.SetLimit(jobs)
	firsts := newFirstCombinations(sessions)
	for i, s := range sessions {
		workers.Go(func() error {
			if ctx.Err() == nil {
				errs[i] = r.session(ctx, s, firsts)
			}
			return nil
		})
	}
	return errors.Join(append(errs, workers.Wait())...)
}
