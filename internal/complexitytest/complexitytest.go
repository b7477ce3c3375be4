// Package complexitytest checks that code which reads untrusted input takes time in
// proportion to its length. It compares two CPU times of the same process, so slow or
// busy machines pass too. Tests that use it must not run in parallel with others
// (t.Parallel), whose time would count.
package complexitytest

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

const (
	// factor is the size of the larger input relative to the smaller.
	factor = 8
	// most is the maximum time of the larger input relative to the smaller: three times the factor, because large inputs
	// do not fit in caches. Quadratic code takes 64 times as long.
	most = 24
	// tries limits how often both are timed. Disturbances only make a run longer, so the
	// shortest counts, and quadratic code fails each time.
	tries = 8
	// floor is the shortest time that is measured; shorter ones count as this.
	floor = 200 * time.Microsecond
	// memory is the amount of memory, in bytes, at which garbage is collected after all.
	memory = 2 << 30
)

// Check fails the test unless f(n), with an input of n bytes or lines, takes time in
// proportion to n up to size; up to half of it unless GPUDOCS_LONG is set, as in .ci/long.
// Making the input must be cheap compared with the code under test.
func Check(t testing.TB, name string, size int, f func(n int)) {
	t.Helper()
	if os.Getenv("GPUDOCS_LONG") == "" {
		size /= 2
	}
	if small, large, ok := linear(size, f); !ok {
		t.Errorf("%q: %d took %v, and %d took %v, which is %.0f times as long", name, size/factor, small, size, large,
			float64(large)/float64(small))
	}
}

// linear prevents garbage collection, which would use all CPUs.
func linear(size int, f func(n int)) (small, large time.Duration, ok bool) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	small, large = math.MaxInt64, math.MaxInt64
	for range tries {
		for range 3 { // short runs are disturbed more, which would hide quadratic code
			small = min(small, timed(size/factor, f))
		}
		large = min(large, timed(size, f))
		if large/most <= small {
			return small, large, true
		}
	}
	return small, large, false
}

func timed(n int, f func(n int)) time.Duration {
	var now runtime.MemStats
	if runtime.ReadMemStats(&now); now.HeapAlloc > memory/8 {
		runtime.GC() // earlier garbage must not bring f to the limit
	}
	before := spent()
	f(n)
	return max(floor, spent()-before)
}
