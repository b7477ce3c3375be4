package gpu

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A fault is why a machine or a GPU is not usable, with codes of package report.
type fault struct {
	Status string `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	// Value is NVML's return value, 0 if it is not NVML's fault.
	Value int `json:"value,omitempty"`
}

func brokenGPU(code, detail string) *fault {
	return &fault{Status: report.GPUBroken, Code: code, Detail: detail}
}

func noGPU(code, detail string) *fault {
	return &fault{Status: report.GPUNone, Code: code, Detail: detail}
}

// addTo sets the fault in g. A nil fault changes nothing.
func (f *fault) addTo(g report.GPU) report.GPU {
	if f != nil {
		g.Status, g.Code, g.Detail = f.Status, f.Code, Redact(f.Detail)
	}
	return g
}

// Return values of NVML, from nvml.h. They are not taken from go-nvml because
// nvidia-smi exits with them too, on systems where go-nvml cannot be built.
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

// nvmlFaults maps return values to faults. Any other value is an error of the driver.
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

// nvmlFault returns the fault of a return value of NVML. words is the message of NVML
// or nvidia-smi. [host.explain] refines faults of the whole driver.
func nvmlFault(value int, words string) *fault {
	f, ok := nvmlFaults[value]
	if !ok {
		f.status, f.code = report.GPUBroken, report.CodeDriverFailed
	}
	return &fault{f.status, f.code, words, value}
}

// explain refines a fault of the whole driver with facts of the machine: the driver
// itself cannot distinguish a container from a broken driver. module and library are
// the versions of the kernel module and of NVML, if known.
func (h host) explain(f *fault, library string) *fault {
	if f == nil {
		return nil
	}
	in, module := h.container(), h.moduleVersion()
	noLibrary := f.Code == report.CodeNoLibrary || f.Code == report.CodeUnsupported // or it cannot be looked for
	silent := f.Value != 0 && (f.Code == report.CodeNotLoaded || f.Code == report.CodeNoPermission || f.Code == report.CodeDriverFailed)
	e := *f
	switch {
	case h.wsl() && (noLibrary || silent):
		// There is no kernel module in WSL2, so every such fault comes from the Windows
		// driver.
		e.Code = report.CodeWSL
	case in != "" && silent && h.forbidden():
		// The host's control group has lost the devices, for example after systemd has
		// reloaded its units:
		// https://github.com/NVIDIA/nvidia-container-toolkit/issues/48.
		e.Status, e.Code = report.GPUBroken, report.CodeContainer
	case in != "" && module != "" && (noLibrary || silent) && !h.has("dev/nvidiactl"):
		// The host's driver is loaded, but the container got none of it.
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

// driverLoaded reports whether the kernel module is loaded after all. Both traces are
// needed: device files outlive the module, and a container without GPUs sees the /proc
// of its host.
func (h host) driverLoaded() bool {
	nodes, _ := fs.Glob(h.root, "dev/nvidia*")
	return h.has("proc/driver/nvidia") && len(nodes) > 0
}
