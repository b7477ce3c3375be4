package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// Arguments that make the test binary act as the subprocess, or as a faulty one.
const (
	childArg  = "internal-bench"
	scriptArg = "scripted"
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 2 && os.Args[1] == childArg:
		if err := RunSubprocess(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case len(os.Args) == 3 && os.Args[1] == scriptArg:
		os.Exit(scripted(os.Args[2]))
	}
	code := m.Run()
	for _, dir := range cleanup {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// cleanup lists the folders that tests share.
var cleanup []string

func options(t *testing.T, args ...string) MeasureOptions {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return MeasureOptions{Executable: self, Args: args, Env: append(os.Environ(), "GORACE=atexit_sleep_ms=0")}
}

// scripted returns the results that the words of the script stand for, for each GPU from the
// first one requested.
func scripted(script string) int {
	q, err := readRequest(os.Stdin)
	if err != nil {
		return 2
	}
	t := resultWriter{os.Stdout}
	words := strings.Fields(script)
	shown := len(words)
	_ = t.write(line{GPUs: &shown})
	for i, word := range words {
		if i < q.First || q.Only != nil && !slices.Contains(q.Only, i) {
			continue
		}
		if word == "stop" { // after a result, and before the next GPU
			_ = t.write(line{Done: &report.Measured{Device: i, Rate: 5}})
			return 0
		}
		if word == "nothing" {
			return 0
		}
		if word == "broken" {
			_ = t.write(line{Fault: &fault{report.WhyFailed, "cuInit: unknown error"}})
			return 0
		}
		_ = t.write(line{Begin: &i})
		switch word {
		case "good":
			for range 5 {
				time.Sleep(20 * time.Millisecond)
				_ = t.keepAlive()
			}
			fmt.Println("a library's own words")
			_ = t.write(line{Done: &report.Measured{Device: i, Rate: 5}})
		case "crash":
			fmt.Fprintln(os.Stderr, "SIGSEGV: segmentation violation")
			return 2
		case "hang":
			time.Sleep(time.Hour)
		}
	}
	_ = t.write(line{End: true})
	return 0
}

func TestMeasureKeepsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	const failed = report.WhyFailed
	good := func(i int) report.Measured { return report.Measured{Device: i, Rate: 5} }
	crash := func(i int) report.Measured {
		return report.Measured{Device: i, Why: failed, Detail: "the process that measures ended: exit status 2: SIGSEGV: segmentation violation"}
	}
	hang := func(i int) report.Measured {
		return report.Measured{Device: i, Why: failed, Detail: "no answer for 3s"}
	}
	fault := func(i int, detail string) report.Measured {
		return report.Measured{Device: i, Why: failed, Detail: detail}
	}
	for script, want := range map[string][]report.Measured{
		"good good":                 {good(0), good(1)},
		"good crash good":           {good(0), crash(1), good(2)},
		"good hang crash good hang": {good(0), hang(1), crash(2), good(3), hang(4)},
		"broken":                    {fault(0, "cuInit: unknown error"), fault(1, "cuInit: unknown error")},
		"nothing":                   {fault(0, "the process that measures ended without an answer"), fault(1, "the process that measures ended without an answer")},
		"good stop":                 {good(0), good(1)},
		"stop good":                 {good(0), fault(1, "the process that measures ended without an answer")},
		"crash broken":              {crash(0), fault(1, "cuInit: unknown error")},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			o := options(t, scriptArg, script)
			o.Silence, o.GPUs = 3*time.Second, 2
			var began []int
			o.Began = func(i int) { began = append(began, i) }
			m, err := Measure(t.Context(), ask.Measure{What: ask.Matmul, N: 16, DType: ask.FP32}, o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, m.GPUs); d != "" {
				t.Error(d)
			}
			if script == "good crash good" && !slices.Equal(began, []int{0, 1, 2}) {
				t.Errorf("began %v", began)
			}
		})
	}
}

