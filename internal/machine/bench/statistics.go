package bench

import (
	"math"
	"slices"
)

// quantile returns the smallest of the times that a share q of them does not exceed
// (nearest rank): an actual time, not interpolated.
func quantile(times []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// median returns the median of the times, which is the mean of the two middle ones if
// their number is even.
func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// steadiness is how near the median of the last third of the runs must be to that of
// all runs.
const steadiness = 0.005

// steady reports whether the median has settled.
func steady(times []float64) bool {
	all := median(times)
	return math.Abs(median(times[len(times)*2/3:])-all) <= steadiness*all
}
