package ask

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// prefixes are those of units, with their factors.
var prefixes = map[string]float64{"": 1, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3, "M": 1e6,
	"G": 1e9, "T": 1e12,
	"P": 1e15, "E": 1e18, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}

// Factor returns by what a value in the unit from is multiplied to be in the unit to. ok is false if they
// do not fit: only their prefixes may differ, as those of TB/s and GB/s.
func Factor(from, to string) (factor float64, ok bool) {
	if from == to {
		return 1, true
	}
	shortest := len(from) + 1 // KiB is Ki and B, not K and iB
	for a, x := range prefixes {
		base, has := strings.CutPrefix(from, a)
		for b, y := range prefixes {
			if has && base != "" && to == b+base && len(base) < shortest && (min(x, y) >= 1 || !whole(base)) {
				factor, shortest = x/y, len(base)
			}
		}
	}
	return factor, factor > 0
}

// whole reports whether a unit counts bytes, bits or operations. There is no part of one: mB is a slip for MB.
func whole(unit string) bool { return strings.IndexByte("BbF", unit[0]) >= 0 }

var times = []string{"ns", "us", "µs", "μs", "ms", "s", "sec", "second", "seconds", "min", "h"}

// Better is 1 if more of a unit is better, as of a rate (GB/s, TFLOPS), and -1 if less is, as of a time
// (ms, s/step). It is 0 if the unit does not tell.
func Better(unit string) int {
	what, per, _ := strings.Cut(unit, "/")
	per, _, _ = strings.Cut(per, "/") // tokens/s/GPU
	switch lower := strings.ToLower(unit); {
	case slices.Contains(times, per), strings.HasSuffix(lower, "flops"), lower == "fps":
		return 1
	case slices.Contains(times, what):
		return -1
	}
	return 0
}

// FormatNumber formats a number with at most 6 significant digits.
func FormatNumber(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if x, _ := strconv.ParseFloat(text, 64); math.Abs(x) >= 1 && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64) // without an exponent
	}
	return text
}

// ParseAmount parses a number with its unit: "1555 GB/s". The number must be positive and below 1e15.
func ParseAmount(text string) (x float64, unit string, ok bool) {
	number, unit, _ := strings.Cut(strings.TrimSpace(text), " ")
	x, err := strconv.ParseFloat(number, 64)
	return x, strings.TrimSpace(unit), err == nil && x > 0 && x < 1e15
}
