package compare

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// sameMeasurement reports whether two measurements are the same except for noise: for
// each GPU, and for the backend. The CPU is ignored, because it is only there for
// comparison.
func sameMeasurement(a, b *report.Measurement) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.What != b.What || a.N != b.N || a.DType != b.DType || a.Unit != b.Unit || len(a.GPUs) != len(b.GPUs) {
		return false
	}
	for i := range a.GPUs {
		x, y := a.GPUs[i], b.GPUs[i]
		if x.Device != y.Device || x.Why != y.Why || x.Backend != y.Backend || x.Wrong != y.Wrong ||
			!slices.EqualFunc(x.Peers, y.Peers, samePeer) || !near(x.Rate, y.Rate) {
			return false
		}
	}
	return true
}

func samePeer(a, b report.Peer) bool {
	return a.Device == b.Device && a.Direct == b.Direct && a.Wrong == b.Wrong && near(a.Rate, b.Rate)
}

// near reports whether noise explains the difference of two rates.
func near(a, b float64) bool { return a == b || max(a, b) < RateRatio*min(a, b) }
