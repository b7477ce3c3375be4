package verify

import (
	"cmp"
	"os"
	"runtime"

	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Describe returns the description of this machine for a report, under the label name.
func Describe(name string, gpu report.GPU) report.Machine {
	root := os.DirFS("/")
	return report.Machine{Name: name, OS: cmp.Or(system.OS(root), runtime.GOOS), Arch: runtime.GOARCH, CPU: system.CPU(root), GPU: gpu}
}
