// Package lineartest holds what reads untrusted input to time in proportion to its
// length. It compares two times with one another, which processors have spent and no
// clock has told: a slow machine, or one with much else to do, passes what a fast one
// passes. Tests that use it do not run beside others (t.Parallel), whose time would count.
package lineartest

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
	// tries are how often both are timed. What disturbs a run only makes it longer, so
	// the shortest counts, and what takes the square of its input fails each time.
	tries = 8
	// floor is what less is taken for: it is soon lost in what measuring costs.
	floor = 200 * time.Microsecond
	// memory is where it is collected after all, in bytes.
	memory = 2 << 30
)

// Check fails the test unless f(n), of an input of n bytes or lines, takes time in
// proportion to n up to size. What f makes its input of must not be large beside
// what it tests.
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

// timed lets nobody collect meanwhile: that is done on all processors, for as long as they like.
func timed(n int, f func(n int)) time.Duration {
	runtime.GC() // what others have left behind is none of its time
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before := spent()
	f(n)
	return max(floor, spent()-before)
}
