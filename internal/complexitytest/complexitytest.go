// Package complexitytest checks that code which reads untrusted input takes time in
// proportion to its length. It compares two CPU times of the same process, so slow or
// busy machines pass too. Tests that use it must not run in parallel with others
// (t.Parallel), whose time would count.
package complexitytest

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

const (
	// factor is how much more the larger input is.
	factor = 8
	// most is how much longer it may take: twice the proportion and more, for what is
	// large fits in no cache. The square would be 64 times as long.
	most = 24
	// tries is how often both are timed. Disturbances only make a run longer, so the
	// shortest counts, and quadratic code fails each time.
	tries = 8
	// floor is the shortest time: less is lost in the cost of measuring.
	floor = 200 * time.Microsecond
	// memory is the limit at which garbage is collected after all, in bytes.
	memory = 2 << 30
)

// Check fails the test unless f(n), with an input of n bytes or lines, takes time in
// proportion to n up to size. Making the input must be cheap compared with the code
// under test.
func Check(t testing.TB, name string, size int, f func(n int)) {
	t.Helper()
	if small, large, ok := linear(size, f); !ok {
		t.Errorf("%q: %d took %v, and %d took %v, which is %.0f times as long", name, size/factor, small, size, large, float64(large)/float64(small))
	}
}

func linear(size int, f func(n int)) (small, large time.Duration, ok bool) {
	small, large = math.MaxInt64, math.MaxInt64
	for range tries {
		for range 3 { // the short one is the more easily disturbed, which would hide a square
			small = min(small, timed(size/factor, f))
		}
		large = min(large, timed(size, f))
		if large/most <= small {
			return small, large, true
		}
	}
	return small, large, false
}

// timed prevents garbage collection, which would use all CPUs.
func timed(n int, f func(n int)) time.Duration {
	runtime.GC() // what others have left behind is none of its time
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before := spent()
	f(n)
	return max(floor, spent()-before)
}