// TestMeasureHiddenGPUs: CUDA may show fewer GPUs than the machine has.
func TestMeasureHiddenGPUs(t *testing.T) {
	t.Parallel()
	o := options(t, scriptArg, "good")
	o.GPUs = 3
	s := ask.Measure{What: ask.Bandwidth}
	m, err := Measure(t.Context(), s, o)
	if err != nil || len(m.GPUs) != 3 || m.GPUs[0].Rate != 5 || m.GPUs[2].Device != 2 || m.GPUs[2].Why != report.WhyNotSupported || m.GPUs[2].Detail != "CUDA shows 1 of 3 GPUs" {
		t.Errorf("%+v %v", m, err)
	}
	o.Only = []int{0, 1}
	if m, err = Measure(t.Context(), s, o); err != nil || len(m.GPUs) != 2 {
		t.Errorf("%+v %v", m, err)
	}
}

func TestMeasureOnly(t *testing.T) {
	t.Parallel()
	o := options(t, scriptArg, "crash good crash")
	o.Only = []int{1}
	m, err := Measure(t.Context(), ask.Measure{What: ask.Bandwidth}, o)
	if err != nil || len(m.GPUs) != 1 || m.GPUs[0].Rate != 5 {
		t.Errorf("%+v %v", m, err)
	}
}

func TestMeasureCancelled(t *testing.T) {
	t.Parallel()
	o := options(t, scriptArg, "good hang")
	ctx, cancel := context.WithCancel(t.Context())
	o.Began = func(i int) {
		if i == 1 {
			cancel()
		}
	}
	m, err := Measure(ctx, ask.Measure{What: ask.Bandwidth}, o)
	if err == nil || len(m.GPUs) != 2 || m.GPUs[0].Rate != 5 || m.GPUs[1].Detail != "cancelled" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestMeasureWithoutProgram(t *testing.T) {
	t.Parallel()
	m, err := Measure(t.Context(), ask.Measure{What: ask.Matmul, N: 4}, MeasureOptions{Executable: "/no/such/program"})
	if err != nil || len(m.GPUs) != 1 || m.GPUs[0].Why != report.WhyFailed {
		t.Errorf("%+v %v", m, err)
	}
}

func TestChildEnv(t *testing.T) {
	t.Parallel()
	got := environ([]string{"PATH=/bin", "NVIDIA_TF32_OVERRIDE=0", "LD_BIND_NOW=1", "CUBLAS_EMULATE_SINGLE_PRECISION=1", "CUDA_LAUNCH_BLOCKING=1", "CUDA_DEVICE_ORDER=FASTEST_FIRST"})
	if d := cmp.Diff([]string{"PATH=/bin", "CUDA_DEVICE_ORDER=FASTEST_FIRST", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}, got); d != "" { // the last one is used
		t.Error(d)
	}
}

func TestSilenceGrows(t *testing.T) {
	t.Parallel()
	small, large := MeasureOptions{}.silence(ask.Measure{N: 1024}), MeasureOptions{}.silence(ask.Measure{N: 65536})
	if small < time.Minute || large < 5000*time.Second || large > 24*time.Hour {
		t.Errorf("%v, %v", small, large)
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		times          []float64
		min, mid, high float64
	}{
		{[]float64{7}, 7, 7, 7},
		{[]float64{2, 1}, 1, 1.5, 2},
		{[]float64{3, 1, 2}, 1, 2, 3},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 1, 5.5, 9},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 100}, 1, 1, 1},
	} {
		if got := [3]float64{quantile(c.times, 0), median(c.times), quantile(c.times, 0.9)}; got != [3]float64{c.min, c.mid, c.high} {
			t.Errorf("%v: %v", c.times, got)
		}
	}
	if !steady([]float64{5, 1, 1, 1, 1, 1}) || steady([]float64{1, 1, 1, 1, 2, 2}) {
		t.Error("steady is wrong")
	}
}

