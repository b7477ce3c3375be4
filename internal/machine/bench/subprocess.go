package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
)

// RunSubprocess runs in the subprocess. It reads a request, measures in this process, and
// writes a line for each result.
func RunSubprocess(ctx context.Context, in io.Reader, out io.Writer) error {
	q, err := readRequest(in)
	if err != nil {
		return err
	}
	t := resultWriter{out}
	if err := measureGPUs(ctx, q, t); err != nil {
		return t.write(line{Fault: faultOf(err)})
	}
	return t.write(line{End: true})
}

// measureGPUs measures one GPU after the other. An error concerns all of them.
func measureGPUs(ctx context.Context, q request, t resultWriter) error {
	d, err := cuda.Open()
	if err != nil {
		return err
	}
	if err := d.Init(); err != nil {
		return err
	}
	count, err := d.Count()
	if err != nil {
		return err
	}
	if err := t.write(line{GPUs: &count}); err != nil {
		return err
	}
	for i := q.First; i < count && ctx.Err() == nil; i++ {
		if q.Only != nil && !slices.Contains(q.Only, i) {
			continue
		}
		if err := t.write(line{Begin: &i}); err != nil {
			return err
		}
		m := measureGPU(ctx, d, count, i, q, t)
		if err := t.write(line{Done: &m}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// measureGPU measures one of several GPUs, in a context that is closed afterwards.
func measureGPU(ctx context.Context, d *cuda.Driver, gpus, i int, q request, t resultWriter) report.Measured {
	m := report.Measured{Device: i}
	err := func() (err error) {
		v, err := d.Device(i)
		if err != nil {
			return err
		}
		g := &device{Device: v, driver: d, gpus: gpus, request: q, resultWriter: t, m: &m}
		if err := g.describe(); err != nil {
			return err
		}
		if g.c, err = v.Context(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, g.c.Close()) }()
		return g.measure(ctx)
	}()
	if err != nil {
		f := faultOf(err)
		return report.Measured{Device: i, Why: f.Why, Detail: f.Detail}
	}
	return m
}

// faultOf returns the fault of an error.
func faultOf(err error) *fault {
	var f *fault
	why := report.WhyFailed
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, cuda.OutOfMemory), errors.Is(err, cuda.BLASAllocFailed):
		why = report.WhyNoMemory
	case errors.Is(err, cuda.ErrNoLibrary):
		return &fault{report.WhyNoLibrary, cuda.SharedLibrary}
	case errors.Is(err, cuda.ErrUnsupported):
		why = report.WhyNotSupported
	}
	return &fault{why, gpu.Redact(err.Error())}
}

// gibibytes formats an amount of memory.
func gibibytes(n uint64) string { return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30)) }
