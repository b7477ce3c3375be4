//go:build linux && (amd64 || arm64) && !static

package bench

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// fakeDriver builds the fake libcuda once, for all tests.
var fakeDriver = sync.OnceValues(func() (*cudatest.Driver, error) {
	dir, err := os.MkdirTemp("", "bench-cuda-")
	if err != nil {
		return nil, err
	}
	cleanup = append(cleanup, dir)
	return cudatest.Build(dir)
})

// driver returns the fake driver in a scenario, and options that measure with it.
func driver(t *testing.T, scenario string) (*cudatest.Driver, MeasureOptions) {
	t.Helper()
	shared, err := fakeDriver()
	if errors.Is(err, cudatest.ErrCannot) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := shared.For(t)
	o := options(t, childArg)
	o.Env = slices.DeleteFunc(o.Env, func(e string) bool {
		return strings.HasPrefix(e, "CUDA_") || strings.HasPrefix(e, "LD_LIBRARY_PATH=")
	})
	o.Env = append(o.Env, d.Env(scenario)...)
	o.hurry, o.copyBytes, o.Silence = true, 32<<20, 30*time.Second
	return d, o
}

// withBLAS gives a machine a Python environment that has cuBLAS.
func withBLAS(t *testing.T, d *cudatest.Driver, o *MeasureOptions, major int) {
	t.Helper()
	root := t.TempDir()
	d.BLAS(t, filepath.Join(root, "lib/python3.12/site-packages/nvidia/cublas/lib"), major)
	o.Folders = []string{root}
}

func measured(t *testing.T, s ask.Measure, o MeasureOptions) []report.Measured {
	t.Helper()
	m, err := Measure(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return m.GPUs
}

func product128(dtype string) ask.Measure {
	return ask.Measure{What: ask.Matmul, N: 128, DType: dtype}
}

// checkGood checks what holds for every correct measurement.
func checkGood(t *testing.T, g report.Measured) {
	t.Helper()
	if g.Why != "" || g.Wrong || g.Runs < ask.MinIters || !(0 < g.Min && g.Min <= g.Median && g.Median <= g.P90) || !(g.Rate > 0) {
		t.Errorf("%+v", g)
	}
	if !(0 < g.Returned && g.Returned <= g.Waited) {
		t.Errorf("returned after %v ms, the result was there after %v", g.Returned, g.Waited)
	}
	if g.Clock != 0 || g.PowerDraw != 0 || g.Throttle != nil { // there is no NVML
		t.Errorf("%d MHz, %v W, %q", g.Clock, g.PowerDraw, g.Throttle)
	}
}

func TestMatmulKernel(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "one")
	for _, n := range []int{1, 100, 256} {
		s := ask.Measure{What: ask.Matmul, N: n, DType: ask.FP32}
		g := measured(t, s, o)[0]
		checkGood(t, g)
		if g.Backend != "gpudocs PTX" || g.MaxError > g.Tolerance || g.Tolerance != tolerance(ask.FP32, n) {
			t.Errorf("n=%d: %+v", n, g)
		}
		if want := flops(n) / (g.Median / 1000) / 1e12; math.Abs(g.Rate-want) > 1e-9*want {
			t.Errorf("n=%d: rate %v, want %v", n, g.Rate, want)
		}
	}
	d.CheckFreed(t)
}

