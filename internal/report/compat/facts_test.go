package compat

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

func TestFactsOfMachine(t *testing.T) {
	gpus := report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "NVIDIA A100-SXM4-80GB"}, {Name: "NVIDIA A100-SXM4-80GB"}}}
	machines := map[string]report.Machine{
		"lab": {Name: "lab", OS: "Ubuntu 24.04 LTS", Arch: "arm64", MemoryBytes: 64 << 30, Cores: 72, GPU: gpus, Answers: []report.Answer{
			{Ask: `has("cmake")`, Has: true}, {Ask: "nvcc", Has: true, Version: "12.4.131"}, {Ask: `python("numpy")`},
			{Env: "torch", Ask: `python("numpy")`, Has: true, Version: "1.26.4"},
			{Ask: "gpus", Has: true, Version: "8"}, {Ask: `has("a`, Has: true}, // not what a report of gpudocs has
		}},
		"one":   {Name: "one", Cores: 1, MemoryBytes: 1},
		"mac":   {Name: "mac", OS: "darwin", Arch: "arm64", GPU: report.GPU{Status: report.GPUNone}},
		"k80":   {Name: "k80", GPU: report.GPU{Status: report.GPUOk, Driver: "N/A", Devices: []report.Device{{Compute: "8.0"}, {Compute: "3.7"}}}},
		"rtx":   {Name: "rtx", GPU: report.GPU{Status: report.GPUOk, Driver: "N/A", Devices: []report.Device{{Compute: "8.9"}, {Compute: "12.0"}}}},
		"fermi": {Name: "fermi", GPU: report.GPU{Status: report.GPUOk, Driver: "N/A", Devices: []report.Device{{Name: "GeForce GTX 560 Ti", Compute: "2.1"}}}},
		"rubin": {Name: "rubin", GPU: report.GPU{Status: report.GPUOk, Driver: "N/A", Devices: []report.Device{{Compute: "10.7"}}}},
		"igx":   {Name: "igx", GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Name: "Orin (nvgpu)", Compute: "8.7"}, {Compute: "8.9"}}}},
		"old":   {Name: "old", GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{}}}},
	}
	for _, tt := range []struct {
		machine, env, source string
		met                  bool
	}{
		{"lab", "", `machine == lab and os == linux and os == "ubuntu*" and arch == aarch64 and ram >= 64 GiB and cores == 72`, true},
		{"lab", "", `gpu == "A100*" and gpu == "NVIDIA A100*" and gpus == 2`, true},
		{"lab", "", `has("cmake") and nvcc >= 12.4 and not python("numpy")`, true},
		{"lab", "torch", `python("numpy") >= 1.26`, true},
		{"lab", "torch", `has("cmake") or not has("cmake")`, false},
		{"lab", "", `has("a")`, false},
		{"one", "", `cores == 1 and cores < 2 and ram == 1 B`, true},
		{"mac", "", `os == macos and os == darwin and os != linux`, true},
		{"mac", "", `ram >= 1 B or cores >= 0 or gpu != x or has("cmake")`, false},
		{"k80", "", `driver < 471 and not driver >= 535 and not cuda > 11.4`, true},
		{"k80", "", `driver >= 470 or driver < 470 or driver == 470 or driver != 470.1 or cuda >= 11.4`, false},
		{"rtx", "", `driver >= 570 and driver > 569.99 and not driver < 535 and driver != 535 and cuda >= 12.8`, true},
		{"rtx", "", `driver >= 570.26 or driver < 571 or driver == 580 or driver != 580 or cuda >= 12.9`, false},
		{"igx", "", `driver >= 450 or cuda >= 11.0`, false}, // drivers of boards have other numbers
		{"fermi", "", `driver < 391 and cuda <= 9.1 and not driver >= 470`, true},
		{"fermi", "", `driver >= 390 or driver < 390 or cuda >= 9.1`, false},
		{"rubin", "", `driver >= 418 or driver >= 590 or cuda >= 13.4`, false}, // no driver is named for the first toolkit with code for it
		{"old", "", `os != x or arch != x or gpu != x or ram >= 1 B`, false},
	} {
		e, err := ask.Parse(tt.source)
		if err != nil {
			t.Fatal(err)
		}
		if v := e.Judge(Facts(machines[tt.machine], tt.env)); v.Met() != tt.met {
			t.Errorf("%s in %q: %s: %+v", tt.machine, tt.env, tt.source, v)
		}
	}
}

func TestLastDriver(t *testing.T) {
	for need, want := range map[string]string{"driver >= 525.60.13": "470 k", "cuda >= 12": "470 k", "not driver < 535": "470 k", "driver >= 470.82.01": "", "driver >= 475.14": "", "driver < 400": "", "gpus >= 4": "", "x": "", "": "", "no-gpu)": ""} {
		g := report.GPU{Status: report.GPUOk, Driver: "460.106.00", CUDA: "11.2", Devices: []report.Device{{Name: "a", Compute: "8.0"}, {Name: "k", Compute: "3.7"}}}
		last, gpu := LastDriver(g, need)
		if got := strings.TrimSpace(last + " " + gpu); got != want {
			t.Errorf("%s: %q, want %q", need, got, want)
		}
		g.Devices = g.Devices[:1]
		if last, gpu := LastDriver(g, need); last+gpu != "" {
			t.Errorf("%s without the old GPU: %s %s", need, last, gpu)
		}
	}
}

func TestLast(t *testing.T) {
	for compute, want := range map[string]string{"3.5": "", "3.7": "2.3 b", "6.1": "2.14 b", "8.0": "", "12.0": "", "": ""} {
		g := report.GPU{Devices: []report.Device{{Name: "a", Compute: "8.0"}, {Name: "b", Compute: compute}}}
		version, gpu := Last(g, "torch")
		if got := strings.TrimSpace(version + " " + gpu); got != want {
			t.Errorf("compute %s: %q, want %q", compute, got, want)
		}
	}
}
