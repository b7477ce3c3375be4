package compat

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// gpus returns a machine: "460.91.03 11.2", then GPUs as "GeForce GTX 1080 Ti 6.1".
func gpus(driver string, cards ...string) report.Machine {
	version, cuda, _ := strings.Cut(driver, " ")
	g := report.GPU{Status: report.GPUOk, Driver: version, CUDA: cuda}
	for _, c := range cards {
		at := strings.LastIndex(c, " ")
		g.Devices = append(g.Devices, report.Device{Name: c[:at], Compute: c[at+1:]})
	}
	return report.Machine{Name: "lab", OS: "Debian GNU/Linux 12", Arch: "amd64", GPU: g}
}

var one = 1

// counting returns a machine where CUDA counts so many GPUs, or fails to count.
func counting(m report.Machine, why string, n *int) report.Machine {
	m.GPU.Counts = &report.Counts{NVML: &one, CUDA: n, Why: why}
	return m
}

func none(code string) report.Machine {
	return report.Machine{GPU: report.GPU{Status: report.GPUNone, Code: code}}
}

func broken(code string) report.Machine {
	return report.Machine{GPU: report.GPU{Status: report.GPUBroken, Code: code, Driver: "535.54"}}
}

func holding(m report.Machine, frameworks ...report.Framework) report.Machine {
	m.Environments = []report.Environment{{Name: "other", Frameworks: []report.Framework{{Name: "torch", Version: "1.0.0+cpu", CPUOnly: true}}}, {Frameworks: frameworks}}
	return m
}

func torch(version, cuda string) report.Framework {
	return report.Framework{Name: "torch", Version: version, CUDA: cuda}
}

func compatPackage(m report.Machine, cuda string) report.Machine {
	m.GPU.Compat, m.GPU.CUDA = cuda, cuda
	return m
}

func on(m report.Machine, platform, os, arch string) report.Machine {
	m.GPU.Platform, m.OS, m.Arch = platform, os, arch
	return m
}

const (
	gtx1080   = "GeForce GTX 1080 Ti 6.1"
	rtx3090   = "GeForce RTX 3090 8.6"
	rtx5090   = "NVIDIA GeForce RTX 5090 12.0"
	a100      = "NVIDIA A100-SXM4-40GB 8.0"
	h100      = "NVIDIA H100 80GB HBM3 9.0"
	v100      = "Tesla V100-SXM2-16GB 7.0"
	k80       = "Tesla K80 3.7"
	rtxA6000  = "NVIDIA RTX A6000 8.6"
	orin      = "Orin (nvgpu) 8.7"
	b200      = "NVIDIA B200 10.0"
	unknownGP = "NVIDIA Graphics Device "
)

