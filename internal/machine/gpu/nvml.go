//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A library is NVML, loaded or not. A function that it does not have returns
// ERROR_FUNCTION_NOT_FOUND: see [bindNVML].
type library struct{ nvml.Interface }

// orZero returns what a call of NVML returned, and the zero value if it failed.
func orZero[T any](v T, ret nvml.Return) (T, nvml.Return) {
	if ret != nvml.SUCCESS {
		var none T
		return none, ret
	}
	return v, ret
}

// newLibrary is the only way to get a library: without bindNVML it has no functions.
func newLibrary() library {
	bindNVML()
	return library{nvml.New()}
}

// askNVML returns the inventory of NVML in this process, and a bus, or nil, for later
// calls. It calls alive after each GPU.
func askNVML(alive func()) (inventory, *bus) {
	l := newLibrary()
	switch ret := l.Init(); ret {
	case nvml.SUCCESS:
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		// There was no answer, so there is no source, and nothing may be called.
		return inventory{Fault: nvmlFault(int(ret), "")}, nil
	default:
		return inventory{Source: report.SourceNVML, Library: l.version(), Fault: l.fault(ret)}, nil
	}
	inv := inventory{Source: report.SourceNVML, Driver: l.driver(), CUDA: l.cuda(), Library: l.version()}
	count, ret := orZero(l.DeviceGetCount())
	if ret != nvml.SUCCESS {
		inv.Fault = l.fault(ret)
		return inv, nil
	}
	places := places{}
	for i := range min(count, maxDevices) {
		alive()
		c, device := l.gpu(i)
		inv.GPUs = append(inv.GPUs, c)
		if c.Fault == nil && c.PCI != "" {
			places[c.PCI] = place{device, c.Readings.PCIe}
		}
	}
	return inv, l.bus(places)
}

// version returns the version of NVML without the CUDA version: "12.535.261.03" is
// 535.261.03. It is known even if the driver does not work.
func (l library) version() string {
	v, _ := orZero(l.SystemGetNVMLVersion())
	_, v, _ = strings.Cut(v, ".")
	return version(v)
}

func (l library) driver() string {
	v, _ := orZero(l.SystemGetDriverVersion())
	return v
}

// cuda returns the CUDA version: 12040 is 12.4. The first form of the call reports
// NVML's, the second that of the installed libcuda.
func (l library) cuda() string {
	v, ret := l.SystemGetCudaDriverVersion_v2()
	if ret == nvml.ERROR_FUNCTION_NOT_FOUND {
		v, ret = l.SystemGetCudaDriverVersion()
	}
	if ret != nvml.SUCCESS {
		return ""
	}
	return cudaVersion(v)
}

// gpu describes GPU i. Values that the driver does not have are empty; any other error
// is a fault of the GPU.
func (l library) gpu(i int) (c gpuInfo, device nvml.Device) {
	device, ret := l.DeviceGetHandleByIndex(i)
	if ret != nvml.SUCCESS {
		return gpuInfo{Fault: l.fault(ret)}, nil
	}
	var rets [5]nvml.Return
	c.Name, rets[0] = orZero(device.GetName())
	c.UUID, rets[1] = orZero(device.GetUUID())
	memory, ret := orZero(device.GetMemoryInfo())
	c.Memory, rets[2] = memory.Total, ret
	c.Denied = rets[2] == nvml.ERROR_NO_PERMISSION
	major, minor, ret := device.GetCudaComputeCapability()
	c.Compute, rets[3] = orZero(fmt.Sprintf("%d.%d", major, minor), ret)
	c.PCI, rets[4] = l.pci(device)
	for _, ret := range rets {
		if !tolerable(ret) {
			return gpuInfo{Fault: l.fault(ret)}, nil
		}
	}
	c.FabricDown = l.fabricDown(device)
	rd := l.readings(device, c)
	if c.Readings, c.Parts = rd.r, rd.parts; rd.lost != nvml.SUCCESS {
		c.Fault = l.fault(rd.lost)
	}
	return c, device
}

// pci returns the PCI address of a GPU in the format of [pciAt]. The fields that it
// uses are the same in all versions of the function.
func (l library) pci(device nvml.Device) (string, nvml.Return) {
	p, ret := device.GetPciInfo()
	return orZero(pciAt(p.Domain, p.Bus, p.Device), ret)
}

// fabricDown reports whether the GPU waits for the fabric manager of its NVSwitches,
// which GPUs since Hopper report.
func (l library) fabricDown(device nvml.Device) bool {
	info, ret := device.GetGpuFabricInfo()
	return ret == nvml.SUCCESS && (info.State == nvml.GPU_FABRIC_STATE_NOT_STARTED || info.State == nvml.GPU_FABRIC_STATE_IN_PROGRESS)
}

// tolerable reports whether a call succeeded, or failed because the value is not
// available: for this GPU, this driver, or this user (the memory of a GPU that is
// divided by MIG).
func tolerable(ret nvml.Return) bool {
	switch ret {
	case nvml.SUCCESS, nvml.ERROR_NOT_SUPPORTED, nvml.ERROR_FUNCTION_NOT_FOUND, nvml.ERROR_NO_PERMISSION:
		return true
	}
	return false
}

// fault returns the fault of a return value of a loaded library.
func (l library) fault(ret nvml.Return) *fault {
	words := ""
	if l.Extensions().LookupSymbol("nvmlErrorString") == nil { // what it returns is a pointer
		words = l.ErrorString(ret)
	}
	return nvmlFault(int(ret), cmp.Or(words, fmt.Sprintf("NVML error %d", ret)))
}