// TestPeaks compares the tables with NVIDIA's specifications of GPUs, by their SMs and boost
// clocks.
func TestPeaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, compute, dtype string
		sms, mhz             int
		want                 float64
	}{
		{"NVIDIA H100 80GB HBM3", "9.0", ask.FP32, 132, 1980, 66.9},
		{"NVIDIA H100 80GB HBM3", "9.0", ask.BF16, 132, 1830, 989.4},
		{"NVIDIA H100 80GB HBM3", "9.0", ask.TF32, 132, 1830, 494.7},
		{"NVIDIA A100-SXM4-40GB", "8.0", ask.FP32, 108, 1410, 19.5},
		{"NVIDIA A100-SXM4-40GB", "8.0", ask.TF32, 108, 1410, 156},
		{"Tesla V100-SXM2-16GB", "7.0", ask.FP16, 80, 1530, 125},
		{"Tesla T4", "7.5", ask.FP16, 40, 1590, 65},
		{"Quadro RTX 6000", "7.5", ask.FP16, 72, 1770, 130.5},
		{"GeForce RTX 2080 Ti", "7.5", ask.FP16, 68, 1635, 56.9},
		{"NVIDIA GeForce RTX 3090", "8.6", ask.FP16, 82, 1695, 71},
		{"NVIDIA GeForce RTX 3090", "8.6", ask.FP32, 82, 1695, 35.6},
		{"NVIDIA A40", "8.6", ask.BF16, 84, 1740, 149.7},
		{"NVIDIA GeForce RTX 4090", "8.9", ask.FP16, 128, 2520, 165.2},
		{"NVIDIA L40", "8.9", ask.FP16, 142, 2490, 181.05},
		{"NVIDIA L40S", "8.9", ask.FP16, 142, 2520, 362.05},
		{"NVIDIA GeForce RTX 5090", "12.0", ask.TF32, 170, 2407, 104.8},
		{"NVIDIA GeForce GTX 1660", "7.5", ask.FP16, 22, 1785, 0},
		{"NVIDIA H20", "9.0", ask.BF16, 78, 1980, 0},
		{"NVIDIA H200", "9.0", ask.BF16, 132, 1830, 989.4},
		{"NVIDIA B200", "10.0", ask.FP16, 148, 1965, 0},
		{"NVIDIA of tomorrow", "15.0", ask.FP32, 100, 2000, 0},
	} {
		got := peakRate(c.dtype, c.compute, c.name, c.sms, c.mhz)
		if math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%s %s: %.1f TFLOP/s, want %.1f", c.name, c.dtype, got, c.want)
		}
	}
	if got := peakBandwidth(9751e3, 384); math.Abs(got-936) > 1 { // GeForce RTX 3090
		t.Errorf("%.0f GB/s, want 936", got)
	}
	if hasType(ask.BF16, 7, 5) || !hasType(ask.BF16, 8, 0) || hasType(ask.FP16, 5, 2) || !hasType(ask.FP16, 6, 0) || !hasType(ask.FP32, 5, 0) {
		t.Error("hasType is wrong")
	}
}

