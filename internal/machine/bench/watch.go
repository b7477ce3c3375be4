package bench

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
)

// sampling is the time between two samples. NVML itself reads the power some ten times
// a second, and a call takes less than a millisecond.
const sampling = 20 * time.Millisecond

// A watcher samples clock, power and the reasons for low clocks while runs are timed.
type watcher struct {
	quit, done chan struct{}
	clocks     []int
	powers     []float64
	throttle   []string
}

// watch starts sampling. With a nil sampler, for a GPU that NVML does not know, nothing is
// found.
func watch(sampler *gpu.Sampler) *watcher {
	w := &watcher{quit: make(chan struct{}), done: make(chan struct{})}
	if sampler == nil {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(sampling)
		defer tick.Stop()
		for {
			w.add(sampler.Sample())
			select {
			case <-w.quit:
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// add adds the known values of a sample.
func (w *watcher) add(r *report.Readings) {
	if mhz := r.Clocks.SM; mhz != nil && *mhz > 0 {
		w.clocks = append(w.clocks, *mhz)
	}
	if watts := r.Power.Draw; watts != nil && *watts > 0 {
		w.powers = append(w.powers, *watts)
	}
	for _, reason := range r.Throttle {
		// Between two batches the GPU has nothing to do for a moment.
		if reason != "gpu-idle" && !slices.Contains(w.throttle, reason) {
			w.throttle = append(w.throttle, reason)
		}
	}
}

// stop ends sampling and stores the results: none if NVML hangs.
func (w *watcher) stop(m *report.Measured) {
	close(w.quit)
	select {
	case <-w.done:
	case <-time.After(time.Second):
		return
	}
	m.Clock, m.PowerDraw, m.Throttle = middle(w.clocks), middle(w.powers), w.throttle
}

// middle returns the upper median, or 0 if there are no values.
func middle[T cmp.Ordered](values []T) (m T) {
	if len(values) == 0 {
		return m
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
