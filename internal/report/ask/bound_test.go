package ask

import (
	"math"
	"testing"
)

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		bound            string
		value, reference float64
		want             bool
	}{
		{">= 700", 700, 0, true},
		{"> 700", 700, 0, false},
		{"<=7e2", 700, 0, true},
		{"< -1", -1.5, 0, true},
		{"[1, 2]", 2, 0, true},
		{"[1, 2]", 2.1, 0, false},
		{"[, 2]", -5, 0, true},
		{"[-5%, +20%]", 95, 100, true},
		{"[-5%, +20%]", 94.9, 100, false},
		{"[-5%, +20%]", 120.1, 100, false},
		{"[-5%,]", 1e9, 100, true},
		{">= -5%", 96, 100, true},
		{">= +0%", 100, 100, true},
		{"[-10%,]", 0.99, 1.1, true},
		{"> -10%", 0.99, 1.1, false},
		{"> 100", math.Inf(1), 0, false},
		{"[, 5]", math.NaN(), 0, false},
	} {
		b, ok := ParseBound(c.bound)
		if !ok || b.Holds(c.value, c.reference) != c.want {
			t.Errorf("%s (%v), %v of %v: want %v", c.bound, ok, c.value, c.reference, c.want)
		}
	}
	for _, text := range []string{"", "700", ">=", "= 5", "== 5", "[]", "[,]", "[5]", "[2, 1]", "[1, 2%]", ">= nan", "<= inf", "[1, 2", ">= 5 GB/s", "[1, 2, 3]", ">= 1e999", "<= 105%", "[-5%, 105%]", ">= %"} {
		if b, ok := ParseBound(text); ok {
			t.Errorf("%q is parsed as %+v", text, b)
		}
	}
}

// TestBetter: a bound on one side shows which direction is worse.
func TestBetter(t *testing.T) {
	for bound, want := range map[string]int{">= 5": 1, "> 5": 1, "[5,]": 1, "<= 5": -1, "< 5": -1, "[, 5]": -1, "[4, 5]": 0, ">= -5%": 1, "[-5%, +5%]": 0} {
		if b, ok := ParseBound(bound); !ok || b.Better() != want {
			t.Errorf("%s: %d, want %d", bound, b.Better(), want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     float64
	}{
		{"TB/s", "GB/s", 1000},
		{"GFLOP/s", "TFLOP/s", 1e-3},
		{"ms", "s", 1e-3},
		{"µs", "us", 1},
		{"GiB", "MB", 1 << 30 / 1e6},
		{"", "", 1},
		{"MiB/s", "GiB/s", 1.0 / 1024},
		{"KiB", "kB", 1.024},
		{"kit/s", "it/s", 1000},
		{"GB/s", "Gb/s", 0},
		{"mB/s", "GB/s", 0},
		{"GFLOP/s", "nFLOP/s", 0},
		{"GB/s", "GB", 0},
		{"m", "", 0},
		{"s", "tokens/s", 0},
	} {
		for range 20 { // in any order of a map
			if got, ok := Factor(c.from, c.to); ok != (c.want != 0) || math.Abs(got-c.want) > 1e-9*c.want {
				t.Fatalf("%s in %s: %v %v, want %v", c.from, c.to, got, ok, c.want)
			}
		}
	}
	for unit, want := range map[string]int{"GB/s": 1, "TFLOPS": 1, "it/sec": 1, "tokens/s/GPU": 1, "fps": 1, "ms": -1, "s/step": -1, "min": -1, "GB": 0, "": 0, "W": 0, "%": 0} {
		if got := Better(unit); got != want {
			t.Errorf("%s: %d, want %d", unit, got, want)
		}
	}
	for x, want := range map[float64]string{1555: "1555", 1.555e6: "1555000", 0.123456789: "0.123457", -430.5: "-430.5", 2.5e20: "2.5e+20", 1e-7: "1e-07"} {
		if got := FormatNumber(x); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, text := range []string{"", "GB/s", "-5 GB/s", "0 s", "nan", "inf s", "1e999"} {
		if x, _, ok := ParseAmount(text); ok {
			t.Errorf("%q is %v", text, x)
		}
	}
	if x, unit, ok := ParseAmount(" 1.5  TB/s"); x != 1.5 || unit != "TB/s" || !ok {
		t.Error(x, unit, ok)
	}
}

// FuzzBound: a bound that is parsed holds for its reference or a value between its limits, and never for
// what is no number.
func FuzzBound(f *testing.F) {
	for _, text := range []string{">= 700", "< -1e3", "[1, 2]", "[-5%, +20%]", "[,+5%]", ">= -0%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, ok := ParseBound(text)
		if !ok {
			return
		}
		if b.low > b.high || math.IsNaN(b.low) || math.IsNaN(b.high) || math.IsInf(b.low, -1) && math.IsInf(b.high, 1) {
			t.Errorf("%q: %+v", text, b)
		}
		if b.Holds(math.NaN(), 1) || b.Holds(math.Inf(1), 1) || b.Holds(math.Inf(-1), 1) {
			t.Errorf("%q holds for what is no number", text)
		}
		for _, x := range []float64{b.low, b.high} {
			excluded := b.above && x == b.low || b.below && x == b.high
			if !b.Relative && x-x == 0 && !excluded && !b.Holds(x, 0) {
				t.Errorf("%q does not hold for its limit %v", text, x)
			}
		}
	})
}
