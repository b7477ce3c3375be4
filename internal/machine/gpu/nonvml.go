//go:build !(linux && cgo && (amd64 || arm64))

package gpu

import (
	"runtime"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askNVML returns why NVML is not available: go-nvml needs cgo and Linux, and gpudocs a CPU for
// which nvml_linux.S has code.
func askNVML(func()) (inventory, *bus) {
	why := "gpudocs can ask NVML on Linux only"
	switch runtime.GOOS {
	case "darwin":
		why = "macOS has no NVIDIA driver"
	case "linux":
		why = "this gpudocs cannot load libnvidia-ml.so.1: it was built without cgo, or for a CPU without NVML"
	}
	return inventory{Fault: noGPU(report.CodeUnsupported, why)}, nil
}

// A Sampler reads the current clocks and power of one GPU with NVML, which this program
// cannot load.
type Sampler struct{}

// NewSampler returns nil.
func NewSampler(string) *Sampler { return nil }

// Sample is never called.
func (s *Sampler) Sample() *report.Readings { return blank() }
