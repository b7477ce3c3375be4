//go:build linux && cgo

package gpu

import (
	"fmt"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A library is NVML, loaded or not. Calling a function that it lacks ends the
// process, so each call is made through [ask].
type library struct{ nvml.Interface }

// ask makes a call if the library has one of the functions by which go-nvml
// can make it. A failed call returns nothing, whatever it left in its result.
func ask[T any](l library, call func() (T, nvml.Return), functions ...string) (T, nvml.Return) {
	var none T
	for _, f := range functions {
		if l.Extensions().LookupSymbol(f) != nil {
			continue
		}
		v, ret := call()
		if ret != nvml.SUCCESS {
			return none, ret
		}
		return v, ret
	}
	return none, nvml.ERROR_FUNCTION_NOT_FOUND
}

// newLibrary is the only way to NVML, for without bindNVML it has no function.
func newLibrary() library {
	bindNVML()
	return library{nvml.New()}
}

// askNVML lists what NVML in this process says, and returns what knows the bus
// of its cards later, nil where nobody does. It calls alive whenever it got on.
func askNVML(alive func()) (inventory, *bus) {
	l := newLibrary()
	switch ret := l.Init(); ret {
	case nvml.SUCCESS:
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		// Nobody answered, so there is no source, and nothing may be called.
		return inventory{Fault: nvmlFault(int(ret), "libnvidia-ml.so.1 cannot be loaded")}, nil
	default:
		return inventory{Source: report.SourceNVML, Library: l.version(), Fault: l.fault(ret)}, nil
	}
	inv := inventory{Source: report.SourceNVML, Driver: l.driver(), CUDA: l.cuda(), Library: l.version()}
	count, ret := ask(l, l.DeviceGetCount, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount")
	if ret != nvml.SUCCESS {
		inv.Fault = l.fault(ret)
		return inv, nil
	}
	places := places{}
	for i := range min(count, maxDevices) {
		alive()
		c, device := l.card(i)
		inv.Cards = append(inv.Cards, c)
		if c.Fault == nil && c.PCI != "" {
			places[c.PCI] = place{device, c.Readings.PCIe}
		}
	}
	return inv, l.bus(places)
}

// version is that of NVML without the CUDA version before it: "12.535.261.03"
// is 535.261.03. It can be asked even where the driver cannot be used.
func (l library) version() string {
	v, _ := ask(l, l.SystemGetNVMLVersion, "nvmlSystemGetNVMLVersion")
	_, v, _ = strings.Cut(v, ".")
	return version(v)
}

func (l library) driver() string {
	v, _ := ask(l, l.SystemGetDriverVersion, "nvmlSystemGetDriverVersion")
	return v
}

// cuda returns the CUDA version: 12040 is 12.4. The first form of the call
// answers for NVML itself, the second for the libcuda that is installed.
func (l library) cuda() string {
	v, ret := ask(l, l.SystemGetCudaDriverVersion_v2, "nvmlSystemGetCudaDriverVersion_v2")
	if ret == nvml.ERROR_FUNCTION_NOT_FOUND {
		v, ret = ask(l, l.SystemGetCudaDriverVersion, "nvmlSystemGetCudaDriverVersion")
	}
	if ret != nvml.SUCCESS {
		return ""
	}
	return cudaVersion(v)
}

// card describes the card in place i. What the driver does not say of it stays
// empty; any other error is the card's fault.
func (l library) card(i int) (c card, device nvml.Device) {
	device, ret := ask(l, func() (nvml.Device, nvml.Return) { return l.DeviceGetHandleByIndex(i) },
		"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex")
	if ret != nvml.SUCCESS {
		return card{Fault: l.fault(ret)}, nil
	}
	var rets [5]nvml.Return
	c.Name, rets[0] = ask(l, device.GetName, "nvmlDeviceGetName")
	c.UUID, rets[1] = ask(l, device.GetUUID, "nvmlDeviceGetUUID")
	c.Memory, rets[2] = ask(l, func() (uint64, nvml.Return) {
		m, ret := device.GetMemoryInfo()
		return m.Total, ret
	}, "nvmlDeviceGetMemoryInfo")
	c.Compute, rets[3] = ask(l, func() (string, nvml.Return) {
		major, minor, ret := device.GetCudaComputeCapability()
		return fmt.Sprintf("%d.%d", major, minor), ret
	}, "nvmlDeviceGetCudaComputeCapability")
	c.PCI, rets[4] = l.pci(device)
	for _, ret := range rets {
		if !tolerable(ret) {
			return card{Fault: l.fault(ret)}, nil
		}
	}
	c.FabricDown = l.fabricDown(device)
	rd := l.readings(device, c)
	if c.Readings, c.Parts = rd.r, rd.parts; rd.lost != nvml.SUCCESS {
		c.Fault = l.fault(rd.lost)
	}
	return c, device
}

// pci is where a card is on the bus, as [pciAt] writes it. The fields that tell
// are the same in all versions of the function.
func (l library) pci(device nvml.Device) (string, nvml.Return) {
	return ask(l, func() (string, nvml.Return) {
		p, ret := device.GetPciInfo()
		return pciAt(p.Domain, p.Bus, p.Device), ret
	}, "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo")
}

// fabricDown tells whether the card waits for the fabric manager of its
// NVSwitches, of which cards since Hopper know.
func (l library) fabricDown(device nvml.Device) bool {
	info, ret := ask(l, device.GetGpuFabricInfo, "nvmlDeviceGetGpuFabricInfo")
	return ret == nvml.SUCCESS && (info.State == nvml.GPU_FABRIC_STATE_NOT_STARTED || info.State == nvml.GPU_FABRIC_STATE_IN_PROGRESS)
}

// tolerable tells whether a call succeeded, or found that this is not known: not
// by this card, not by this driver, or not to this user (the memory of a card
// that is divided by MIG).
func tolerable(ret nvml.Return) bool {
	switch ret {
	case nvml.SUCCESS, nvml.ERROR_NOT_SUPPORTED, nvml.ERROR_FUNCTION_NOT_FOUND, nvml.ERROR_NO_PERMISSION:
		return true
	}
	return false
}

// fault returns what a return value of a loaded library means.
func (l library) fault(ret nvml.Return) *fault {
	words, missing := ask(l, func() (string, nvml.Return) { return l.ErrorString(ret), nvml.SUCCESS }, "nvmlErrorString")
	if missing != nvml.SUCCESS {
		words = fmt.Sprintf("NVML error %d", ret)
	}
	return nvmlFault(int(ret), words)
}
