package bench

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A sampler returns the current state of a GPU. Unknown values are 0.
type sampler func() (mhz int, watts float64, throttle []string)

// sampling is the time between two samples. NVML itself reads the power some ten times
// a second, and a call takes less than a millisecond.
const sampling = 20 * time.Millisecond

// A watcher samples while runs are timed.
type watcher struct {
	quit, done chan struct{}
	clocks     []int
	powers     []float64
	throttle   []string
}

// watch starts sampling. A nil sampler finds nothing.
func watch(sample sampler) *watcher {
	w := &watcher{quit: make(chan struct{}), done: make(chan struct{})}
	if sample == nil {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(sampling)
		defer tick.Stop()
		for {
			w.add(sample())
			select {
			case <-w.quit:
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

func (w *watcher) add(mhz int, watts float64, throttle []string) {
	if mhz > 0 {
		w.clocks = append(w.clocks, mhz)
	}
	if watts > 0 {
		w.powers = append(w.powers, watts)
	}
	for _, t := range throttle {
		// Between two batches the GPU has nothing to do for a moment.
		if t != "gpu-idle" && !slices.Contains(w.throttle, t) {
			w.throttle = append(w.throttle, t)
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
