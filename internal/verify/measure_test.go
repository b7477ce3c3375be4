package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// measuring is a Measure that finds these GPUs, and records its calls.
func measuring(calls *[]string, gpus ...report.Measured) func(context.Context, ask.Measure, int) (*report.Measurement, error) {
	return func(_ context.Context, s ask.Measure, _ int) (*report.Measurement, error) {
		*calls = append(*calls, s.String())
		return &report.Measurement{What: s.What, N: s.N, DType: s.DType, Unit: s.Unit(), GPUs: slices.Clone(gpus)}, nil
	}
}

func TestMeasuredLine(t *testing.T) {
	t.Parallel()
	good := func(rate float64) report.Measured { return report.Measured{Rate: rate, Backend: "cuBLAS 12.8.4"} }
	not := func(why string) report.Measured { return report.Measured{Device: 1, Why: why, Detail: "the words"} }
	wrong := report.Measured{Device: 1, Rate: 99, Wrong: true, MaxError: 0.0131, Tolerance: 6.1e-5}
	for _, c := range []struct {
		name, line string
		gpu        report.GPU
		gpus       []report.Measured
		want       string // the outcome, in the form of outcomes
		found      string
		capture    string
	}{
		{"no comparison", "matmul", oldGPU, []report.Measured{good(0.01)}, "passed", "0.0100 TFLOP/s", "matmul=0.0100"},
		{"fast enough", "matmul >= 5 TFLOP/s", oldGPU, []report.Measured{good(5)}, "passed", "5.00 TFLOP/s", "matmul=5.00"},
		{"the slowest decides", "matmul name=x >= 5 TFLOP/s", oldGPU, []report.Measured{good(989.4), good(4.9), good(16.3)},
			"failed requirement (matmul n=4096 dtype=fp32 name=x >= 5 TFLOP/s; 4.90 TFLOP/s)", "4.90 TFLOP/s", "x=4.90"},
		{"the fastest decides", "memory bandwidth < 900 GB/s", oldGPU, []report.Measured{good(880), good(936), good(100)},
			"failed requirement (memory bandwidth < 900 GB/s; 936 GB/s)", "936 GB/s", "bandwidth=936"},
		{"wrong", "matmul >= 5 TFLOP/s", oldGPU, []report.Measured{good(1), wrong}, "failed wrong-result (GPU 1) (6.1e-05; 0.013)", "", ""},
		{"a wrong copy", "copy peer", oldGPU, []report.Measured{{Device: 1, Rate: 9, Wrong: true, Peers: []report.Peer{{Device: 0, Rate: 9, Wrong: true}}}},
			"failed wrong-result (GPU 1: GPU 0)", "", ""},
		{"too little memory", "matmul", oldGPU, []report.Measured{good(7), not(report.WhyNoMemory)}, "skipped not-measured (no-memory)", "7.00 TFLOP/s", ""},
		{"no such type", "matmul dtype=bf16", oldGPU, []report.Measured{not(report.WhyNotSupported)}, "skipped not-measured (not-supported)", "", ""},
		{"no library", "matmul dtype=fp16", oldGPU, []report.Measured{not(report.WhyNoLibrary)}, "skipped not-measured (no-library: the words)", "", ""},
		{"the driver failed", "matmul", oldGPU, []report.Measured{not(report.WhyNoMemory), not(report.WhyFailed)}, "error not-measured (failed)", "", ""},
		{"one fails and one is slow", "matmul >= 5 TFLOP/s", oldGPU, []report.Measured{good(1), not(report.WhyFailed)},
			"failed requirement (matmul n=4096 dtype=fp32 >= 5 TFLOP/s; 1.00 TFLOP/s)", "1.00 TFLOP/s", ""},
		{"CUDA shows none", "matmul", oldGPU, nil, "skipped not-measured (not-supported)", "", ""},
		{"no GPU", "matmul", noGPU, []report.Measured{good(1)}, "skipped no-gpu (no-library)", "", ""},
		{"a broken driver", "matmul", broken, []report.Measured{good(1)}, "error gpu-broken (version-mismatch)", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var calls []string
			r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\n" + c.line + "\n```\n"}), c.gpu, Options{Measure: measuring(&calls, c.gpus...)})
			got := r.Checks[0]
			name, outcome, _ := strings.Cut(outcomes(r)[0], " ")
			if outcome != c.want || got.Found != c.found || !strings.HasPrefix(name, "lab.") {
				t.Errorf("%s %s, found %q", name, outcome, got.Found)
			}
			captures := ""
			for _, v := range got.Captures {
				captures += v.Name + "=" + v.Value
			}
			if captures != c.capture {
				t.Errorf("captures %q, want %q", captures, c.capture)
			}
			usable := c.gpu.Status == report.GPUOk
			if (len(calls) == 1) != usable || (got.Measurement != nil) != usable {
				t.Errorf("calls %q, measurement %+v", calls, got.Measurement)
			}
		})
	}
}

func TestMeasureFault(t *testing.T) {
	t.Parallel()
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nmatmul\n```\n"})
	r := verify(t, site, oldGPU, Options{Measure: func(context.Context, ask.Measure, int) (*report.Measurement, error) {
		return nil, errors.New("no fork")
	}})
	if got := outcomes(r)[0]; got != "lab.matmul error engine (no fork)" {
		t.Error(got)
	}
	// A gpudocs that cannot measure reports that.
	if got := outcomes(verify(t, site, oldGPU, Options{}))[0]; got != "lab.matmul skipped not-measured (not-supported)" {
		t.Error(got)
	}
}

// TestMeasureAlone: measurements run after the checks that take no time, one after the other,
// and before the sessions.
func TestMeasureAlone(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=b}\ntrue\n```\n```gpu {name=lab}\nmatmul\ngpus >= 1\nmemory bandwidth\n```\n"})
	var steps []string
	busy := false
	o := Options{Jobs: 4, Measure: func(_ context.Context, s ask.Measure, gpus int) (*report.Measurement, error) {
		if busy || gpus != 1 {
			t.Errorf("busy %v, %d GPUs", busy, gpus)
		}
		busy = true
		defer func() { busy = false }()
		steps = append(steps, "measure "+s.What)
		return &report.Measurement{Unit: s.Unit(), GPUs: []report.Measured{{Rate: 1}}}, nil
	}}
	o.Progress = func(e Event) {
		if e.Started != nil {
			steps = append(steps, "start "+e.Started.Name)
		}
		if e.Finished != nil {
			steps = append(steps, "end "+e.Finished.Name)
		}
	}
	verify(t, site, oldGPU, o)
	want := []string{"end lab.gpus", "start lab", "measure matmul", "end lab.matmul", "start lab", "measure bandwidth", "end lab.bandwidth", "start b", "end b"}
	if d := cmp.Diff(want, steps); d != "" {
		t.Error(d)
	}
}

// TestMeasureInterrupted: an interrupted measurement has no result, and the earlier one stays.
func TestMeasureInterrupted(t *testing.T) {
	t.Parallel()
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nmatmul\nmemory bandwidth\n```\n"})
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Machine: "m", Generator: "test", Probe: func(context.Context) report.GPU { return oldGPU }}
	o.Measure = func(ctx context.Context, s ask.Measure, _ int) (*report.Measurement, error) {
		if s.What == ask.Bandwidth {
			cancel()
		}
		return &report.Measurement{Unit: s.Unit(), GPUs: []report.Measured{{Rate: 1}}}, ctx.Err()
	}
	r, err := Run(ctx, plan, nil, o)
	if !errors.Is(err, context.Canceled) || len(r.Checks) != 1 || r.Checks[0].Name != "lab.matmul" {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestMeasureKept(t *testing.T) {
	t.Parallel()
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nmatmul\ngpus >= 1\nmemory bandwidth >= 5 GB/s\n```\n"})
	var calls []string
	first := verify(t, site, oldGPU, Options{Measure: measuring(&calls, report.Measured{Rate: 4})})
	calls = nil
	now, ran := rerun(t, site, oldGPU, first, Options{Measure: measuring(&calls, report.Measured{Rate: 9})})
	if !slices.Equal(calls, []string{"memory bandwidth >= 5 GB/s"}) || !slices.Equal(ran, []string{"lab.bandwidth", "lab.gpus"}) {
		t.Errorf("calls %q, ran %q", calls, ran)
	}
	for _, c := range now.Checks {
		if c.Name == "lab.matmul" && (c.Measurement == nil || c.Measurement.GPUs[0].Rate != 4) {
			t.Errorf("%+v", c)
		}
	}
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if kept := plan.MayKeep(now, judge.Limits{}); len(kept) != 2 { // both that measure
		t.Errorf("%d may be kept", len(kept))
	}
	newer := oldGPU
	newer.Driver = "550.54.14"
	calls = nil
	rerun(t, site, newer, now, Options{Measure: measuring(&calls, report.Measured{Rate: 9})})
	if len(calls) != 2 {
		t.Errorf("calls with another driver: %q", calls)
	}
}

// TestMeasurePrivate: texts of a driver are published, so they are redacted.
func TestMeasurePrivate(t *testing.T) {
	t.Parallel()
	var calls []string
	r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nmatmul\n```\n"}), oldGPU,
		Options{Measure: measuring(&calls, report.Measured{Why: report.WhyFailed, Detail: "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6 at 0000:65:00.0"})})
	if got := r.Checks[0].Measurement.GPUs[0].Detail; got != "GPU-<uuid> at <pci>" {
		t.Error(got)
	}
}

// TestMeasuredShare: lines in percent of a reference. Each GPU must be within the bound.
func TestMeasuredShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line  string
		rates []float64
		want  string
	}{
		{"memory bandwidth [-5%, +20%]", []float64{1000, 1100}, "passed"},
		{"memory bandwidth [-5%, +20%]", []float64{1000, 940}, "failed out-of-bounds ([-5%, +20%] (1000 GB/s); 940 GB/s)"},
		{"memory bandwidth [-5%, +20%]", []float64{1000, 1300, 1100}, "failed out-of-bounds ([-5%, +20%] (1000 GB/s); 1300 GB/s)"},
		{"memory bandwidth <= +20%", []float64{1000, 1300, 1100}, "failed out-of-bounds (<= +20% (1000 GB/s); 1300 GB/s)"},
		{"memory bandwidth >= -5% name=other", []float64{1}, "passed"}, // no reference
		{"memory bandwidth >= -5% name=bits", []float64{930}, "failed out-of-bounds (>= -5% (1000 GB/s); 930 GB/s)"},
	} {
		var calls []string
		var gpus []report.Measured
		for i, rate := range c.rates {
			gpus = append(gpus, report.Measured{Device: i, Rate: rate})
		}
		o := Options{Measure: measuring(&calls, gpus...), References: site.References{{Capture: "bandwidth", Of: "m", Value: 1, Unit: "TB/s"}, {Capture: "bits", Of: "m", Value: 1e6, Unit: "MB/s"}}}
		r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\n" + c.line + "\n```\n"}), oldGPU, o)
		_, got, _ := strings.Cut(outcomes(r)[0], " ")
		if reason := r.Checks[0].Reason; reason != nil {
			reason.Value = ""
			_, got, _ = strings.Cut(outcomes(r)[0], " ")
		}
		if got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.line, c.rates, got, c.want)
		}
	}
}

// TestMeasuredDrift: a rate that has drifted is measured again. The second rate counts, unless the line has failed
// for another reason, or cannot be measured again.
func TestMeasuredDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line          string
		first, second report.Measured
		want          string
		measured      int
	}{
		{"memory bandwidth", report.Measured{Rate: 101}, report.Measured{}, "passed", 1},
		{"memory bandwidth", report.Measured{Rate: 80}, report.Measured{Rate: 99}, "passed", 2},
		{"memory bandwidth", report.Measured{Rate: 80}, report.Measured{Rate: 81}, "failed drift (100 GB/s; 81.0 GB/s)", 2},
		{"memory bandwidth", report.Measured{Rate: 80}, report.Measured{Why: report.WhyNoMemory}, "failed drift (100 GB/s; 80.0 GB/s)", 2},
		{"memory bandwidth", report.Measured{Rate: 80}, report.Measured{Rate: 99, Wrong: true}, "failed wrong-result", 2},
		{"memory bandwidth >= 90 GB/s", report.Measured{Rate: 80}, report.Measured{Rate: 99}, "failed requirement (memory bandwidth >= 90 GB/s; 80.0 GB/s)", 1},
		{"memory bandwidth >= -5%", report.Measured{Rate: 80}, report.Measured{Rate: 99}, "failed out-of-bounds (>= -5% (100 GB/s); 80.0 GB/s)", 1},
	} {
		s := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\n" + c.line + "\n```\n"})
		rates, calls := []report.Measured{{Rate: 100}}, 0
		o := Options{Confine: site.Verify{Drift: site.Drift{Tolerance: 0.1}}, References: site.References{{Capture: "bandwidth", Of: "m", Value: 100, Unit: "GB/s"}}}
		o.Measure = func(_ context.Context, s ask.Measure, _ int) (*report.Measurement, error) {
			calls++
			return &report.Measurement{What: s.What, Unit: s.Unit(), GPUs: []report.Measured{rates[min(calls, len(rates))-1]}}, nil
		}
		last := verify(t, s, oldGPU, o)
		for range 4 {
			last, _ = rerun(t, s, oldGPU, last, o)
		}
		newer := oldGPU
		newer.Driver = "999.1"
		rates, calls = []report.Measured{c.first, c.second}, 0
		if r, _ := rerun(t, s, newer, last, o); calls != 1 || r.Checks[0].Captures[0].Drift.Why != report.DriftFew {
			t.Errorf("%s, another driver: %d calls, %+v", c.line, calls, r.Checks[0].Captures)
		}
		calls = 0
		r, _ := rerun(t, s, oldGPU, last, o)
		if reason := r.Checks[0].Reason; reason != nil {
			reason.Value, reason.GPUs = "", nil
		}
		if _, got, _ := strings.Cut(outcomes(r)[0], " "); got != c.want || calls != c.measured {
			t.Errorf("%s, %v, then %v: %s in %d measurements, want %s in %d", c.line, c.first.Rate, c.second.Rate, got, calls, c.want, c.measured)
		}
	}
}
