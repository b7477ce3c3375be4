//go:build linux && cgo

package gpu

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A library is NVML, loaded or not. Calling a function that it does not have ends the
// process, so all calls are made through [call].
type library struct{ nvml.Interface }

// call makes a call if the library has one of the functions that go-nvml uses for it. A
// failed call returns the zero value.
func call[T any](l library, function func() (T, nvml.Return), functions ...string) (T, nvml.Return) {
	var none T
	for _, f := range functions {
		if l.Extensions().LookupSymbol(f) != nil {
			continue
		}
		v, ret := function()
		if ret != nvml.SUCCESS {
			return none, ret
		}
		return v, ret
	}
	return none, nvml.ERROR_FUNCTION_NOT_FOUND
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
	count, ret := call(l, l.DeviceGetCount, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount")
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
	v, _ := call(l, l.SystemGetNVMLVersion, "nvmlSystemGetNVMLVersion")
	_, v, _ = strings.Cut(v, ".")
	return version(v)
}

func (l library) driver() string {
	v, _ := call(l, l.SystemGetDriverVersion, "nvmlSystemGetDriverVersion")
	return v
}

// cuda returns the CUDA version: 12040 is 12.4. The first form of the call reports
// NVML's, the second that of the installed libcuda.
func (l library) cuda() string {
	v, ret := call(l, l.SystemGetCudaDriverVersion_v2, "nvmlSystemGetCudaDriverVersion_v2")
	if ret == nvml.ERROR_FUNCTION_NOT_FOUND {
		v, ret = call(l, l.SystemGetCudaDriverVersion, "nvmlSystemGetCudaDriverVersion")
	}
	if ret != nvml.SUCCESS {
		return ""
	}
	return cudaVersion(v)
}

// gpu describes GPU i. Values that the driver does not have are empty; any other error
// is a fault of the GPU.
func (l library) gpu(i int) (c gpuInfo, device nvml.Device) {
	device, ret := call(l, func() (nvml.Device, nvml.Return) { return l.DeviceGetHandleByIndex(i) },
		"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex")
	if ret != nvml.SUCCESS {
		return gpuInfo{Fault: l.fault(ret)}, nil
	}
	var rets [5]nvml.Return
	c.Name, rets[0] = call(l, device.GetName, "nvmlDeviceGetName")
	c.UUID, rets[1] = call(l, device.GetUUID, "nvmlDeviceGetUUID")
	c.Memory, rets[2] = call(l, func() (uint64, nvml.Return) {
		m, ret := device.GetMemoryInfo()
		return m.Total, ret
	}, "nvmlDeviceGetMemoryInfo")
	c.Denied = rets[2] == nvml.ERROR_NO_PERMISSION
	c.Compute, rets[3] = call(l, func() (string, nvml.Return) {
		major, minor, ret := device.GetCudaComputeCapability()
		return fmt.Sprintf("%d.%d", major, minor), ret
	}, "nvmlDeviceGetCudaComputeCapability")
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
	return call(l, func() (string, nvml.Return) {
		p, ret := device.GetPciInfo()
		return pciAt(p.Domain, p.Bus, p.Device), ret
	}, "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo")
}

// fabricDown reports whether the GPU waits for the fabric manager of its NVSwitches,
// which GPUs since Hopper report.
func (l library) fabricDown(device nvml.Device) bool {
	info, ret := call(l, device.GetGpuFabricInfo, "nvmlDeviceGetGpuFabricInfo")
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
	words, _ := call(l, func() (string, nvml.Return) { return l.ErrorString(ret), nvml.SUCCESS }, "nvmlErrorString")
	return nvmlFault(int(ret), cmp.Or(words, fmt.Sprintf("NVML error %d", ret)))
}