func TestPeers(t *testing.T) {
	t.Parallel()
	peer := ask.Measure{What: ask.Peer}
	for _, c := range []struct {
		scenario string
		direct   bool
		high     float64 // GB/s of the fake
		wrong    int     // the GPU whose copies arrive changed, or -1
	}{
		{"two", false, 5, -1}, // of different kinds
		{"wrong-peer", true, 55, 1},
	} {
		d, o := driver(t, c.scenario)
		all := measured(t, peer, o)
		if len(all) != 2 {
			t.Fatalf("%s: %+v", c.scenario, all)
		}
		for i, g := range all {
			wrong := i == c.wrong
			if g.Why != "" || g.Device != i || g.Wrong != wrong || g.Runs < ask.MinIters || !(0 < g.Rate && g.Rate < c.high) ||
				!slices.Equal(g.Peers, []report.Peer{{Device: 1 - i, Rate: g.Rate, Direct: c.direct, Wrong: wrong}}) {
				t.Errorf("%s: %+v", c.scenario, g)
			}
		}
		d.CheckFreed(t)
	}
	d, o := driver(t, "one")
	if g := measured(t, peer, o)[0]; g.Why != report.WhyNotSupported || g.Detail != "there is no other GPU" {
		t.Errorf("%+v", g)
	}
	d.CheckFreed(t)
	_, o = driver(t, "wrong-peer")
	o.Env = append(o.Env, "FAKE_CUDA_FREE=100")
	if g := measured(t, peer, o)[0]; g.Why != report.WhyNoMemory {
		t.Errorf("%+v", g)
	}
}

func TestMatmulIters(t *testing.T) {
	t.Parallel()
	_, o := driver(t, "one")
	s := product128(ask.FP32)
	s.Iters = 333
	if g := measured(t, s, o)[0]; g.Runs != 333 {
		t.Errorf("%+v", g)
	}
}

func TestMatmulCUBLAS(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "one")
	withBLAS(t, d, &o, 12)
	for _, dtype := range ask.DTypes() {
		g := measured(t, product128(dtype), o)[0]
		checkGood(t, g)
		if !strings.HasPrefix(g.Backend, "cuBLAS 12.") {
			t.Errorf("%s: %+v", dtype, g)
		}
	}
	o.Backend = PTX
	if g := measured(t, product128(ask.FP32), o)[0]; g.Backend != "gpudocs PTX" {
		t.Errorf("%+v", g)
	}
	d.CheckFreed(t)
}

func TestMatmulNoCUBLAS(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "one")
	if len(cuda.FindBLAS(cuda.SystemDirs()...)) > 0 {
		t.Skip("this machine has cuBLAS")
	}
	newer := options(t, childArg)
	withBLAS(t, d, &newer, 13) // the driver is of CUDA 12
	const tooNew = "cuBLAS 13 (pip): needs a driver of CUDA 13, and this one is of CUDA 12.4"
	for _, c := range []struct {
		backend, dtype    string
		folders           []string
		done, why, detail string
	}{
		{Auto, ask.FP32, nil, "gpudocs PTX", "", ""},
		{Auto, ask.FP32, newer.Folders, "gpudocs PTX", "", ""},
		{CUBLAS, ask.FP32, nil, "", report.WhyNoLibrary, "cuBLAS"},
		{Auto, ask.FP16, nil, "", report.WhyNoLibrary, "cuBLAS"},
		{Auto, ask.TF32, newer.Folders, "", report.WhyNoLibrary, tooNew},
		{CUBLAS, ask.FP32, newer.Folders, "", report.WhyNoLibrary, tooNew},
		{PTX, ask.BF16, nil, "", report.WhyNotSupported, "the kernel of gpudocs is for fp32"},
	} {
		o.Backend, o.Folders = c.backend, c.folders
		if g := measured(t, product128(c.dtype), o)[0]; g.Backend != c.done || g.Why != c.why || g.Detail != c.detail {
			t.Errorf("%s %s: %+v, want %q %s %q", c.backend, c.dtype, g, c.done, c.why, c.detail)
		}
	}
	d.CheckFreed(t)
}

func TestMatmulUnlikeGPUs(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "two")
	withBLAS(t, d, &o, 11)
	for _, dtype := range []string{ask.TF32, ask.BF16} {
		g := measured(t, product128(dtype), o)
		if len(g) != 2 || g[0].Why != report.WhyNotSupported || g[0].Detail != dtype+" needs compute capability 8.0, and this GPU has 6.1" || g[1].Device != 1 {
			t.Fatalf("%s: %+v", dtype, g)
		}
		checkGood(t, g[1])
	}
	g := measured(t, product128(ask.FP32), o)
	if len(g) != 2 {
		t.Fatalf("%+v", g)
	}
	for _, g := range g {
		checkGood(t, g)
	}
	o.Only = []int{1}
	if g := measured(t, product128(ask.FP32), o); len(g) != 1 || g[0].Device != 1 {
		t.Errorf("%+v", g)
	}
	d.CheckFreed(t)
}

