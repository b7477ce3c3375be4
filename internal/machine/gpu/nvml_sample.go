//go:build linux && cgo

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
	count, _ := call(l, l.DeviceGetCount, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount")
	for i := range min(count, maxDevices) {
		device, ret := call(l, func() (nvml.Device, nvml.Return) { return l.DeviceGetHandleByIndex(i) },
			"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex")
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
