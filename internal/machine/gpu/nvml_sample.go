//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Sampler reads the current clocks and power of one GPU, in this process. It should
// be a subprocess, because NVML may end it.
type Sampler struct{ rd *reader }

// NewSampler returns a sampler of the GPU with a PCI address, in CUDA's format, or nil if
// NVML does not know it.
func NewSampler(pci string) *Sampler {
	l := newLibrary()
	if l.Init() != nvml.SUCCESS {
		return nil
	}
	count, _ := orZero(l.DeviceGetCount())
	for i := range min(count, maxDevices) {
		device, ret := l.DeviceGetHandleByIndex(i)
		if ret != nvml.SUCCESS {
			continue
		}
		if at, _ := l.pci(device); at != "" && at == pciKey(pci) {
			return &Sampler{&reader{library: l, device: device}}
		}
	}
	return nil
}

// Sample reads clocks, power and the reasons for low clocks. All other readings, and
// unknown values, are null.
func (s *Sampler) Sample() *report.Readings {
	s.rd.r = blank()
	s.rd.clocks()
	s.rd.power()
	return s.rd.r
}
