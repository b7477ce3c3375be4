package bench

import (
	"context"
	"time"

	"github.com/gpudocs/gpudocs/internal/cuda"
	"github.com/gpudocs/gpudocs/internal/measure"
)

// How long to warm up, at least: clocks rise, code is compiled and loaded. Then
// runs are timed for at least leastTime, so that clocks can be sampled, and at
// most for mostTime where they do not get steady; always measure.MinIters.
const (
	warmTime  = 500 * time.Millisecond
	warmRuns  = 3
	leastTime = 500 * time.Millisecond
	mostTime  = 3 * time.Second
	batchTime = 50 * time.Millisecond
	maxBatch  = 100
)

// A timer times runs of a launch, which puts one run into the GPU's queue.
type timer struct {
	c      *cuda.Context
	launch func() error
	iters  int // 0 leaves it to the timer
	alive  func() error
	hurry  bool
	// events are start and end of each run of a batch.
	events [][2]*cuda.Event
}

// warm runs until the GPU is warm, and finds out how many runs make a batch: the
// queue never runs dry within one, and after it the child says that it lives.
func (t *timer) warm(ctx context.Context) error {
	start, runs := time.Now(), 0
	var took time.Duration
	for ; runs < warmRuns || time.Since(start) < t.hurried(warmTime); runs++ {
		began := time.Now()
		if err := t.launch(); err != nil {
			return err
		}
		if err := t.c.Synchronize(); err != nil {
			return err
		}
		took = time.Since(began)
		if err := t.pause(ctx); err != nil {
			return err
		}
	}
	batch := min(max(int(batchTime/max(took, time.Microsecond)), 1), maxBatch)
	for range batch {
		var pair [2]*cuda.Event
		for i := range pair {
			var err error
			if pair[i], err = t.c.Event(); err != nil {
				return err
			}
		}
		t.events = append(t.events, pair)
	}
	return nil
}

// pause says that the child lives, and ends with ctx.
func (t *timer) pause(ctx context.Context) error {
	if t.alive() != nil {
		return errUnheard
	}
	return ctx.Err()
}

// runs returns the times of runs, in milliseconds.
func (t *timer) runs(ctx context.Context) (times []float64, err error) {
	start := time.Now()
	for !t.enough(times, time.Since(start)) {
		batch := t.events
		if left := t.iters - len(times); t.iters > 0 && left < len(batch) {
			batch = batch[:left]
		}
		more, err := t.batch(batch)
		if err != nil {
			return nil, err
		}
		times = append(times, more...)
		if err := t.pause(ctx); err != nil {
			return nil, err
		}
	}
	return times, nil
}

// enough tells whether runs need not go on.
func (t *timer) enough(times []float64, spent time.Duration) bool {
	switch {
	case t.iters > 0:
		return len(times) >= t.iters
	case len(times) < measure.MinIters || spent < t.hurried(leastTime):
		return len(times) >= measure.MaxIters
	}
	return spent >= t.hurried(mostTime) || steady(times)
}

func (t *timer) hurried(d time.Duration) time.Duration {
	if t.hurry {
		return d / 20
	}
	return d
}

// batch times a few runs that follow one another.
func (t *timer) batch(events [][2]*cuda.Event) ([]float64, error) {
	for _, e := range events {
		if err := e[0].Record(); err != nil {
			return nil, err
		}
		if err := t.launch(); err != nil {
			return nil, err
		}
		if err := e[1].Record(); err != nil {
			return nil, err
		}
	}
	if err := t.c.Synchronize(); err != nil {
		return nil, err
	}
	times := make([]float64, len(events))
	for i, e := range events {
		took, err := e[1].Since(e[0])
		if err != nil {
			return nil, err
		}
		times[i] = milliseconds(took)
	}
	return times, nil
}

// lessons is how often the lesson is taught; its middle one counts.
const lessons = 5

// lesson times runs by the processor's clock, each from an empty queue: until the
// launch comes back, and until the result is there.
func (t *timer) lesson() (returned, waited float64, err error) {
	var r, w []float64
	for range lessons {
		if err := t.c.Synchronize(); err != nil {
			return 0, 0, err
		}
		start := time.Now()
		if err := t.launch(); err != nil {
			return 0, 0, err
		}
		r = append(r, milliseconds(time.Since(start)))
		if err := t.c.Synchronize(); err != nil {
			return 0, 0, err
		}
		w = append(w, milliseconds(time.Since(start)))
		if t.alive() != nil {
			return 0, 0, errUnheard
		}
	}
	return median(r), median(w), nil
}

// close frees the events; a context that is closed frees what is left.
func (t *timer) close() {
	for _, pair := range t.events {
		for _, e := range pair {
			if e != nil {
				_ = e.Close()
			}
		}
	}
}