// verdicts are real combinations, each with the source of its answer:
//
//	[drivers] CUDA Toolkit Release Notes, "CUDA Toolkit and Corresponding Driver Versions"
//	[minor]   the same, "Minimum Required Driver Version for CUDA Minor Version Compatibility"
//	[forward] CUDA Compatibility, "Forward Compatibility"
//	[nvcc]    nvcc's manual, "GPU Feature List", and the notes' "Deprecated or Dropped Features"
//	[guide]   CUDA C++ Programming Guide, "Binary Compatibility" and "PTX Compatibility"
//	[torch], [tf], [jax], [cudnn]  the sources of builds.go
var verdicts = []struct {
	name    string
	machine report.Machine
	what    string
	want    string // answer by, then the numbers
}{
	// The case for which this package was written: a lab machine with an old driver.
	{"[drivers] [minor]", gpus("460.91.03 11.2", gtx1080, rtx3090), "cu124", "no driver: driver 460.91.03, CUDA 11.2; needs 550.54.14, minor 525.60.13"},
	{"[drivers]", gpus("460.91.03 11.2", gtx1080, rtx3090), "cu112", "yes driver: driver 460.91.03, CUDA 11.2; needs 460.27.03, minor 450.80.02"},
	{"[drivers] the last digit", gpus("550.54.13 12.3", rtx3090), "cu124", "minor driver: driver 550.54.13, CUDA 12.3; needs 550.54.14, minor 525.60.13"},
	{"[drivers]", gpus("550.54.14 12.4", rtx3090), "cu124", "yes driver: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"[drivers] by part, not by text", gpus("550.100 12.4", rtx3090), "cu124", "yes driver: driver 550.100, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"[drivers] by part, not by text", gpus("460.106.00 11.2", rtx3090), "cu112", "yes driver: driver 460.106.00, CUDA 11.2; needs 460.27.03, minor 450.80.02"},
	{"[minor]", gpus("460.91.03 11.2", rtx3090), "cu118", "minor driver: driver 460.91.03, CUDA 11.2; needs 520.61.05, minor 450.80.02"},
	{"[minor] below its floor", gpus("450.51.06 11.0", a100), "cu118", "no driver: driver 450.51.06, CUDA 11.0; needs 520.61.05, minor 450.80.02"},
	{"[drivers] where the floor is above the release", gpus("450.51.06 11.0", a100), "cu110", "yes driver: driver 450.51.06, CUDA 11.0; needs 450.51.05"},
	{"[minor]", gpus("525.60.13 12.0", h100), "cu129", "minor driver: driver 525.60.13, CUDA 12.0; needs 575.51.03, minor 525.60.13"},
	{"[minor] 12.0 is its own floor", gpus("520.61.05 11.8", h100), "cu120", "no driver: driver 520.61.05, CUDA 11.8; needs 525.60.13"},
	{"[minor]", gpus("580.65.06 13.0", b200), "cu132", "minor driver: driver 580.65.06, CUDA 13.0; needs 595.45.04, minor 580.65.06"},
	{"[minor]", gpus("575.57.08 12.9", b200), "cu132", "no driver: driver 575.57.08, CUDA 12.9; needs 595.45.04, minor 580.65.06"},
	{"[minor] none for 10.x", gpus("418.40.04 10.1", v100), "cu102", "no driver: driver 418.40.04, CUDA 10.1; needs 440.33"},
	{"[drivers] an old toolkit on a new driver", gpus("610.43.02 13.3", h100), "cu118", "yes driver: driver 610.43.02, CUDA 13.3; needs 520.61.05, minor 450.80.02"},
	{"[drivers] 12.7 was never released", gpus("565.57.01 12.7", h100), "cu127", "yes driver: driver 565.57.01, CUDA 12.7; minor 525.60.13"},
	{"[drivers] 12.7 was never released", gpus("550.54.14 12.4", h100), "cu127", "minor driver: driver 550.54.14, CUDA 12.4; minor 525.60.13"},
	{"[drivers] 13.4 came without a driver", gpus("615.71.09 13.4", h100), "cu134", "yes driver: driver 615.71.09, CUDA 13.4; minor 580.65.06"},
	{"[drivers] 13.4 came without a driver", gpus("610.43.02 13.3", h100), "cu134", "minor driver: driver 610.43.02, CUDA 13.3; minor 580.65.06"},
	{"[minor] a release to come of a known family", gpus("595.45.04 13.2", h100), "cu139", "minor driver: driver 595.45.04, CUDA 13.2; minor 580.65.06"},
	{"[minor] a release to come of a known family", gpus("640.10.01 13.9", h100), "cu139", "yes driver: driver 640.10.01, CUDA 13.9; minor 580.65.06"},
	{"[minor] a release to come of a known family", gpus("550.54.14 12.4", h100), "cu139", "no driver: driver 550.54.14, CUDA 12.4; minor 580.65.06"},
	{"a family to come", gpus("640.10.01 14.0", h100), "cu140", "unknown toolkit: driver 640.10.01, CUDA 14.0"},

	// GPUs.
	{"[nvcc] Kepler went with 12.0", gpus("470.256.02 11.4", k80), "cu121", "no compute: driver 470.256.02, CUDA 11.4; needs 530.30.02, minor 525.60.13; Tesla K80 3.7 of 5.0-9.0"},
	{"[nvcc]", gpus("470.256.02 11.4", k80), "cu118", "minor driver: driver 470.256.02, CUDA 11.4; needs 520.61.05, minor 450.80.02"},
	{"[nvcc] Pascal went with 13.0", gpus("580.65.06 13.0", gtx1080), "cu130", "no compute: driver 580.65.06, CUDA 13.0; needs 580.65.06; GeForce GTX 1080 Ti 6.1 of 7.5-12.1"},
	{"[nvcc] Volta went with 13.0", gpus("580.65.06 13.0", v100), "cu130", "no compute: driver 580.65.06, CUDA 13.0; needs 580.65.06; Tesla V100-SXM2-16GB 7.0 of 7.5-12.1"},
	{"[nvcc] [guide] only PTX of 12.4 runs on Blackwell", gpus("570.86.15 12.8", rtx5090), "cu124", "unknown compute: driver 570.86.15, CUDA 12.8; needs 550.54.14, minor 525.60.13; NVIDIA GeForce RTX 5090 12.0 of 5.0-9.0"},
	{"[nvcc]", gpus("570.86.15 12.8", rtx5090), "cu128", "yes driver: driver 570.86.15, CUDA 12.8; needs 570.26, minor 525.60.13"},
	{"[guide] code for 8.0 runs on 8.6", gpus("450.80.02 11.0", rtx3090), "cu110", "yes driver: driver 450.80.02, CUDA 11.0; needs 450.51.05"},
	{"[nvcc] the worst card of the machine", gpus("580.65.06 13.0", h100, gtx1080), "cu130", "no compute: driver 580.65.06, CUDA 13.0; needs 580.65.06; GeForce GTX 1080 Ti 6.1 of 7.5-12.1"},
	{"the GPU's compute capability is unknown", gpus("550.54.14 12.4", unknownGP), "cu124", "unknown compute: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13; NVIDIA Graphics Device  of 5.0-9.0"},
	{"the driver alone says no", gpus("460.91.03 11.2", unknownGP), "cu124", "no driver: driver 460.91.03, CUDA 11.2; needs 550.54.14, minor 525.60.13"},

	// Forward compatibility.
	{"[forward]", compatPackage(gpus("470.57.02 11.4", a100), "12.4"), "cu124", "forward driver: driver 470.57.02, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"[forward] a package of the family", compatPackage(gpus("470.57.02 11.4", a100), "12.2"), "cu124", "forward driver: driver 470.57.02, CUDA 12.2; needs 550.54.14, minor 525.60.13"},
	{"[forward] the package is too old", compatPackage(gpus("470.57.02 11.4", a100), "11.8"), "cu124", "no driver: driver 470.57.02; needs 550.54.14, minor 525.60.13"},
	{"[forward] not for GeForce", compatPackage(gpus("460.91.03 11.2", rtx3090), "12.4"), "cu124", "no forward: driver 460.91.03, CUDA 12.4; needs 550.54.14, minor 525.60.13; GeForce RTX 3090"},
	{"[forward] not for this branch", compatPackage(gpus("460.106.00 11.2", a100), "12.4"), "cu124", "no forward: driver 460.106.00, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"[forward] nor for this one from 12.3", compatPackage(gpus("450.191.01 11.0", a100), "12.4"), "cu124", "no forward: driver 450.191.01, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"[forward] nor for this one from 12.3", compatPackage(gpus("510.47.03 11.6", a100), "12.3"), "cu123", "no forward: driver 510.47.03, CUDA 12.3; needs 545.23.06, minor 525.60.13"},
	{"[forward] up to 12.2", compatPackage(gpus("450.191.01 11.0", a100), "12.2"), "cu122", "forward driver: driver 450.191.01, CUDA 12.2; needs 535.54.03, minor 525.60.13"},
	{"[forward] packages of 11 are for every branch", compatPackage(gpus("418.226.00 10.1", v100), "11.8"), "cu118", "forward driver: driver 418.226.00, CUDA 11.8; needs 520.61.05, minor 450.80.02"},
	{"[forward] select RTX cards", compatPackage(gpus("470.57.02 11.4", rtxA6000), "12.4"), "cu124", "unknown forward: driver 470.57.02, CUDA 12.4; needs 550.54.14, minor 525.60.13; NVIDIA RTX A6000"},
	{"[forward] no need of it", compatPackage(gpus("550.54.14 12.4", rtx3090), "12.4"), "cu124", "yes driver: driver 550.54.14; needs 550.54.14, minor 525.60.13"},
	{"[forward] one GeForce beside it", compatPackage(gpus("470.57.02 11.4", a100, rtx3090), "12.4"), "cu124", "no forward: driver 470.57.02, CUDA 12.4; needs 550.54.14, minor 525.60.13; GeForce RTX 3090"},

	// Windows, WSL2, Jetson, unusual drivers.
	{"[drivers] the driver of Windows", on(gpus("551.61 12.4", rtx3090), report.PlatformWSL2, "Ubuntu 22.04", "amd64"), "cu124", "yes driver: driver 551.61, CUDA 12.4; needs 551.61, minor 528.33"},
	{"[minor] the driver of Windows", on(gpus("551.23 12.4", rtx3090), report.PlatformWSL2, "Ubuntu 22.04", "amd64"), "cu124", "minor driver: driver 551.23, CUDA 12.4; needs 551.61, minor 528.33"},
	{"[minor] 527.41 is 12.0's and below the floor", on(gpus("527.41 12.0", rtx3090), "", "windows", "amd64"), "cu120", "yes driver: driver 527.41, CUDA 12.0; needs 527.41"},
	{"[drivers] no number for Windows", on(gpus("591.44 13.1", rtx3090), "", "windows", "amd64"), "cu131", "yes driver: driver 591.44, CUDA 13.1; minor 580"},
	{"[drivers] no number for Windows", on(gpus("581.15 13.0", rtx3090), "", "windows", "amd64"), "cu131", "minor driver: driver 581.15, CUDA 13.0; minor 580"},
	{"a Jetson's driver has a number of its own", on(gpus("540.4.0 12.6", orin), "", "Ubuntu 22.04", "arm64"), "cu124", "yes driver: driver 540.4.0, CUDA 12.6"},
	{"a Jetson's driver has a number of its own", on(gpus("540.4.0 12.6", orin), "", "Ubuntu 22.04", "arm64"), "cu128", "minor driver: driver 540.4.0, CUDA 12.6"},
	{"a Jetson's driver has a number of its own", on(gpus("540.4.0 12.6", orin), "", "Ubuntu 22.04", "arm64"), "cu130", "no driver: driver 540.4.0, CUDA 12.6"},
	{"nvidia-smi says N/A", gpus("N/A 12.2", rtx3090), "cu121", "yes driver: driver N/A, CUDA 12.2; needs 530.30.02, minor 525.60.13"},
	{"unknown driver", gpus("", rtx3090), "cu121", "unknown driver: ; needs 530.30.02, minor 525.60.13"},
	{"a word behind it", gpus("550.54.14-grid 12.4", rtx3090), "cu124", "yes driver: driver 550.54.14-grid, CUDA 12.4; needs 550.54.14, minor 525.60.13"},

	// Machines without a usable GPU.
	{"", none(report.CodeNoLibrary), "cu124", "no no-driver: "},
	{"", none(report.CodeNotLoaded), "cu124", "no no-driver: "},
	{"", none(report.CodeNoDevice), "cu124", "no no-gpu: "},
	{"", gpus("550.54.14 12.4"), "cu124", "no no-gpu: driver 550.54.14, CUDA 12.4"},
	{"", none(report.CodeUnsupported), "cu124", "unknown no-answer: "},
	{"", broken(report.CodeNotReached), "cu124", "unknown no-answer: driver 535.54"},
	{"", broken(report.CodeMismatch), "cu124", "no broken: driver 535.54"},
	{"", report.Machine{}, "cu124", "unknown no-answer: "},
	{"cuInit failed, and nvidia-smi works", counting(gpus("550.54.14 12.4", h100), report.DifferCUDA, nil), "cu124", "no cuda: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"cuInit failed, which an older driver would explain", counting(gpus("460.91.03 11.2", rtx3090), report.DifferCUDA, nil), "cu124", "no driver: driver 460.91.03, CUDA 11.2; needs 550.54.14, minor 525.60.13"},
	{"CUDA finds none", counting(gpus("550.54.14 12.4", h100), report.DifferUnknown, new(int)), "cu124", "no cuda: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"CUDA finds one part of a card", counting(gpus("550.54.14 12.4", h100, h100), report.DifferMIG, &one), "cu124", "yes driver: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13"},
	{"CUDA was not queried", counting(gpus("550.54.14 12.4", h100), "", nil), "cu124", "yes driver: driver 550.54.14, CUDA 12.4; needs 550.54.14, minor 525.60.13"},

	// Frameworks.
	{"[torch]", holding(gpus("460.91.03 11.2", rtx3090), torch("2.6.0+cu124", "12.4")), "torch", "no driver: torch 2.6.0+cu124 12.4, driver 460.91.03, CUDA 11.2; needs 550.54.14, minor 525.60.13"},
	{"[torch]", holding(gpus("535.183.01 12.2", rtx3090), torch("2.6.0+cu124", "")), "torch", "minor driver: torch 2.6.0+cu124 12.4, driver 535.183.01, CUDA 12.2; needs 550.54.14, minor 525.60.13"},
	{"[torch] cu126 is the last for Pascal", holding(gpus("580.65.06 13.0", gtx1080), torch("2.9.1+cu126", "12.6")), "torch", "yes driver: torch 2.9.1+cu126 12.6, driver 580.65.06, CUDA 13.0; needs 560.28.03, minor 525.60.13"},
	{"[torch] cu128 lacks Pascal", holding(gpus("580.65.06 13.0", gtx1080), torch("2.9.1+cu128", "12.8")), "torch", "no compute: torch 2.9.1+cu128 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13; GeForce GTX 1080 Ti 6.1 of 7.0-12.0"},
	{"[torch] 2.7 lacks Volta", holding(gpus("580.65.06 13.0", v100), torch("2.7.1+cu128", "12.8")), "torch", "no compute: torch 2.7.1+cu128 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13; Tesla V100-SXM2-16GB 7.0 of 7.5-12.0"},
	{"[torch] 2.8 has it", holding(gpus("580.65.06 13.0", v100), torch("2.8.0+cu128", "12.8")), "torch", "yes driver: torch 2.8.0+cu128 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13"},
	{"[torch] 2.11 has not", holding(gpus("580.65.06 13.0", v100), torch("2.11.0+cu128", "12.8")), "torch", "no compute: torch 2.11.0+cu128 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13; Tesla V100-SXM2-16GB 7.0 of 7.5-12.0"},
	{"[torch] nor has cu129, up to 2.13", holding(gpus("580.65.06 13.0", v100), torch("2.13.0+cu129", "12.9")), "torch", "no compute: torch 2.13.0+cu129 12.9, driver 580.65.06, CUDA 13.0; needs 575.51.03, minor 525.60.13; Tesla V100-SXM2-16GB 7.0 of 7.5-12.0"},
	{"[torch] no PTX: pytorch/pytorch#167244", holding(gpus("570.124.06 12.8", rtx5090), torch("2.6.0+cu124", "12.4")), "torch", "no compute: torch 2.6.0+cu124 12.4, driver 570.124.06, CUDA 12.8; needs 550.54.14, minor 525.60.13; NVIDIA GeForce RTX 5090 12.0 of 5.0-9.0"},
	{"[torch] Kepler until cu118", holding(gpus("470.256.02 11.4", k80), torch("2.0.1+cu118", "11.8")), "torch", "minor driver: torch 2.0.1+cu118 11.8, driver 470.256.02, CUDA 11.4; needs 520.61.05, minor 450.80.02"},
	{"[torch] wheels for arm64 are others", holding(on(gpus("580.65.06 13.0", "Tesla T4 7.5"), "", "Debian", "arm64"), torch("2.9.0+cu130", "13.0")), "torch", "no compute: torch 2.9.0+cu130 13.0, driver 580.65.06, CUDA 13.0; needs 580.65.06; Tesla T4 7.5 of 8.0-12.0"},
	{"[torch] a card within the range", holding(on(gpus("580.65.06 13.0", "NVIDIA Thor 11.0"), "", "Debian", "arm64"), torch("2.9.0+cu128", "12.8")), "torch", "no compute: torch 2.9.0+cu128 12.8, driver 580.65.06, CUDA 13.0; NVIDIA Thor 11.0 of 8.0, 9.0, 10.0, 12.0"},
	{"[guide] not supported, and maybe works", holding(on(gpus("580.00 13.0", orin), "", "Ubuntu 24.04", "arm64"), torch("2.9.0+cu130", "13.0")), "torch", "unknown compute: torch 2.9.0+cu130 13.0, driver 580.00, CUDA 13.0; Orin (nvgpu) 8.7 of 8.0, 9.0, 10.0, 11.0, 12.0"},
	{"a version that is no number: what its toolkit can", holding(gpus("580.65.06 13.0", gtx1080), torch("main+cu128", "12.8")), "torch", "yes driver: torch main+cu128 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13"},
	{"[torch] nightly builds have PTX: pytorch/pytorch#145616", holding(gpus("570.124.06 12.8", rtx5090), torch("2.6.0.dev20241112+cu124", "12.4")), "torch", "unknown compute: torch 2.6.0.dev20241112+cu124 12.4, driver 570.124.06, CUDA 12.8; needs 550.54.14, minor 525.60.13; NVIDIA GeForce RTX 5090 12.0 of 5.0-9.0"},
	{"[torch] conda's builds have code of their own", holding(gpus("570.124.06 12.8", rtx5090), torch("2.6.0", "12.6")), "torch", "unknown compute: torch 2.6.0 12.6, driver 570.124.06, CUDA 12.8; needs 560.28.03, minor 525.60.13; NVIDIA GeForce RTX 5090 12.0 of 5.0-9.0"},
	{"[torch] conda's builds have code of their own", holding(gpus("580.65.06 13.0", gtx1080), torch("2.9.1", "12.8")), "torch", "yes driver: torch 2.9.1 12.8, driver 580.65.06, CUDA 13.0; needs 570.26, minor 525.60.13"},
	{"a build of NVIDIA's own: what its toolkit can", holding(gpus("550.54.14 12.4", gtx1080), torch("2.5.0a0+872d972e41.nv24.08", "12.6")), "torch", "minor driver: torch 2.5.0a0+872d972e41.nv24.08 12.6, driver 550.54.14, CUDA 12.4; needs 560.28.03, minor 525.60.13"},
	{"", holding(gpus("550.54.14 12.4", rtx3090), report.Framework{Name: "torch", Version: "2.6.0+cpu", CPUOnly: true}), "torch", "no cpu-only: torch 2.6.0+cpu , driver 550.54.14, CUDA 12.4"},
	{"", holding(gpus("550.54.14 12.4", rtx3090), report.Framework{Name: "torch", Version: "2.6.0+rocm6.2", ROCm: true}), "torch", "no rocm: torch 2.6.0+rocm6.2 , driver 550.54.14, CUDA 12.4"},
	{"", holding(gpus("550.54.14 12.4", rtx3090), torch("2.6.0", "")), "torch", "unknown toolkit: torch 2.6.0 , driver 550.54.14, CUDA 12.4"},
	{"", holding(gpus("550.54.14 12.4", rtx3090)), "torch", "no not-installed: driver 550.54.14, CUDA 12.4"},
	{"", gpus("550.54.14 12.4", rtx3090), "torch", "unknown not-asked: driver 550.54.14, CUDA 12.4"},
	{"", holding(none(report.CodeNoLibrary), torch("2.6.0+cu124", "12.4")), "torch", "no no-driver: torch 2.6.0+cu124 12.4"},
	{"[tf] Maxwell went with 2.17", holding(gpus("550.54.14 12.4", "GeForce GTX 980 5.2"), report.Framework{Name: "tensorflow", Version: "2.17.0", CUDA: "12.3"}), "tensorflow", "no compute: tensorflow 2.17.0 12.3, driver 550.54.14, CUDA 12.4; needs 545.23.06, minor 525.60.13; GeForce GTX 980 5.2 of 6.0-9.0"},
	{"[tf] PTX for Hopper", holding(gpus("570.86.15 12.8", h100), report.Framework{Name: "tensorflow", Version: "2.18.0", CUDA: "12.5"}), "tensorflow", "yes driver: tensorflow 2.18.0 12.5, driver 570.86.15, CUDA 12.8; needs 555.42.02, minor 525.60.13"},
	{"[tf] the same PTX on Blackwell: tensorflow/tensorflow#99592", holding(gpus("570.86.15 12.8", rtx5090), report.Framework{Name: "tensorflow", Version: "2.18.0", CUDA: "12.5"}), "tensorflow", "unknown compute: tensorflow 2.18.0 12.5, driver 570.86.15, CUDA 12.8; needs 555.42.02, minor 525.60.13; NVIDIA GeForce RTX 5090 12.0 of 6.0-9.0"},
	{"[tf] [minor] PTX of a newer toolkit", holding(gpus("535.183.01 12.2", h100), report.Framework{Name: "tensorflow", Version: "2.18.0", CUDA: "12.5"}), "tensorflow", "unknown ptx: tensorflow 2.18.0 12.5, driver 535.183.01, CUDA 12.2; needs 555.42.02, minor 525.60.13"},
	{"[minor] PTX of a newer toolkit", holding(gpus("560.35.03 12.6", "NVIDIA Graphics Device 13.0"), torch("2.7.1+cu128", "12.8")), "torch", "no driver: torch 2.7.1+cu128 12.8, driver 560.35.03, CUDA 12.6; needs 570.26"},
	{"numba makes PTX: NVIDIA/numba-cuda#262", holding(gpus("550.54.14 12.4", rtx3090), report.Framework{Name: "numba", Version: "0.61.0", CUDA: "12.8"}), "numba", "unknown ptx: numba 0.61.0 12.8, driver 550.54.14, CUDA 12.4; needs 570.26, minor 525.60.13"},
	{"numba makes PTX: NVIDIA/numba-cuda#262", holding(gpus("570.124.06 12.8", rtx3090), report.Framework{Name: "numba", Version: "0.61.0", CUDA: "12.8"}), "numba", "yes driver: numba 0.61.0 12.8, driver 570.124.06, CUDA 12.8; needs 570.26, minor 525.60.13"},
	{"numba makes PTX: NVIDIA/numba-cuda#262", holding(gpus("520.61.05 11.8", rtx3090), report.Framework{Name: "numba", Version: "0.61.0", CUDA: "12.8"}), "numba", "no driver: numba 0.61.0 12.8, driver 520.61.05, CUDA 11.8; needs 570.26"},
	{"[tf] [minor] PTX of a toolkit that the table does not hold", holding(gpus("580.65.06 13.0", h100), report.Framework{Name: "tensorflow", Version: "2.18.0", CUDA: "12.11"}), "tensorflow", "yes driver: tensorflow 2.18.0 12.11, driver 580.65.06, CUDA 13.0; minor 525.60.13"},
	{"[tf] [minor] PTX of a toolkit that the table does not hold", holding(gpus("575.57.08 12.9", h100), report.Framework{Name: "tensorflow", Version: "2.18.0", CUDA: "12.11"}), "tensorflow", "unknown toolkit: tensorflow 2.18.0 12.11, driver 575.57.08, CUDA 12.9; minor 525.60.13"},
	{"[jax] any 12.x", holding(gpus("535.183.01 12.2", gtx1080), report.Framework{Name: "jax", Version: "0.6.2", CUDA: "12"}), "jax", "unknown cudnn: jax 0.6.2 12, driver 535.183.01, CUDA 12.2; minor 525.60.13; GeForce GTX 1080 Ti 6.1 of 7.5"},
	{"[jax] any 12.x", holding(gpus("535.183.01 12.2", rtx3090), report.Framework{Name: "jax", Version: "0.6.2", CUDA: "12"}), "jax", "minor driver: jax 0.6.2 12, driver 535.183.01, CUDA 12.2; minor 525.60.13"},
	{"[cudnn] the driver alone says no", holding(gpus("470.256.02 11.4", v100), report.Framework{Name: "jax", Version: "0.12.0", CUDA: "12.9"}), "jax", "no driver: jax 0.12.0 12.9, driver 470.256.02, CUDA 11.4; needs 575.51.03, minor 525.60.13"},
	{"[cudnn] one old GPU", holding(gpus("580.65.06 13.0", rtx3090, v100), report.Framework{Name: "tensorflow", Version: "2.21.0", CUDA: "12.5"}), "tensorflow", "unknown cudnn: tensorflow 2.21.0 12.5, driver 580.65.06, CUDA 13.0; needs 555.42.02, minor 525.60.13; Tesla V100-SXM2-16GB 7.0 of 7.5"},
	{"[cudnn] an older one is installed", holding(gpus("580.65.06 13.0", v100), report.Framework{Name: "jax", Version: "0.12.0", CUDA: "12.9", CuDNN: "9.10.2.21"}), "jax", "yes driver: jax 0.12.0 12.9, driver 580.65.06, CUDA 13.0; needs 575.51.03, minor 525.60.13"},
	{"[cudnn] a newer one is installed", holding(gpus("580.65.06 13.0", v100), report.Framework{Name: "jax", Version: "0.12.0", CUDA: "12.9", CuDNN: "9.11.0.98"}), "jax", "unknown cudnn: jax 0.12.0 12.9, driver 580.65.06, CUDA 13.0; needs 575.51.03, minor 525.60.13; Tesla V100-SXM2-16GB 7.0 of 7.5"},
	{"[cudnn] 9.1 is not for Kepler either", holding(gpus("470.256.02 11.4", k80), report.Framework{Name: "torch", Version: "2.7.1+cu118", CUDA: "11.8", CuDNN: "9.1.0.70"}), "torch", "unknown cudnn: torch 2.7.1+cu118 11.8, driver 470.256.02, CUDA 11.4; needs 520.61.05, minor 450.80.02; Tesla K80 3.7 of 5.0"},
	{"[cudnn] 2.19 pins 9.3", holding(gpus("580.65.06 13.0", v100), report.Framework{Name: "tensorflow", Version: "2.19.1", CUDA: "12.5"}), "tensorflow", "yes driver: tensorflow 2.19.1 12.5, driver 580.65.06, CUDA 13.0; needs 555.42.02, minor 525.60.13"},
	{"[cudnn] no code is no matter of cuDNN", holding(gpus("580.65.06 13.0", "GeForce GTX 980 5.2"), report.Framework{Name: "tensorflow", Version: "2.21.0", CUDA: "12.5"}), "tensorflow", "no compute: tensorflow 2.21.0 12.5, driver 580.65.06, CUDA 13.0; needs 555.42.02, minor 525.60.13; GeForce GTX 980 5.2 of 6.0-9.0"},
	{"[cudnn] 2.4 has cuDNN 9.1", holding(gpus("470.256.02 11.4", k80), torch("2.7.1+cu118", "11.8")), "torch", "unknown cudnn: torch 2.7.1+cu118 11.8, driver 470.256.02, CUDA 11.4; needs 520.61.05, minor 450.80.02; Tesla K80 3.7 of 5.0"},
	{"[cudnn] 2.3 has cuDNN 8.7", holding(gpus("470.256.02 11.4", k80), torch("2.3.1+cu118", "11.8")), "torch", "minor driver: torch 2.3.1+cu118 11.8, driver 470.256.02, CUDA 11.4; needs 520.61.05, minor 450.80.02"},

	// Systems.
	{"[torch] Windows has other code", holding(on(gpus("581.15 13.0", "NVIDIA GeForce GTX 1080 6.1"), "", "windows", "amd64"), torch("2.8.0+cu128", "12.8")), "torch", "yes driver: torch 2.8.0+cu128 12.8, driver 581.15, CUDA 13.0; needs 570.65, minor 528.33"},
	{"[torch] Windows has other code", holding(on(gpus("581.15 13.0", "NVIDIA GeForce GTX 960M 5.0"), "", "windows", "amd64"), torch("2.8.0+cu126", "12.6")), "torch", "no compute: torch 2.8.0+cu126 12.6, driver 581.15, CUDA 13.0; needs 560.76, minor 528.33; NVIDIA GeForce GTX 960M 5.0 of 6.1-9.0"},
	{"[torch] WSL2 has the wheels of Linux", holding(on(gpus("581.15 13.0", "NVIDIA GeForce GTX 960M 5.0"), report.PlatformWSL2, "Ubuntu 22.04", "amd64"), torch("2.8.0+cu126", "12.6")), "torch", "yes driver: torch 2.8.0+cu126 12.6, driver 581.15, CUDA 13.0; needs 560.76, minor 528.33"},
	{"[torch] no such wheel for Windows: what its toolkit can", holding(on(gpus("581.15 13.0", "NVIDIA TITAN V 7.0"), "", "windows", "amd64"), torch("2.13.0+cu129", "12.9")), "torch", "yes driver: torch 2.13.0+cu129 12.9, driver 581.15, CUDA 13.0; needs 576.02, minor 528.33"},
	{"[torch] PTX that was not tried", holding(on(gpus("581.15 13.0", "NVIDIA GeForce RTX 5090 12.0"), "", "windows", "amd64"), torch("2.3.1+cu118", "11.8")), "torch", "unknown compute: torch 2.3.1+cu118 11.8, driver 581.15, CUDA 13.0; needs 520.06, minor 452.39; NVIDIA GeForce RTX 5090 12.0 of 3.7-9.0"},
	{"[torch] no wheel for arm64 before 12.4: what its toolkit can", holding(on(gpus("580.65.06 13.0", "NVIDIA T4G 7.5"), "", "Debian", "arm64"), torch("2.1.0+cu121", "12.1")), "torch", "yes driver: torch 2.1.0+cu121 12.1, driver 580.65.06, CUDA 13.0; needs 530.30.02, minor 525.60.13"},
	{"[nvcc] Rubin came with 13.4", gpus("620.10.01 13.5", "NVIDIA R200 10.7"), "cu135", "yes driver: driver 620.10.01, CUDA 13.5; minor 580.65.06"},
	{"[nvcc] Rubin came with 13.4", gpus("620.10.01 13.5", "NVIDIA R200 10.7"), "cu132", "yes driver: driver 620.10.01, CUDA 13.5; needs 595.45.04, minor 580.65.06"},
	{"[nvcc] Fermi went before 10.0", gpus("390.157 9.1", "Tesla M2090 2.0"), "cu102", "no compute: driver 390.157, CUDA 9.1; needs 440.33; Tesla M2090 2.0 of 3.0-7.5"},
	{"[jax] any 12.x", holding(gpus("520.61.05 11.8", gtx1080), report.Framework{Name: "jax", Version: "0.6.2", CUDA: "12"}), "jax", "no driver: jax 0.6.2 12, driver 520.61.05, CUDA 11.8; minor 525.60.13"},
	{"[jax] 7.5 with CUDA 13", holding(gpus("580.65.06 13.0", gtx1080), report.Framework{Name: "jax", Version: "0.8.0", CUDA: "13"}), "jax", "no compute: jax 0.8.0 13, driver 580.65.06, CUDA 13.0; minor 580.65.06; GeForce GTX 1080 Ti 6.1 of 7.5+"},
	{"CuPy makes its code when it runs", holding(gpus("580.65.06 13.0", gtx1080), report.Framework{Name: "cupy-cuda12x", Version: "13.6.0"}), "cupy", "yes driver: cupy 13.6.0 12, driver 580.65.06, CUDA 13.0; minor 525.60.13"},
	{"CuPy for CUDA 13", holding(gpus("580.65.06 13.0", gtx1080), report.Framework{Name: "cupy-cuda13x", Version: "13.6.0"}), "cupy", "no compute: cupy 13.6.0 13, driver 580.65.06, CUDA 13.0; minor 580.65.06; GeForce GTX 1080 Ti 6.1 of 7.5-12.1"},
	{"one with CUDA counts", holding(gpus("580.65.06 13.0", rtx3090), report.Framework{Name: "onnxruntime", Version: "1.20.0", CPUOnly: true}, report.Framework{Name: "onnxruntime-gpu", Version: "1.20.0", CUDA: "12.6"}), "onnxruntime", "yes driver: onnxruntime 1.20.0 12.6, driver 580.65.06, CUDA 13.0; needs 560.28.03, minor 525.60.13"},
	{"another package with its name", holding(gpus("580.65.06 13.0", rtx3090), report.Framework{Name: "torch-geometric", Version: "2.6.0", CUDA: "12.6"}), "torch", "no not-installed: driver 580.65.06, CUDA 13.0"},
	{"paddlepaddle-gpu", holding(gpus("580.65.06 13.0", rtx3090), report.Framework{Name: "paddlepaddle-gpu", Version: "3.0.0", CUDA: "12.6"}), "paddle", "yes driver: paddle 3.0.0 12.6, driver 580.65.06, CUDA 13.0; needs 560.28.03, minor 525.60.13"},
}

// written formats a verdict like the table.
func written(v report.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", v.Answer, v.By)
	var has []string
	if v.Version != "" {
		has = append(has, v.What+" "+v.Version+" "+v.Toolkit)
	}
	if v.Driver != "" {
		has = append(has, "driver "+v.Driver)
	}
	if v.CUDA != "" {
		has = append(has, "CUDA "+v.CUDA)
	}
	b.WriteString(strings.Join(has, ", "))
	var needs []string
	if v.NeedDriver != "" {
		needs = append(needs, "needs "+v.NeedDriver)
	}
	if v.NeedMinor != "" {
		needs = append(needs, "minor "+v.NeedMinor)
	}
	if len(needs) > 0 {
		b.WriteString("; " + strings.Join(needs, ", "))
	}
	switch {
	case v.NeedCompute != "":
		b.WriteString("; " + v.GPU + " " + v.Compute + " of " + v.NeedCompute)
	case v.GPU != "":
		b.WriteString("; " + v.GPU)
	}
	return b.String()
}

func TestJudge(t *testing.T) {
	for _, tt := range verdicts {
		t.Run(tt.what+"/"+tt.want, func(t *testing.T) {
			v := Judge(tt.machine, "", tt.what)
			if got := written(v); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.name, got, tt.want)
			}
			if v.What != tt.what {
				t.Errorf("What is %q", v.What)
			}
		})
	}
}

// TestEnvironment: a framework is looked up in the environment of that name.
func TestEnvironment(t *testing.T) {
	m := holding(gpus("550.54.14 12.4", rtx3090), torch("2.6.0+cu124", "12.4"))
	for environment, want := range map[string]string{"": report.ByDriver, "other": report.ByCPUOnly, "third": report.ByNotAsked} {
		if v := Judge(m, environment, "torch"); v.By != want {
			t.Errorf("in %q: %+v", environment, v)
		}
	}
}

// TestBoards checks the GPUs of Jetson boards: code for them is not known to run on other GPUs
// of their family, nor the other way round, and forward-compatibility packages exist for them.
func TestBoards(t *testing.T) {
	for _, tt := range []struct{ code, compute, want string }{
		{"5.3", "5.3", report.RunsYes}, {"5.2", "5.3", report.RunsUnknown}, {"5.0", "5.2", report.RunsYes}, // TX1
		{"6.2", "6.2", report.RunsYes}, {"6.1", "6.2", report.RunsUnknown}, {"6.0", "6.1", report.RunsYes}, // TX2
		{"7.2", "7.2", report.RunsYes}, {"7.0", "7.2", report.RunsUnknown}, {"7.2", "7.5", report.RunsUnknown}, {"7.0", "7.5", report.RunsYes}, // Xavier
		{"8.7", "8.7", report.RunsYes}, {"8.6", "8.7", report.RunsUnknown}, {"8.7", "8.9", report.RunsUnknown}, {"8.6", "8.9", report.RunsYes}, // Orin
		{"10.1", "10.1", report.RunsYes}, {"10.0", "10.1", report.RunsUnknown}, {"10.1", "10.3", report.RunsUnknown}, {"10.0", "10.3", report.RunsYes}, // Thor until CUDA 13
		{"11.0", "11.0", report.RunsYes}, {"10.3", "11.0", report.RunsNo}, // Thor
	} {
		of, err := parseCode(tt.code)
		if err != nil {
			t.Fatal(err)
		}
		card, _ := parseCapability(tt.compute)
		if got, _ := of.fit(card); got != tt.want {
			t.Errorf("code for %s on %s: %s, want %s", tt.code, tt.compute, got, tt.want)
		}
	}
	for compute, want := range map[string]string{
		"5.3": report.RunsYes, "6.2": report.RunsYes, "7.2": report.RunsYes, "8.7": report.RunsYes, "10.1": report.RunsYes, "11.0": report.RunsYes,
		"5.2": report.RunsUnknown, "6.1": report.RunsUnknown, "7.5": report.RunsUnknown, "8.6": report.RunsUnknown, "10.0": report.RunsUnknown, "": report.RunsUnknown,
	} {
		if got := packageFor(report.Device{Name: "NVIDIA Graphics Device", Compute: compute}); got != want {
			t.Errorf("packages for %q: %s, want %s", compute, got, want)
		}
	}
	for _, name := range []string{"NVIDIA Tegra X1", "Xavier (nvgpu)"} { // without a compute capability
		if got := packageFor(report.Device{Name: name}); got != report.RunsYes {
			t.Errorf("packages for %s: %s", name, got)
		}
	}
}

// TestFacts: requirements are judged by the verdicts; if a fact is unknown, neither the
// requirement nor its negation is met.
func TestFacts(t *testing.T) {
	old := gpus("460.91.03 11.2", rtx3090)
	for source, want := range map[string]ask.Verdict{
		"runs cu112":                   {Answer: ask.Yes},
		"runs cu118":                   {Answer: ask.Yes},
		"not runs cu124":               {Answer: ask.Yes},
		"runs cu124":                   {Need: "runs cu124", Found: "driver 460.91.03, CUDA 11.2", Software: "cu124", Fact: ask.Runs},
		"gpus >= 1 and not runs cu112": {Need: "not runs cu112", Found: "driver 460.91.03, CUDA 11.2", Software: "cu112", Fact: ask.Runs},
		"runs cu140 or not runs cu140": {Need: "runs cu140", Found: "driver 460.91.03, CUDA 11.2", Software: "cu140", Answer: ask.Unknown, Fact: ask.Runs},
		"runs torch":                   {Need: "runs torch", Found: "driver 460.91.03, CUDA 11.2", Software: "torch", Answer: ask.Unknown, Fact: ask.Runs},
	} {
		e, err := ask.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, e.Judge(Facts(old, ""))); d != "" {
			t.Errorf("%s (-want +got)\n%s", source, d)
		}
	}
}

