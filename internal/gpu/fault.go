package gpu

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A fault is why a machine, or a card, shows no usable GPU, in the words of
// package report.
type fault struct {
	Status string `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	// Value is NVML's return value, 0 where it is not NVML's fault.
	Value int `json:"value,omitempty"`
}

// addTo says in g what went wrong; a nil fault leaves it alone.
func (f *fault) addTo(g report.GPU) report.GPU {
	if f != nil {
		g.Status, g.Code, g.Detail = f.Status, f.Code, clean(anonymous(f.Detail), maxDetail)
	}
	return g
}

// Return values of NVML that mean something to us, from nvml.h. They are here
// and not taken from go-nvml because nvidia-smi exits with them too, where
// go-nvml cannot be built.
const (
	nvmlNoPermission    = 4
	nvmlNotFound        = 6
	nvmlDriverNotLoaded = 9
	nvmlLibraryNotFound = 12
	nvmlGPUIsLost       = 15
	nvmlResetRequired   = 16
	nvmlOperatingSystem = 17 // "blocked by the operating system/cgroups"
	nvmlVersionMismatch = 18
	nvmlGPUNotFound     = 28
	nvmlUnknown         = 999
)

// nvmlFaults are what they mean; each other value is an error of the driver.
var nvmlFaults = map[int]struct{ status, code string }{
	nvmlLibraryNotFound: {report.GPUNone, report.CodeNoLibrary},
	nvmlDriverNotLoaded: {report.GPUNone, report.CodeNotLoaded},
	nvmlNotFound:        {report.GPUNone, report.CodeNoDevice},
	nvmlGPUNotFound:     {report.GPUNone, report.CodeNoDevice},
	nvmlVersionMismatch: {report.GPUBroken, report.CodeMismatch},
	nvmlNoPermission:    {report.GPUBroken, report.CodeNoPermission},
	nvmlOperatingSystem: {report.GPUBroken, report.CodeNoPermission},
	nvmlGPUIsLost:       {report.GPUBroken, report.CodeLost},
	nvmlResetRequired:   {report.GPUBroken, report.CodeReset},
}

// nvmlFault returns what a return value of NVML means; words are what NVML or
// nvidia-smi said. [host.explain] knows more of faults of the whole driver.
func nvmlFault(value int, words string) *fault {
	f, ok := nvmlFaults[value]
	if !ok {
		f.status, f.code = report.GPUBroken, report.CodeDriverFailed
	}
	return &fault{f.status, f.code, words, value}
}

// explain returns what a fault of the whole driver means on a machine: the driver
// itself cannot tell a container from a broken driver. Module and library are the versions
// of the kernel module and of NVML, where they are known.
func (h host) explain(f *fault, library string) *fault {
	if f == nil {
		return nil
	}
	in, module := h.container(), h.moduleVersion()
	noLibrary := f.Code == report.CodeNoLibrary || f.Code == report.CodeUnsupported // or nobody who can look for one
	silent := f.Value != 0 && (f.Code == report.CodeNotLoaded || f.Code == report.CodeNoPermission || f.Code == report.CodeDriverFailed)
	e := *f
	switch {
	case h.wsl() && (noLibrary || silent):
		// There is no kernel module in WSL2, so every such fault is that of Windows' driver.
		e.Code = report.CodeWSL
	case in != "" && silent && h.forbidden():
		// The host's control group has lost the devices, for one when systemd reads its units
		// again: https://github.com/NVIDIA/nvidia-container-toolkit/issues/48.
		e.Status, e.Code = report.GPUBroken, report.CodeContainer
	case in != "" && module != "" && (noLibrary || silent) && !h.has("dev/nvidiactl"):
		// The host's driver is loaded, and nothing of it was handed in.
		e.Status, e.Code = report.GPUNone, report.CodeNotGiven
	case f.Code == report.CodeNotLoaded && h.driverLoaded():
		e.Status = report.GPUBroken
	case f.Code == report.CodeDriverFailed && h.offBus() > 0:
		e.Code = report.CodeLost
	case f.Code == report.CodeMismatch && module != "" && library != "" && module != library:
		e.Detail += ": the loaded kernel module is " + module + ", the installed library " + library
	}
	return &e
}

// driverLoaded tells whether the kernel module is there after all. Both traces
// are needed: device files outlive the module, and a container without GPUs
// sees the /proc of a host that has some.
func (h host) driverLoaded() bool {
	nodes, _ := fs.Glob(h.root, "dev/nvidia*")
	return h.has("proc/driver/nvidia") && len(nodes) > 0
}