// TestPlacesOfGPUs: CUDA numbers the faster GPU first, a report does not.
func TestPlacesOfGPUs(t *testing.T) {
	t.Parallel()
	_, o := driver(t, "two")
	o.Only = []int{0}
	s := ask.Measure{What: ask.Bandwidth}
	if g := measured(t, s, o)[0]; math.Abs(g.Peak-484) > 1 { // a GTX 1080 Ti's
		t.Errorf("%+v", g)
	}
}

func TestMatmulWrong(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "wrong")
	withBLAS(t, d, &o, 12)
	for _, backend := range []string{CUBLAS, PTX} {
		o.Backend = backend
		g := measured(t, product128(ask.FP32), o)[0]
		if !g.Wrong || !(g.MaxError > g.Tolerance) || !(g.Tolerance > 0) {
			t.Errorf("%+v", g)
		}
	}
	d.CheckFreed(t)
}

func TestNoMemory(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"full", "fragmented"} {
		for _, s := range []ask.Measure{{What: ask.Matmul, N: 1024, DType: ask.FP32}, {What: ask.Bandwidth}, {What: ask.HostToDevice}} {
			d, o := driver(t, scenario)
			g := measured(t, s, o)[0]
			if g.Why != report.WhyNoMemory || g.Detail == "" || g.Rate != 0 {
				t.Errorf("%s %s: %+v", scenario, s.What, g)
			}
			d.CheckFreed(t)
		}
	}
	// The 243 of 300 MiB that cuBLAS and the driver need besides the matrices stay free.
	_, o := driver(t, "nearly-full")
	if g := measured(t, ask.Measure{What: ask.Matmul, N: 4608, DType: ask.FP32}, o)[0]; g.Why != report.WhyNoMemory {
		t.Errorf("%+v", g)
	}
	d, o := driver(t, "one")
	g := measured(t, ask.Measure{What: ask.Matmul, N: 65536, DType: ask.FP32}, o)[0]
	if g.Why != report.WhyNoMemory || g.Detail != "it needs 48.1 GiB of the GPU's memory, and 23.3 GiB are free" {
		t.Errorf("%+v", g)
	}
	for _, line := range d.Log(t) {
		if strings.HasPrefix(line, "alloc") {
			t.Error("memory was requested although too little is free:", line)
		}
	}
}

// TestCopyWithinCache: the free memory holds two buffers of 64 MiB, which an H100 copies within
// its cache of 50 MiB, so that this is no bandwidth of its memory.
func TestCopyWithinCache(t *testing.T) {
	t.Parallel()
	_, o := driver(t, "nearly-full")
	o.copyBytes = 0
	g := measured(t, ask.Measure{What: ask.Bandwidth}, o)[0]
	if g.Why != report.WhyNoMemory || g.Detail != "it needs 0.625 GiB of the GPU's memory, and 0.293 GiB are free" {
		t.Errorf("%+v", g)
	}
	if g := measured(t, ask.Measure{What: ask.HostToDevice}, o)[0]; g.Why != "" || g.Wrong {
		t.Errorf("%+v", g)
	}
}

// TestMemoryOfCUBLAS: cuBLAS allocates its memory before the matrices.
func TestMemoryOfCUBLAS(t *testing.T) {
	t.Parallel()
	d, o := driver(t, "one")
	withBLAS(t, d, &o, 12)
	checkGood(t, measured(t, product128(ask.FP32), o)[0])
	log := d.Log(t)
	created := slices.IndexFunc(log, func(line string) bool { return strings.HasPrefix(line, "cublas ") })
	if matrix := slices.Index(log, "alloc 65536"); created < 0 || matrix < created {
		t.Errorf("cuBLAS is created in line %d, and the first matrix in line %d of\n%q", created, matrix, log[:min(len(log), 20)])
	}
}