// TestInstalled: the installed packages are those of the environment, whatever they run on.
func TestInstalled(t *testing.T) {
	m := holding(report.Machine{GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}}, torch("1.13.0a0", ""))
	m.Environments[1].Interpreter, m.Slurm = "Python 3.11.7", &report.Slurm{Version: "23.11.4"}
	m.Environments = append(m.Environments, report.Environment{Name: "pypy", Interpreter: "pypy 3.10.14", Frameworks: []report.Framework{
		{Name: "cupy-cuda12x", Version: "13.3.0"}, {Name: "jax"}, {Name: "torchvision", Version: "1.0"}}})
	none := m
	none.Environments, none.Slurm = nil, &report.Slurm{}
	for _, c := range []struct {
		machine             report.Machine
		environment, source string
		want                bool
	}{
		{m, "", "torch >= 1.13, python >= 3.11.7, slurm >= 23.11", true}, {m, "", "torch >= 1.13.1", false}, {m, "", "not jax", true},
		{m, "pypy", "cupy >= 13, python < 3.11", true}, {m, "pypy", "jax", true}, {m, "pypy", "jax > 0", false}, {m, "pypy", "torch", false}, {m, "pypy", "not torch", true},
		{m, "gone", "python", false}, {m, "gone", "not torch", false}, {m, "gone", "slurm", true},
		{none, "", "slurm", false}, {none, "", "not slurm", true}, {none, "", "not slurm >= 20", false},
	} {
		e, err := ask.Parse(c.source)
		if err != nil {
			t.Fatal(err)
		}
		if v := e.Judge(Facts(c.machine, c.environment)); v.Met() != c.want {
			t.Errorf("%s in %q: %+v", c.source, c.environment, v)
		}
	}
}

