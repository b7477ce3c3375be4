//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// places are GPUs by PCI address, with the maximum link of each.
type places map[string]place

type place struct {
	device nvml.Device
	most   report.PCIe
}

// bus returns a bus that reads the links of GPUs.
func (l library) bus(gpus places) *bus {
	return &bus{
		read: func(pci string) (generation, width int, most bool) {
			if p, ok := gpus[pci]; ok {
				generation, _ = orZero(p.device.GetCurrPcieLinkGeneration())
				width, _ = orZero(p.device.GetCurrPcieLinkWidth())
				most = is(p.most.MaxGeneration, generation) && is(p.most.MaxWidth, width)
			}
			return generation, width, most
		},
		leave: func(pci string) string {
			p, ok := gpus[pci]
			if !ok {
				return report.WhyFailed // its bus could not be read
			}
			return l.reasonToLeave(p.device)
		},
	}
}

func is(value *int, n int) bool { return value != nil && *value == n }

// reasonToLeave returns why a GPU must not be loaded: it is busy, and copies would slow it
// down; it is in an exclusive mode, in which other programs could not start meanwhile,
// and which MPS uses, whose clients suffer if one is killed
// (https://docs.nvidia.com/deploy/mps/, "Exclusive-Mode Restrictions" and "Client Early
// Termination"); or its memory is almost full. Unknown values do not prevent the load.
func (l library) reasonToLeave(device nvml.Device) string {
	used, ret := device.GetUtilizationRates()
	if ret == nvml.SUCCESS && max(used.Gpu, used.Memory) > busyPercent {
		return report.WhyInUse
	}
	mode, ret := device.GetComputeMode()
	if ret == nvml.SUCCESS && mode != nvml.COMPUTEMODE_DEFAULT {
		return report.WhyInUse
	}
	memory, ret := device.GetMemoryInfo()
	if ret == nvml.SUCCESS && memory.Free < needIdle {
		return report.WhyNoMemory
	}
	return ""
}
