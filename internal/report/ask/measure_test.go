package ask

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bound returns a bound that was written as a text.
func bound(source, text string) Bound {
	b, _ := ParseBound(source)
	b.text = text
	return b
}

func TestParseMeasure(t *testing.T) {
	for line, want := range map[string]Measure{
		"matmul": {What: Matmul, N: 4096, DType: FP32, Name: Matmul},
		" matmul  dtype=bf16 n=8192 iters=50 name=half  >=  0.4 PFLOP/s": {What: Matmul, N: 8192, DType: BF16, Iters: 50, Name: "half", Bound: bound(">= 400", ">= 0.4 PFLOP/s")},
		"matmul>=5 TFLOP/s name=x":                                       {What: Matmul, N: 4096, DType: FP32, Name: "x", Bound: bound(">= 5", ">= 5 TFLOP/s")},
		"memory bandwidth < 2 TB/s":                                      {What: Bandwidth, Name: Bandwidth, Bound: bound("< 2000", "< 2 TB/s")},
		"memory  bandwidth >=  -5% name=b":                               {What: Bandwidth, Name: "b", Bound: bound(">= -5%", ">= -5%")},
		"memory bandwidth name=b [ -5%,+20%]":                            {What: Bandwidth, Name: "b", Bound: bound("[-5%, +20%]", "[ -5%,+20%]")},
		"copy host-to-device":                                            {What: HostToDevice, Name: HostToDevice},
		"copy peer >= 40 GB/s":                                           {What: Peer, Name: Peer, Bound: bound(">= 40", ">= 40 GB/s")},
	} {
		l, err := ParseLine(line)
		if err != nil || l.Measures() == nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if d := cmp.Diff(want, *l.Measures(), cmp.AllowUnexported(Bound{})); d != "" {
			t.Errorf("%q (-want +got)\n%s", line, d)
		}
		if again, err := ParseLine(l.String()); err != nil || again.String() != l.String() || *again.Measures() != *l.Measures() {
			t.Errorf("%q: %q is %v, %v", line, l, again, err)
		}
	}
	for _, line := range []string{"memory >= 8 GiB", "gpus >= 1", "runs cu124"} {
		if l, err := ParseLine(line); err != nil || l.Measures() != nil {
			t.Errorf("%q is taken for a measurement, %v", line, err)
		}
	}
}

func TestMeasureErrors(t *testing.T) {
	for line, want := range map[string]struct {
		at      string
		message string
	}{
		"matmul m=3":                  {"m=3", `unknown option "m"`},
		"matmul n=0":                  {"n=0", "n=0 is not a number from 1 to 65536"},
		"matmul n=4096 n=4096":        {"n=4096", `option "n" occurs twice`},
		"matmul iters=5":              {"iters=5", "iters=5 is not a number from 20 to 100000"},
		"matmul dtype=fp64":           {"dtype=fp64", `unknown dtype "fp64"`},
		"matmul name=4":               {"name=4", `"4" cannot name a value`},
		"matmul == 5 TFLOP/s":         {"==", `a rate cannot be compared with "=="`},
		"matmul >= fast":              {"fast", `"fast" is not a rate`},
		"matmul >= 5":                 {"", "a rate needs a unit"},
		"matmul >= 5 GB/s":            {"GB/s", "a rate needs a unit"},
		"matmul [5, 9] name=a":        {"[5, 9]", "[5, 9] is no bound"},
		"matmul [-5%":                 {"[-5%", "[-5% is no bound"},
		"matmul >= x%":                {">= x%", ">= x% is no bound"},
		"matmul quickly":              {"quickly", `unexpected "quickly"`},
		"memory latency":              {"latency", `memory has no "latency"`},
		"copy device-to-hots":         {"device-to-hots", `copy has no "device-to-hots"`},
		"copy":                        {"", `copy has no ""`},
		"memory bandwidth dtype=fp16": {"dtype=fp16", `unknown option "dtype"`},
	} {
		_, err := ParseLine(line)
		var e *Fault
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", line, err)
			continue
		}
		at := ""
		if e.Offset < len(line) {
			at = line[e.Offset : e.Offset+e.Width]
		}
		if at != want.at || e.Message.String() != want.message {
			t.Errorf("%q: %q: %s", line, at, e.Message)
		}
	}
}

func FuzzMeasure(f *testing.F) {
	f.Add("matmul n=8192 dtype=tf32 iters=20 name=a >= 1e2 GFLOP/s")
	f.Add("memory bandwidth > 3 TB/s")
	f.Add("memory bandwidth [-5%, +20%]")
	f.Fuzz(func(t *testing.T, line string) {
		s, err := ParseLine(line)
		if err != nil {
			if e := (*Fault)(nil); !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(line) || e.Message.IsZero() {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		if again, err := ParseLine(s.String()); err != nil || again.String() != s.String() {
			t.Fatalf("%q is %q is %v, %v", line, s, again, err)
		}
	})
}
