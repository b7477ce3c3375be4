//go:build !(linux && cgo)

package gpu

import (
	"runtime"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askNVML returns why NVML is not available: go-nvml needs cgo, and is used on Linux
// only.
func askNVML(func()) (inventory, *bus) {
	return inventory{Fault: &fault{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: whyNot()}}, nil
}

func whyNot() string {
	switch runtime.GOOS {
	case "darwin":
		return "macOS has no NVIDIA driver"
	case "linux":
		return "this gpudocs was built without cgo and cannot load libnvidia-ml.so.1"
	}
	return "gpudocs can ask NVML on Linux only"
}
