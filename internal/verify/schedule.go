package verify

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/content"
)

// maxJobs bounds the sessions at once where the user has not said how many.
const maxJobs = 4

// jobs is how many sessions run at once. Where the machine has a GPU that is one,
// unless the user says otherwise: nothing tells which snippets use it, and two
// at once give other timings, or run out of its memory. Elsewhere it is half of
// the processors, so that what a snippet measures stays what it is alone.
func (r *run) jobs() int {
	switch {
	case r.o.Jobs > 0:
		return r.o.Jobs
	case len(r.machine.GPU.Devices) > 0:
		return 1
	}
	return min(max(runtime.GOMAXPROCS(0)/2, 1), maxJobs)
}

// usesGPU tells whether a session says that it is about the GPU: some needs= of it
// names more than software.
func (s *Session) usesGPU() bool {
	return slices.ContainsFunc(s.Chosen(), func(b *content.Block) bool { return b.Needs.OfGPU() })
}

// sessions runs all sessions: several at once, and then those that say that they
// use the GPU, each alone, so that nothing disturbs what they measure. One that
// leaves something behind, such as a process that hangs in the GPU's driver, does
// not keep the others from running.
func (r *run) sessions(ctx context.Context) error {
	together, alone := r.plan.Sessions, []*Session(nil)
	jobs := r.jobs()
	if jobs > 1 {
		together, alone = nil, nil
		for _, s := range r.plan.Sessions {
			if s.usesGPU() {
				alone = append(alone, s)
			} else {
				together = append(together, s)
			}
		}
	}
	left := errors.Join(r.several(ctx, together, jobs), r.several(ctx, alone, 1))
	return errors.Join(ctx.Err(), left)
}

// several runs sessions, so many at once, in the order of the plan.
func (r *run) several(ctx context.Context, sessions []*Session, jobs int) error {
	errs := make([]error, len(sessions))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(jobs, len(sessions)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = r.session(ctx, sessions[i])
			}
		})
	}
	for i := range sessions {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return errors.Join(errs...)
}
