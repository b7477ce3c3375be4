package words

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

func TestGPUFacts(t *testing.T) {
	one, two := 1, 2
	gpus := []report.Device{{Name: "A"}, {Name: "A"}}
	for _, tt := range []struct {
		gpu  report.GPU
		want string
	}{
		{report.GPU{Status: report.GPUOk, Driver: "550.54.14", CUDA: "12.4", Devices: gpus}, "2 x A, driver 550.54.14, CUDA 12.4"},
		{report.GPU{Status: report.GPUOk, Driver: "470.1", CUDA: "12.4", Compat: "12.4", Platform: "docker", Devices: gpus},
			"2 x A, driver 470.1, CUDA 12.4 by a compatibility package, in docker"},
		{report.GPU{Status: report.GPUOk, Driver: "1", Devices: gpus, Counts: &report.Counts{NVML: &two, CUDA: &one, Why: report.DifferVisible}},
			"2 x A, driver 1, CUDA sees 1 of 2 (visible-devices)"},
		{report.GPU{Status: report.GPUOk, Driver: "1", Devices: gpus, Counts: &report.Counts{NVML: &two, Why: report.DifferCUDA, Detail: "cuInit: 999"}},
			"2 x A, driver 1, CUDA cannot be used: cuInit: 999"},
		{report.GPU{Status: report.GPUBroken, Code: report.CodeFabric, Driver: "1", CUDA: "12.8", Devices: gpus},
			"2 x A, driver 1, CUDA 12.8, the GPU driver cannot be used: CUDA waits for the fabric of the NVSwitches"},
		{report.GPU{Status: report.GPUBroken, Code: report.CodeMismatch}, "the GPU driver cannot be used: the driver was updated while it was running"},
		{report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary, Platform: "docker"}, "no GPU (the NVIDIA driver is not installed)"},
		{report.GPU{Status: report.GPUNone, Code: report.CodeNotReached}, "never reached"},
	} {
		if got := strings.Join(gpuFacts(English(), tt.gpu), ", "); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
