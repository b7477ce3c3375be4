package gpu

import (
	"io/fs"
	"os"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A fault is why a machine, or a card, shows no usable GPU, in the words of
// package report.
type fault struct {
	Status string `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
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

// nvmlFault returns what a return value of NVML means; words are what NVML or
// nvidia-smi said.
func nvmlFault(value int, words string) *fault {
	switch value {
	case nvmlLibraryNotFound:
		return &fault{report.GPUNone, report.CodeNoLibrary, words}
	case nvmlDriverNotLoaded:
		if driverLoaded(os.DirFS("/")) {
			return &fault{report.GPUBroken, report.CodeNotLoaded, words}
		}
		return &fault{report.GPUNone, report.CodeNotLoaded, words}
	case nvmlNotFound, nvmlGPUNotFound:
		return &fault{report.GPUNone, report.CodeNoDevice, words}
	case nvmlVersionMismatch:
		return &fault{report.GPUBroken, report.CodeMismatch, words}
	case nvmlNoPermission, nvmlOperatingSystem:
		return &fault{report.GPUBroken, report.CodeNoPermission, words}
	case nvmlGPUIsLost:
		return &fault{report.GPUBroken, report.CodeLost, words}
	case nvmlResetRequired:
		return &fault{report.GPUBroken, report.CodeReset, words}
	}
	return &fault{report.GPUBroken, report.CodeDriverFailed, words}
}

// driverLoaded tells whether the kernel module is there after all, on the
// machine with the file system root. Both traces are needed: device files outlive the module, and a container without GPUs
// sees the /proc of a host that has some.
func driverLoaded(root fs.FS) bool {
	_, err := fs.Stat(root, "proc/driver/nvidia")
	nodes, _ := fs.Glob(root, "dev/nvidia*")
	return err == nil && len(nodes) > 0
}
