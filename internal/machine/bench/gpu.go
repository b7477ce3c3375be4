package bench

import (
	"context"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// A device is a GPU that is measured.
type device struct {
	request
	resultWriter
	cuda.Device
	driver       *cuda.Driver
	gpus         int // that CUDA lists
	c            *cuda.Context
	name         string
	major, minor int
	sms          int
	m            *report.Measured
}

// describe queries the values that peaks depend on.
func (g *device) describe() (err error) {
	if g.name, err = g.Device.Name(); err != nil {
		return err
	}
	if g.major, g.minor, err = g.Device.Compute(); err != nil {
		return err
	}
	g.sms, err = g.Device.Attribute(cuda.Multiprocessors)
	return err
}

func (g *device) compute() string { return fmt.Sprintf("%d.%d", g.major, g.minor) }

// measure fills in g.m.
func (g *device) measure(ctx context.Context) error {
	switch g.Spec.What {
	case ask.Matmul:
		return g.matmul(ctx)
	case ask.Bandwidth:
		return g.bandwidth(ctx)
	case ask.Peer:
		return g.peers(ctx)
	}
	return g.hostCopy(ctx)
}

// spare is the memory that a measurement leaves free, because cuBLAS and the driver
// allocate some themselves.
const spare = 128 << 20

// need fails if less memory is free on the GPU.
func (g *device) need(bytes uint64) error {
	free, _, err := g.c.MemInfo()
	if err != nil {
		return err
	}
	if bytes+spare > free {
		return &fault{report.WhyNoMemory, fmt.Sprintf("it needs %s of the GPU's memory, and %s are free", gibibytes(bytes+spare),
			gibibytes(free))}
	}
	return nil
}

// alloc allocates pieces of memory of the same size.
func (g *device) alloc(bytes uint64, pieces int) ([]*cuda.Memory, error) {
	if err := g.need(bytes * uint64(pieces)); err != nil {
		return nil, err
	}
	out := make([]*cuda.Memory, pieces)
	for i := range out {
		var err error
		if out[i], err = g.c.Alloc(bytes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fill fills a memory with repetitions of a list of bytes.
func fill(m *cuda.Memory, list []byte) error {
	for at := uint64(0); at < m.Size(); at += uint64(len(list)) {
		if err := m.Write(at, list[:min(uint64(len(list)), m.Size()-at)]); err != nil {
			return err
		}
	}
	return nil
}

// timing times runs of a launch and sets the results. work is the work of one run, in
// units of the rate times seconds.
func (g *device) timing(ctx context.Context, launch func() error, work float64) error {
	t := &timer{c: g.c, launch: launch, iters: g.Spec.Iters, alive: g.keepAlive, hurry: g.Hurry}
	if err := t.warm(ctx); err != nil {
		return err
	}
	bus, _ := g.PCIBusID() // NVML does not know ""
	w := watch(gpu.NewSampler(bus))
	times, err := t.runs(ctx)
	w.stop(g.m)
	if err != nil {
		return err
	}
	g.m.Runs = len(times)
	g.m.Median, g.m.Min, g.m.P90 = median(times), quantile(times, 0), quantile(times, 0.9)
	if !(g.m.Median > 0) {
		return &fault{report.WhyFailed, "it takes less time than the GPU's clock can tell"}
	}
	g.m.Rate = work / (g.m.Median / 1000)
	g.m.Returned, g.m.Waited, err = t.cpuTimes()
	return err
}
