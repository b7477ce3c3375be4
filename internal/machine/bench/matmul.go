package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

func (g *device) matmul(ctx context.Context) error {
	n, dtype := g.Spec.N, g.Spec.DType
	if !hasType(dtype, g.major, g.minor) {
		least := oldest[dtype]
		return &fault{report.WhyNotSupported,
			fmt.Sprintf("%s needs compute capability %d.%d, and this GPU has %s", dtype, least[0], least[1], g.compute())}
	}
	bytes := uint64(n) * uint64(n) * uint64(size(dtype))
	if err := g.need(3 * bytes); err != nil {
		return err
	}
	// cuBLAS allocates up to hundreds of MiB itself. That comes first, because if it
	// failed, the kernel would be measured.
	p := &operands{n: n, dtype: dtype}
	launch, err := g.backend(p)
	if err != nil {
		return err
	}
	matrices, err := g.alloc(bytes, 3)
	if err != nil {
		return err
	}
	p.a, p.b, p.c = matrices[0], matrices[1], matrices[2]
	r := rand.New(rand.NewPCG(seed, 0))
	length := min(n*n, period)
	a, b := matrix{n, random(r, dtype, length)}, matrix{n, random(r, dtype, length)}
	// Elements that no run writes stay NaN.
	if err := errors.Join(fill(p.a, encode(dtype, a.elements)), fill(p.b, encode(dtype, b.elements)), p.c.Fill(0xff)); err != nil {
		return err
	}
	if err := g.timing(ctx, launch, flops(n)/1e12); err != nil {
		return err
	}
	if g.m.Clock > 0 {
		g.m.Peak = peakRate(dtype, g.compute(), g.name, g.sms, g.m.Clock)
	}
	return g.check(p, a, b)
}

// operands are the matrices of a matmul c = a b, of n x n elements in rows.
type operands struct {
	n       int
	dtype   string
	a, b, c *cuda.Memory
}

// flops returns the number of operations of a matmul of two n x n matrices.
func flops(n int) float64 { return 2 * float64(n) * float64(n) * float64(n) }

// backend returns the function that launches the matmul, once its matrices are
// allocated.
func (g *device) backend(p *operands) (launch func() error, err error) {
	if g.Backend != PTX {
		launch, err = g.cublas(p)
		if err == nil || g.Backend == CUBLAS || p.dtype != ask.FP32 {
			return launch, err
		}
	}
	return g.kernel(p)
}

// cublas uses cuBLAS. If there is no copy, or none that can be used with this driver and this GPU, a
// library is missing. An error of the driver is another matter.
func (g *device) cublas(p *operands) (launch func() error, err error) {
	b, err := g.c.BLAS(cuda.FindBLAS(append(g.Folders, cuda.SystemDirs()...)...))
	var ofDriver *cuda.Error
	switch {
	case errors.Is(err, cuda.ErrNoBLAS):
		return nil, &fault{report.WhyNoLibrary, "cuBLAS"}
	case err != nil && !errors.As(err, &ofDriver) && !errors.Is(err, cuda.BLASAllocFailed):
		return nil, &fault{report.WhyNoLibrary, gpu.Redact(err.Error())}
	case err != nil:
		return nil, err
	}
	g.m.Backend = "cuBLAS " + b.Version()
	return func() error { return b.Gemm(cuda.Type(p.dtype), p.n, p.n, p.n, p.a, p.b, p.c) }, nil
}

// kernel uses the kernel of gpudocs, which is for fp32.
func (g *device) kernel(p *operands) (launch func() error, err error) {
	if p.dtype != ask.FP32 {
		return nil, &fault{report.WhyNotSupported, "the kernel of gpudocs is for fp32"}
	}
	k, err := g.c.SGEMM()
	switch {
	case errors.Is(err, cuda.ErrOldGPU) && g.Backend == PTX:
		return nil, &fault{report.WhyNotSupported, err.Error()}
	case errors.Is(err, cuda.ErrOldGPU):
		return nil, &fault{report.WhyNoLibrary, "cuBLAS"}
	case err != nil:
		return nil, err
	}
	g.m.Backend = "gpudocs PTX"
	return func() error { return k.Multiply(p.n, p.n, p.n, p.a, p.b, p.c) }, nil
}

// check compares some elements of the result with sums in float64.
func (g *device) check(p *operands, a, b matrix) error {
	g.m.Tolerance = tolerance(p.dtype, p.n)
	element := make([]byte, size(p.dtype))
	for _, at := range places(rand.New(rand.NewPCG(seed, 1)), p.n) {
		offset := (uint64(at[0])*uint64(p.n) + uint64(at[1])) * uint64(len(element))
		if err := p.c.Read(offset, element); err != nil {
			return err
		}
		e := errorOf(a, b, at[0], at[1], decode(p.dtype, element))
		g.m.Wrong = g.m.Wrong || !(e <= g.m.Tolerance)
		g.m.MaxError = math.Max(g.m.MaxError, e) // NaN if one of them is
	}
	if math.IsNaN(g.m.MaxError) || math.IsInf(g.m.MaxError, 0) {
		g.m.MaxError = 0 // JSON has no NaN
	}
	return nil
}