// TestElements: each element of an input is exact in its type, and no two matrices are the
// same.
func TestElements(t *testing.T) {
	t.Parallel()
	for _, dtype := range ask.DTypes() {
		list := random(rand.New(rand.NewPCG(1, 2)), dtype, 10_000)
		code := encode(dtype, list)
		if len(code) != size(dtype)*len(list) {
			t.Fatalf("%s: %d bytes", dtype, len(code))
		}
		distinct, negative := map[float32]bool{}, 0
		for i, x := range list {
			if got := decode(dtype, code[i*size(dtype):]); got != float64(x) {
				t.Fatalf("%s: %v comes back as %v", dtype, x, got)
			}
			if dtype == ask.TF32 && math.Float32bits(x)&(1<<13-1) != 0 {
				t.Fatalf("%v is not exact in TF32", x)
			}
			if a := math.Abs(float64(x)); a < 1.0/1024 || a > 1 {
				t.Fatalf("%s: %v", dtype, x)
			}
			if x < 0 {
				negative++
			}
			distinct[x] = true
		}
		if negative < 4000 || negative > 6000 || len(distinct) < 1000 {
			t.Errorf("%s: %d of %d are negative, %d are distinct", dtype, negative, len(list), len(distinct))
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for bits, want := range map[uint16]float64{0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: math.Exp2(-24), 0x03ff: 1023 * math.Exp2(-24),
		0x0400: math.Exp2(-14), 0x3555: 0.333251953125, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := half(bits); got != want {
			t.Errorf("%#04x: %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) || !math.IsNaN(decode(ask.BF16, []byte{0xff, 0xff})) || !math.IsNaN(decode(ask.FP16, []byte{0xff, 0xff})) {
		t.Error("an element that was never written is a number")
	}
}

// TestTolerance: sums in float32 in the worst order, rounded to their type, are within the
// tolerance; noise, zero and a sum that lacks one part in sixteen are not.
func TestTolerance(t *testing.T) {
	t.Parallel()
	for _, dtype := range ask.DTypes() {
		for _, n := range []int{1, 7, 64, 1024, 16384} {
			limit := tolerance(dtype, n)
			r := rand.New(rand.NewPCG(3, uint64(n)))
			bad := 0
			for range samples {
				a, b := random(r, dtype, n), random(r, dtype, n)
				var sum, lacks float32
				for k := range n {
					sum = math.Float32frombits(math.Float32bits(sum+a[k]*b[k]) &^ 1) // truncated by one bit
					if k < n-n/16 {
						lacks = sum
					}
				}
				if e := dotError(a, b, rounded(dtype, sum)); e > limit {
					t.Fatalf("%s n=%d: error %g of a correct sum, tolerance %g", dtype, n, e, limit)
				}
				for _, wrong := range []float64{0, 2 * float64(sum)} {
					if e := dotError(a, b, wrong); e > limit {
						bad++
					}
				}
				if e := dotError(a, b, float64(lacks)); n >= 64 && e > limit {
					bad++
				}
			}
			if bad < samples/2 {
				t.Errorf("%s n=%d: only %d wrong sums were detected", dtype, n, bad)
			}
		}
	}
}

func dotError(a, b []float32, got float64) float64 {
	n := len(a)
	row, column := make([]float32, n*1), b
	copy(row, a)
	var sum, magnitude float64
	for k := range n {
		sum += float64(row[k]) * float64(column[k])
		magnitude += math.Abs(float64(row[k]) * float64(column[k]))
	}
	return math.Abs(got-sum) / magnitude
}

// rounded returns a sum truncated to a type, which is worse than rounding.
func rounded(dtype string, sum float32) float64 {
	bits := math.Float32bits(sum)
	switch dtype {
	case ask.FP16:
		bits &^= 1<<13 - 1
	case ask.BF16:
		bits &^= 1<<16 - 1
	}
	return float64(math.Float32frombits(bits))
}

func TestErrorOf(t *testing.T) {
	t.Parallel()
	a, b := matrix{2, []float32{1, 2, 3, 4}}, matrix{2, []float32{5, -6, 7, 8}}
	if e := errorOf(a, b, 1, 1, 14); e != 0 { // 3*-6 + 4*8
		t.Error(e)
	}
	if e := errorOf(a, b, 1, 1, 64); e != 1 {
		t.Error(e)
	}
	if e := errorOf(a, b, 0, 0, math.NaN()); !math.IsNaN(e) {
		t.Error(e)
	}
	at := places(rand.New(rand.NewPCG(1, 1)), 3)
	if len(at) != samples || !slices.Contains(at, [2]int{2, 2}) {
		t.Error(at)
	}
}

func TestWatcher(t *testing.T) {
	t.Parallel()
	w := watch(nil)
	for _, mhz := range []int{1500, 1400, 0, 1410} {
		watts := float64(mhz) / 10
		w.add(&report.Readings{Clocks: report.Clocks{SM: &mhz}, Power: report.Power{Draw: &watts}, Throttle: []string{"sw-power-cap", "gpu-idle"}})
	}
	var m report.Measured
	w.add(&report.Readings{})
	w.stop(&m)
	if d := cmp.Diff(report.Measured{Clock: 1410, PowerDraw: 141, Throttle: []string{"sw-power-cap"}}, m); d != "" {
		t.Error(d)
	}
	// Unknown values are omitted.
	m = report.Measured{}
	watch(nil).stop(&m)
	if text, _ := json.Marshal(m); string(text) != `{"device":0}` {
		t.Error(string(text))
	}
}

func FuzzHear(f *testing.F) {
	f.Add([]byte(`{"begin":1}`))
	f.Add([]byte(`{"done":{"device":0,"rate":1e9}}`))
	f.Add([]byte(`{"fault":{"why":"failed","detail":"x"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var a answer
		a.handle(text, nil)
		if len(a.done) > 1 {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
