package bench

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/blas"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// The CPU gets about a second. Matrices that would take longer than cpuLongest are made
// smaller, because five runs are timed.
const (
	cpuLongest = 200 * time.Millisecond
	cpuRuns    = 5
	cpuFirst   = 256 // n to begin with
)

// measureCPU multiplies FP32 matrices, of the size that is requested or smaller, with the
// machine's BLAS.
func measureCPU(q request, t resultWriter) error {
	l, err := blas.Find(q.Folders...)
	switch {
	case errors.Is(err, blas.ErrNone):
		return &fault{report.WhyNoLibrary, err.Error()}
	case err != nil:
		return &fault{report.WhyNotSupported, err.Error()}
	}
	n := q.Spec.N
	p := newCPUMatmul(l, min(n, cpuFirst))
	p.time() // the first starts threads
	took := p.time()
	for p.n < n && 8*took <= cpuLongest {
		if err := t.keepAlive(); err != nil {
			return err
		}
		p = newCPUMatmul(l, min(n, 2*p.n))
		p.time()
		took = p.time()
	}
	times := make([]float64, cpuRuns)
	for i := range times {
		times[i] = milliseconds(p.time())
	}
	out := &report.MeasuredCPU{Library: l.Name, Threads: l.Threads, N: p.n, Runs: cpuRuns, Median: median(times)}
	if p.wrong() {
		return &fault{report.WhyFailed, l.Name + " gave a wrong result"}
	}
	out.Rate = flops(p.n) / (out.Median / 1000) / 1e12
	return t.write(line{CPU: out})
}

// flops returns the number of operations of a matmul of two n x n matrices.
func flops(n int) float64 { return 2 * float64(n) * float64(n) * float64(n) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

type cpuMatmul struct {
	l       *blas.Library
	n       int
	a, b, c []float32
}

func newCPUMatmul(l *blas.Library, n int) cpuMatmul {
	r := rand.New(rand.NewPCG(seed, 0))
	return cpuMatmul{l, n, random(r, ask.FP32, n*n), random(r, ask.FP32, n*n), make([]float32, n*n)}
}

func (p cpuMatmul) time() time.Duration {
	start := time.Now()
	p.l.Multiply(p.n, p.a, p.b, p.c)
	return time.Since(start)
}

// wrong checks the result like that of a GPU.
func (p cpuMatmul) wrong() bool {
	limit := tolerance(ask.FP32, p.n)
	for _, at := range places(rand.New(rand.NewPCG(seed, 1)), p.n) {
		e := errorOf(matrix{p.n, p.a}, matrix{p.n, p.b}, at[0], at[1], float64(p.c[at[0]*p.n+at[1]]))
		if !(e <= limit) {
			return true
		}
	}
	return false
}
