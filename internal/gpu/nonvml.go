//go:build !(linux && cgo)

package gpu

import (
	"runtime"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askNVML answers for a program that cannot ask: go-nvml needs cgo, and is used
// with the library of Linux only.
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