// TestUnknownToolkit: a framework for which no toolkit is known may run. One that is known decides.
func TestUnknownToolkit(t *testing.T) {
	m := report.Machine{GPU: report.GPU{Status: report.GPUOk, Driver: "550.54.14", CUDA: "12.4", Devices: []report.Device{{Compute: "8.0"}}}}
	for _, c := range []struct {
		frameworks []report.Framework
		answer, by string
	}{
		{nil, report.RunsNo, report.ByNotInstalled},
		{[]report.Framework{{Name: "jax", Version: "0.4"}}, report.RunsUnknown, report.ByToolkit},
		{[]report.Framework{{Name: "jax", CPUOnly: true}, {Name: "jax"}}, report.RunsUnknown, report.ByToolkit},
		{[]report.Framework{{Name: "jax", ROCm: true}}, report.RunsNo, report.ByROCm},
	} {
		m.Environments = []report.Environment{{Frameworks: c.frameworks}}
		if v := Judge(m, "", "jax"); v.Answer != c.answer || v.By != c.by {
			t.Errorf("%+v: %s by %s, want %s by %s", c.frameworks, v.Answer, v.By, c.answer, c.by)
		}
	}
}

// TestSteps: a newer driver supports no older CUDA.
func TestSteps(t *testing.T) {
	for _, windows := range []bool{false, true} {
		list := Steps(windows)
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			if older(b.Driver, a.Driver) || a.Driver == b.Driver && b.cuda().compare(a.cuda()) < 0 {
				t.Errorf("windows %v: %+v is before %+v", windows, a, b)
			}
		}
		if len(list) < len(toolkits)/2 {
			t.Errorf("windows %v: only %d steps", windows, len(list))
		}
	}
}

