//go:build linux && cgo

package gpu

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Sampler reads, in this process, how one card runs at the moment. The process
// should be one that may end: a child, as the probe is.
type Sampler struct{ rd *reader }

// NewSampler finds the card at a PCI address, as CUDA writes it; nil where NVML
// does not know it.
func NewSampler(pci string) *Sampler {
	bindNVML()
	l := library{nvml.New()}
	if l.Init() != nvml.SUCCESS {
		return nil
	}
	count, _ := ask(l, l.DeviceGetCount, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount")
	for i := range min(count, maxDevices) {
		device, ret := ask(l, func() (nvml.Device, nvml.Return) { return l.DeviceGetHandleByIndex(i) },
			"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex")
		if ret == nvml.SUCCESS && l.pci(device) == pciKey(pci) && pciKey(pci) != "" {
			return &Sampler{&reader{library: l, device: device}}
		}
	}
	return nil
}

func (l library) pci(device nvml.Device) string {
	at, _ := ask(l, func() (string, nvml.Return) {
		p, ret := device.GetPciInfo()
		return pciAt(p.Domain, p.Bus, p.Device), ret
	}, "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo")
	return at
}

// Sample reads clocks, power and the reasons for low clocks; the others of the
// readings are not asked for. What is not known is null.
func (s *Sampler) Sample() *report.Readings {
	s.rd.r = blank()
	s.rd.clocks()
	s.rd.power()
	return s.rd.r
}
