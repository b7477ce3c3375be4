package bench

import (
	"cmp"
	"context"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// Warm up for at least warmTime: clocks rise, code is compiled and loaded. Then time
// runs for at least leastTime, so that clocks can be sampled, and at most mostTime if
// they do not become steady, but always ask.MinIters.
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
	iters  int // 0 lets the timer choose
	alive  func() error
	hurry  bool
	// events are start and end of each run of a batch.
	events [][2]*cuda.Event
}

// warm runs until the GPU is warm, and chooses the size of a batch, so that the queue
// never runs empty within one. After each batch the subprocess sends a line.
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

// pause sends a line, and fails if ctx ends.
func (t *timer) pause(ctx context.Context) error {
	return cmp.Or(t.alive(), ctx.Err())
}

// runs returns the times of runs in milliseconds.
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

// enough reports whether there are enough runs.
func (t *timer) enough(times []float64, spent time.Duration) bool {
	switch {
	case t.iters > 0:
		return len(times) >= t.iters
	case len(times) < ask.MinIters || spent < t.hurried(leastTime):
		return len(times) >= ask.MaxIters
	}
	return spent >= t.hurried(mostTime) || steady(times)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (t *timer) hurried(d time.Duration) time.Duration {
	if t.hurry {
		return d / 20
	}
	return d
}

// batch times consecutive runs.
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

// cpuTimings is how many runs are timed by the CPU's clock; the median is used.
const cpuTimings = 5

// cpuTimes times runs by the CPU's clock, each from an empty queue: until the launch
// returns, and until the result is available.
func (t *timer) cpuTimes() (returned, waited float64, err error) {
	var r, w []float64
	for range cpuTimings {
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
		if err := t.alive(); err != nil {
			return 0, 0, err
		}
	}
	return median(r), median(w), nil
}
