//go:build !(linux && cgo)

package gpu

import (
	"runtime"

	"github.com/gpudocs/gpudocs/internal/report"
)

const haveNVML = false

// askNVML answers for a program that cannot ask: go-nvml needs cgo, and is used
// with the library of Linux only.
func askNVML() inventory {
	return inventory{Fault: &fault{report.GPUNone, report.CodeUnsupported, whyNot()}}
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
