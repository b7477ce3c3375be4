package bench

import (
	"math"
	"slices"
)

// quantile is the smallest of the times that q of them do not exceed (nearest
// rank): a time that was measured, and none between two.
func quantile(times []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// median is the middle one of the times, and the mean of the two in the middle
// where their number is even.
func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// When the median of the runs counts as steady: the last third of the runs has
// one that is this near to that of all.
const steadiness = 0.005

// steady tells whether more runs would say the same.
func steady(times []float64) bool {
	all := median(times)
	return math.Abs(median(times[len(times)*2/3:])-all) <= steadiness*all
}