func TestFound(t *testing.T) {
	for want, v := range map[string]report.Verdict{
		"":                            {},
		"driver 460.91.03, CUDA 11.2": Judge(gpus("460.91.03 11.2", rtx3090), "", "cu124"),
		"torch 2.6.0+cu124, driver 460.91.03, CUDA 11.2": Judge(holding(gpus("460.91.03 11.2", rtx3090), torch("2.6.0+cu124", "12.4")), "", "torch"),
		"GeForce GTX 1080 Ti 6.1":                        Judge(gpus("580.65.06 13.0", gtx1080), "", "cu130"),
	} {
		if got := Found(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTables checks the form of the tables: rows in order, valid numbers, and no two rows for
// one build.
func TestTables(t *testing.T) {
	for i, row := range toolkits {
		if i > 0 && (toolkits[i-1].release().compare(row.release()) >= 0 || row.linux != "" && !older(toolkits[i-1].linux, row.linux)) {
			t.Errorf("%s does not follow %s", row.version, toolkits[i-1].version)
		}
		if _, err := parseCode(row.archs); err != nil {
			t.Errorf("%s: %v", row.version, err)
		}
		if row.windows != "" && i > 0 && !older(toolkits[i-1].windows, row.windows) {
			t.Errorf("%s on Windows does not follow %s", row.version, toolkits[i-1].version)
		}
	}
	for i, f := range families {
		if i > 0 && (f.major != families[i-1].major+1 || !older(families[i-1].linux, f.linux) || !older(families[i-1].windows, f.windows)) {
			t.Errorf("family %d does not follow", f.major)
		}
	}
	for i, b := range builds {
		c, ok := parseCUDA(b.toolkit)
		if !ok || !c.known() {
			t.Errorf("%+v: toolkit", b)
		}
		if _, known := lastCuDNN[b.floor]; known != (b.floor != "") {
			t.Errorf("%+v: floor", b)
		}
		for _, archs := range []string{b.archs, b.arm, b.windows} {
			if archs == unbuilt {
				continue
			}
			code, err := parseCode(archs)
			if err != nil || archs != "" && len(code.native) == 0 && code.from == 0 {
				t.Errorf("%+v: %v", b, err)
			}
			for k := range code.native {
				if k > 0 && code.native[k-1] >= code.native[k] {
					t.Errorf("%+v: not in order", b)
				}
			}
		}
		for _, o := range builds[:i] {
			if o.framework == b.framework && o.toolkit == b.toolkit && o.until != "" && !between(o.until, "", b.from) {
				t.Errorf("%+v and %+v have the same version", o, b)
			}
			if o.framework == b.framework && o.toolkit == b.toolkit && o.until == b.from {
				t.Errorf("%+v and %+v have the same version", o, b)
			}
		}
	}
	for _, bad := range []string{"8", "8.10", "x", "8.0+", "8.0+ 9.0+PTY", "PTX:8.0+PTX", "8.0+PTX??", "9.0<10.0", "PTX:9.0<", "PTX:9.0<8.0"} {
		if c, err := parseCode(bad); err == nil && c.from == 0 {
			t.Errorf("%q: %+v", bad, c)
		}
	}
}

// odd returns an unusual report, generated from a seed.
func odd(r *rand.Rand) report.Machine {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	m := report.Machine{OS: pick("", "windows", "Debian"), Arch: pick("amd64", "arm64", "")}
	m.GPU = report.GPU{
		Status: pick(report.GPUOk, report.GPUOk, report.GPUOk, report.GPUNone, report.GPUBroken, "", "odd"), Code: pick("", "", report.CodeNoDevice, report.CodeLost, "odd"),
		Driver: pick("", "N/A", "460.91.03", "550.54.14", "580", "551.61", "999999999999.1", "1..2", "540.4.0", "-1", "５５０"), CUDA: pick("", "11.2", "12.4", "13.0", "14.2", "12", "x.y", "."),
		Compat: pick("", "", "12.4", "13", "-", "99.99"), Platform: pick("", "", report.PlatformWSL2, "docker"),
	}
	for range r.IntN(4) {
		m.GPU.Devices = append(m.GPU.Devices, report.Device{Name: pick("", "GeForce RTX 3090", "NVIDIA A100-PCIE", "NVIDIA ", "Orin (nvgpu)", "\x00{gpu}"), Compute: pick("", "8.6", "3.5", "12.1", "99.9", "8", "8.60", "x")})
	}
	for _, name := range []string{"", "other"} {
		e := report.Environment{Name: name}
		for range r.IntN(3) {
			e.Frameworks = append(e.Frameworks, report.Framework{Name: pick("torch", "jax", "cupy-cuda12x", "tensorflow-cpu", "", "paddlepaddle-gpu"), Version: pick("", "2.6.0+cu124", "2", "x", "2.99.1", "9.9+cu"),
				CUDA: pick("", "12.4", "12", "99.9", "12.4.127", "cu", "12.x"), CPUOnly: r.IntN(6) == 0, ROCm: r.IntN(6) == 0})
		}
		m.Environments = append(m.Environments, e)
	}
	return m
}

// FuzzJudge: unusual reports cause no panic, a verdict is the same every time and has a text,
// and a newer driver is never worse: it runs what an older one does.
func FuzzJudge(f *testing.F) {
	for i, s := range []string{"cu124", "torch", "cu139", "jax", "cu999", "", "cu12", "cupy", "no such thing"} {
		f.Add(uint64(i), s)
	}
	f.Fuzz(func(t *testing.T, seed uint64, what string) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := odd(r)
		v := Judge(m, "", what)
		if !reflect.DeepEqual(v, Judge(m, "", what)) {
			t.Fatalf("%s on %+v: two verdicts", what, m)
		}
		if v.Answer == "" || v.By == "" || v.What != what {
			t.Fatalf("%s on %+v: %+v", what, m, v)
		}
		_ = Found(v)
		newerIsNoWorse(t, r, m, what)
	})
}

// newerIsNoWorse judges a machine with each driver in turn.
func newerIsNoWorse(t *testing.T, r *rand.Rand, m report.Machine, what string) {
	m.GPU.CUDA = "" // it would have to follow the driver
	p := windows(m)
	var drivers []string
	for _, row := range toolkits {
		if d := p.pick(row.linux, row.windows); d != "" {
			drivers = append(drivers, d, d+"."+strconv.Itoa(r.IntN(100)))
		}
	}
	if m.GPU.Compat != "" {
		return // a package works with some branches and not with later ones
	}
	last, lastDriver := 0, ""
	for _, d := range drivers {
		m.GPU.Driver = d
		v := Judge(m, "", what)
		if now := rank(v.Answer); now < last {
			t.Fatalf("%s runs with %s and not with %s: %+v", what, lastDriver, d, v)
		} else {
			last, lastDriver = now, d
		}
	}
}

// TestNewerIsNoWorse checks the property for every toolkit, framework build and GPU of the
// tables.
func TestNewerIsNoWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"cu127", "cu139"}
	for _, row := range toolkits {
		names = append(names, "cu"+strings.ReplaceAll(row.version, ".", ""))
	}
	of, _ := parseCode(turing + " 8.0 8.6 8.7 8.9 9.0 10.0 10.3 11.0 12.0 12.1 13.0")
	for _, card := range of.native {
		for _, os := range []string{"Debian", "windows"} {
			m := on(gpus("", "A card "+card.String()), "", os, "amd64")
			for _, n := range names {
				newerIsNoWorse(t, r, m, n)
			}
			for _, b := range builds {
				if os == "windows" && b.framework != "torch" {
					continue // there are no other builds for it
				}
				newerIsNoWorse(t, r, holding(m, report.Framework{Name: b.framework, Version: b.from, CUDA: b.toolkit}), b.framework)
			}
		}
	}
}