func TestSickGPUs(t *testing.T) {
	t.Parallel()
	for scenario, want := range map[string]string{
		"hang":       "no answer for 3s",
		"hang-late":  "no answer for 3s",
		"crash":      "SIGSEGV: segmentation violation",
		"crash-late": "SIGSEGV: segmentation violation",
		"fails":      "CUDA_ERROR_LAUNCH_FAILED",
		"taken":      "cuDevicePrimaryCtxRetain",
		"not-ready":  "cuInit: system not yet initialized",
		"none":       "cuInit: no CUDA-capable device is detected",
	} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			_, o := driver(t, scenario)
			o.Silence = 3 * time.Second
			g := measured(t, product128(ask.FP32), o)
			if len(g) != 1 || g[0].Why != report.WhyFailed || !strings.Contains(g[0].Detail, want) {
				t.Errorf("%+v", g)
			}
		})
	}
}

// TestSecondGPU: after a crash or a hang with one GPU the results of the other are kept.
func TestSecondGPU(t *testing.T) {
	t.Parallel()
	for scenario, want := range map[string]string{"crash-second": "SIGSEGV", "hang-second": "no answer for 3s"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			_, o := driver(t, scenario)
			o.Silence = 3 * time.Second
			g := measured(t, product128(ask.FP32), o)
			if len(g) != 2 || g[1].Device != 1 || !strings.Contains(g[1].Detail, want) {
				t.Fatalf("%+v", g)
			}
			checkGood(t, g[0])
		})
	}
}

func TestNoDriver(t *testing.T) {
	t.Parallel()
	_, o := driver(t, "one")
	o.Env = slices.DeleteFunc(o.Env, func(e string) bool { return strings.HasPrefix(e, "LD_LIBRARY_PATH=") })
	if _, err := os.Stat("/proc/driver/nvidia"); err == nil {
		t.Skip("this machine has a driver")
	}
	o.GPUs = 2
	g := measured(t, product128(ask.FP32), o)
	if len(g) != 2 || g[0].Why != report.WhyNoLibrary || g[1].Device != 1 || g[1].Why != report.WhyNoLibrary {
		t.Errorf("%+v", g)
	}
}

// TestCopies: a copy within the GPU's memory counts twice. A copy of the fake takes at least as
// long as the GPU's specification implies.
func TestCopies(t *testing.T) {
	t.Parallel()
	for what, rate := range map[string]float64{ask.Bandwidth: 936, ask.HostToDevice: 12, ask.DeviceToHost: 12} {
		d, o := driver(t, "one")
		g := measured(t, ask.Measure{What: what}, o)[0]
		checkGood(t, g)
		bytes := 32.0 * (1 << 20)
		if what == ask.Bandwidth {
			bytes *= 2
		}
		if want := bytes / 1e9 / (g.Median / 1000); math.Abs(g.Rate-want) > 1e-9*want || g.Rate > 1.01*rate {
			t.Errorf("%s: %v GB/s, and %v bytes took %v ms; the fake does %v", what, g.Rate, bytes, g.Median, rate)
		}
		if what == ask.Bandwidth && math.Abs(g.Peak-936) > 1 || what != ask.Bandwidth && g.Peak != 0 {
			t.Errorf("%s: peak %v", what, g.Peak)
		}
		d.CheckFreed(t)
	}
}

// BenchmarkMeasure measures our own part of a timed run: the time between two events besides
// the GPU's work.
func BenchmarkMeasure(b *testing.B) {
	shared, err := fakeDriver()
	if err != nil {
		b.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	o := MeasureOptions{Executable: self, Args: []string{childArg}, Env: append(os.Environ(), shared.Env("one")...)}
	for b.Loop() {
		m, err := Measure(b.Context(), product128(ask.FP32), o)
		if err != nil || m.GPUs[0].Why != "" {
			b.Fatalf("%+v %v", m, err)
		}
		b.ReportMetric(1000*m.GPUs[0].Returned, "µs/launch")
		b.ReportMetric(1000*m.GPUs[0].Median, "µs/run")
	}
}
