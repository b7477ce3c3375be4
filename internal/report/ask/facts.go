package ask

import (
	"errors"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// GPUFacts returns what an author's requirements are compared with. Memory is that of the
// smallest GPU and compute that of the oldest, so that requirements hold for all GPUs.
// Unknown facts are missing.
func GPUFacts(g report.GPU) Machine {
	m := Machine{}
	switch g.Status {
	case report.GPUOk:
		m[GPUs] = Count(len(g.Devices))
	case report.GPUNone:
		m[GPUs] = Count(0)
	}
	if v, err := Version(g.Driver); err == nil {
		m[Driver] = v
	}
	if v, err := Version(g.CUDA); err == nil {
		m[CUDA] = v
	}
	var models [][]string
	for _, d := range g.Devices {
		if d.Name != "" { // "A100..." for "NVIDIA A100...", as it was named by older drivers
			models = append(models, []string{d.Name, strings.TrimPrefix(d.Name, "NVIDIA ")})
		}
	}
	if len(models) > 0 && len(models) == len(g.Devices) {
		m[GPU] = Names(models...)
	}
	if v, ok := least(g, memoryOf); ok {
		m[Memory] = v
	}
	if v, ok := least(g, func(d report.Device) (Value, error) { return Version(d.Compute) }); ok {
		m[Compute] = v
	}
	return m
}

// least returns the least value of the GPUs. ok is false if one of them is unknown, or there is
// no GPU.
func least(g report.GPU, value func(report.Device) (Value, error)) (least Value, ok bool) {
	for i, d := range g.Devices {
		v, err := value(d)
		if err != nil {
			return Value{}, false
		}
		if i == 0 || v.Less(least) {
			least = v
		}
	}
	return least, len(g.Devices) > 0
}

func memoryOf(d report.Device) (Value, error) {
	n := d.Usable()
	if n == 0 {
		return Value{}, errors.New("unknown")
	}
	return Bytes(n), nil
}
