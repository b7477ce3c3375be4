//go:build linux && cgo

package gpu

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// places are cards by PCI address, and the most that each and its slot can do.
type places map[string]place

type place struct {
	device nvml.Device
	most   report.PCIe
}

// bus knows the bus of cards.
func (l library) bus(cards places) *bus {
	return &bus{
		read: func(pci string) (generation, width int, most bool) {
			if p, ok := cards[pci]; ok {
				generation, _ = ask(l, p.device.GetCurrPcieLinkGeneration, "nvmlDeviceGetCurrPcieLinkGeneration")
				width, _ = ask(l, p.device.GetCurrPcieLinkWidth, "nvmlDeviceGetCurrPcieLinkWidth")
				most = is(p.most.MaxGeneration, generation) && is(p.most.MaxWidth, width)
			}
			return generation, width, most
		},
		leave: func(pci string) string {
			p, ok := cards[pci]
			if !ok {
				return report.WhyFailed // nobody would read its bus
			}
			return l.leave(p.device)
		},
	}
}

func is(value *int, n int) bool { return value != nil && *value == n }

// leave says why a card must not be loaded: it works, and copies would slow that
// down; it is for one program at a time, which could not start meanwhile, and
// which MPS is, whose clients suffer when one is killed
// (https://docs.nvidia.com/deploy/mps/, "Exclusive-Mode Restrictions" and
// "Client Early Termination"); or its memory is nearly all taken. What is not
// known keeps nobody.
func (l library) leave(device nvml.Device) string {
	used, ret := ask(l, device.GetUtilizationRates, "nvmlDeviceGetUtilizationRates")
	if ret == nvml.SUCCESS && max(used.Gpu, used.Memory) > busyPercent {
		return report.WhyInUse
	}
	mode, ret := ask(l, device.GetComputeMode, "nvmlDeviceGetComputeMode")
	if ret == nvml.SUCCESS && mode != nvml.COMPUTEMODE_DEFAULT {
		return report.WhyInUse
	}
	memory, ret := ask(l, device.GetMemoryInfo, "nvmlDeviceGetMemoryInfo")
	if ret == nvml.SUCCESS && memory.Free < needIdle {
		return report.WhyNoMemory
	}
	return ""
}
