package doctor

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// machines returns invented machines. Each call returns new ones, because judging changes them.
func machines() map[string]func() *Diagnosis {
	return map[string]func() *Diagnosis{
		"node": node, "geforce": geforce, "broken": broken, "wsl2": wsl2, "nogpu": noGPU,
	}
}

// finished adds what Collect derives from the rest.
func finished(d *Diagnosis) *Diagnosis {
	d.Schema, d.Generator = Schema, "gpudocs 0.1.0"
	d.Machine.Name = "local"
	if d.System.Cards == nil {
		d.System.Cards = []Card{}
	}
	if d.CUDA.Installed == nil {
		d.CUDA.Installed = []Toolkit{}
	}
	if d.CUDA.Variables == nil {
		d.CUDA.Variables = []Variable{}
	}
	for _, name := range toolkitNames {
		d.Toolkits = append(d.Toolkits, compat.Judge(d.Machine, "", name))
	}
	judgePythons(d.Pythons, d.Machine)
	d.Machine.Environments = environments(d.Pythons)
	if d.CuBLAS == nil {
		d.CuBLAS = []Library{}
	}
	d.Findings = findings(d)
	return d
}

// toolList returns the tools of a machine; sandbox is the reason for no sandbox, "-" for no bwrap.
func toolList(sandbox, limits string) []Tool {
	var lacks *report.Reason
	found := sandbox == ""
	if sandbox = strings.TrimPrefix(sandbox, "-"); sandbox != "" {
		lacks = &report.Reason{Code: report.ReasonNoSandbox, Why: report.BwrapFailed, Said: sandbox}
	}
	return []Tool{
		{Name: ToolBash, Found: true, Version: "5.2.15"}, pythonTool([]Python{python("", "system", "/usr/bin/python3")}),
		{Name: ToolLimits, Found: true, Detail: limits}, {Name: ToolSandbox, Found: found, lacks: lacks},
		{Name: ToolSSH, Found: true}, {Name: ToolGit, Found: true}, {Name: ToolNvidiaSMI, Found: true},
	}
}

func python(name, kind, path string, frameworks ...report.Framework) Python {
	p := Python{Name: name, Kind: kind, Path: path, Interpreter: "Python 3.12.4", Frameworks: []Framework{}}
	for _, f := range frameworks {
		p.Frameworks = append(p.Frameworks, Framework{Framework: f})
	}
	return p
}

// node is one of a data centre, with eight GPUs, one of them divided and one faulty.
func node() *Diagnosis {
	g := report.GPU{Status: report.GPUOk, Source: report.SourceNVML, Driver: "550.54.15", CUDA: "12.4",
		Counts: &report.Counts{NVML: new(8), CUDA: new(7), Dev: new(8), Why: report.DifferMIG}}
	for i := range 8 {
		r := &report.Readings{
			SMs: new(108), Cores: new(6912), BusBits: new(5120),
			Clocks:   report.Clocks{Graphics: new(210), SM: new(210), Memory: new(1593), MaxGraphics: new(1410), MaxSM: new(1410), MaxMemory: new(1593)},
			Power:    report.Power{Draw: new(61.2 + float64(i)), Limit: new(400.0)},
			Throttle: []string{"gpu-idle"}, Temperature: new(31 + i),
			PCIe:        report.PCIe{Generation: new(4), Width: new(16), MaxGeneration: new(4), MaxWidth: new(16), UnderLoad: true},
			ECC:         report.ECC{Enabled: new(true), Corrected: new(uint64(0)), Uncorrected: new(uint64(0))},
			Rows:        report.Rows{Correctable: new(0), Uncorrectable: new(0), Pending: new(false), Failed: new(false)},
			MIG:         report.MIG{Enabled: new(false)},
			NVLink:      report.NVLink{Links: new(12), Active: new(12)},
			Persistence: new(true), Virtualization: new("none"), Unknown: []report.Unknown{},
		}
		switch i {
		case 2:
			r.MIG = report.MIG{Enabled: new(true), Instances: append(
				slices.Repeat([]report.Instance{{Profile: "1g.10gb", MemoryBytes: 9856 << 20, SMs: 14}}, 3),
				report.Instance{Profile: "3g.40gb", MemoryBytes: 40192 << 20, SMs: 42})}
			r.NVLink = report.NVLink{}
			r.Unknown = []report.Unknown{{Field: "nvlink.links", Why: report.WhyNotSupported}, {Field: "nvlink.active", Why: report.WhyNotSupported}}
		case 5:
			r.Throttle, r.Temperature = []string{"sw-power-cap", "hw-thermal"}, new(88)
			r.ECC.Corrected, r.ECC.Uncorrected = new(uint64(1204)), new(uint64(2))
			r.Rows = report.Rows{Correctable: new(3), Uncorrectable: new(2), Pending: new(true), Failed: new(true)}
			r.NVLink.Active = new(11)
		}
		g.Devices = append(g.Devices, report.Device{Name: "NVIDIA A100-SXM4-80GB", MemoryBytes: 81920 << 20, Compute: "8.0", Readings: r})
	}
	return finished(&Diagnosis{
		Machine: report.Machine{OS: "Rocky Linux 9.4 (Blue Onyx)", Arch: "amd64", CPU: "AMD EPYC 7742 64-Core Processor", GPU: g},
		System: System{Kernel: "Linux 5.14.0-427.13.1.el9_4.x86_64", Processors: 256, MemoryBytes: 2 << 40, AvailableBytes: 1987 << 30,
			SharedBytes: 1 << 40, SecureBoot: new(false), Cards: slices.Repeat([]Card{{Driver: "nvidia"}}, 8)},
		CUDA: CUDA{Module: "550.54.15", Open: true, Library: "/usr/lib64/libcuda.so.1", Installed: []Toolkit{
			{Version: "12.4.1", Path: "/usr/local/cuda-12.4", NVCC: true}, {Version: "13.0.0", Path: "/usr/local/cuda-13.0"}},
			Variables: []Variable{{"CUDA_HOME", "/usr/local/cuda-12.4"}, {"LD_LIBRARY_PATH", "/usr/local/cuda-12.4/lib64:/opt/openmpi/lib:~/lib"}}},
		Pythons: []Python{
			python("", "system", "/usr/bin/python3"),
			{Name: "torch", Kind: "conda", Configured: true, lacks: &report.Reason{Code: report.ReasonNoInterpreter, Why: report.LacksConda, Program: "torch", Said: "base, llm"}, Frameworks: []Framework{}},
			python("base", "conda", "~/miniforge3/bin/python"),
			python("llm", "conda", "~/miniforge3/envs/llm/bin/python",
				report.Framework{Name: "torch", Version: "2.9.0+cu130", CUDA: "13.0"},
				report.Framework{Name: "jax", Version: "0.6.2", CUDA: "12"}),
			python("paper", "conda", "~/miniforge3/envs/paper/bin/python"),
		},
		Slurm: &Slurm{Version: "23.11.4", Job: true, Partitions: []Partition{
			{Name: "cpu", Default: true, Up: true, Nodes: 120, TimeLimit: "2-00:00:00", GPUs: []string{}},
			{Name: "gpu-8-a100", Up: true, Nodes: 16, TimeLimit: "1-00:00:00", GPUs: []string{"gpu:a100:8"}},
			{Name: "gpu-old", Nodes: 3, TimeLimit: "infinite", GPUs: []string{"gpu:v100:4", "gpu:k80:2"}}}},
		CuBLAS: []Library{{13, "~/miniforge3/envs/llm/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13"}, {12, "/usr/local/cuda-12.4/lib64/libcublas.so.12"}},
		Tools:  toolList("", "cgroup2"),
		Site: &Forecast{Pages: 12, Report: "results/local.json", Run: 3, Keep: 20, Skip: 5, Faults: []Fault{}, Checks: slices.Concat(
			slices.Repeat([]Check{{Name: "lab.driver", Kind: "gpu", Place: report.Place{File: "content/pt/a.md", Line: 7}, Decision: "run"}}, 3),
			slices.Repeat([]Check{{Name: "#1", Kind: "bash", Place: report.Place{File: "content/pt/b.md", Line: 7}, Decision: "keep"}}, 20),
			slices.Repeat([]Check{{Name: "count", Kind: "python", Place: report.Place{File: "content/pt/primeiros-passos-com-pytorch.md", Line: 31}, Decision: "skip",
				Reason: &report.Reason{Code: report.ReasonNoInterpreter, Why: report.LacksConda, Program: "torch", Said: "base, llm"}}}, 5))},
	})
}

// geforce is a machine with an old driver, the main case of this package.
func geforce() *Diagnosis {
	card := func(name, compute string, mib uint64, sms, cores, bus int) report.Device {
		return report.Device{Name: name, MemoryBytes: mib << 20, Compute: compute, Readings: &report.Readings{
			SMs: &sms, Cores: &cores, BusBits: &bus,
			Clocks: report.Clocks{SM: new(139), Memory: new(405), MaxSM: new(1911), MaxMemory: new(5505)},
			Power:  report.Power{Draw: new(9.84), Limit: new(250.0)}, Temperature: new(34), Throttle: []string{},
			PCIe:        report.PCIe{Generation: new(1), Width: new(8), MaxGeneration: new(3), MaxWidth: new(16)},
			Persistence: new(false), Virtualization: new("none"),
			Unknown: []report.Unknown{
				{Field: "ecc.enabled", Why: report.WhyNotSupported}, {Field: "ecc.corrected", Why: report.WhyNotSupported},
				{Field: "mig.enabled", Why: report.WhyOldDriver}, {Field: "nvlink.links", Why: report.WhyNotSupported}},
		}}
	}
	return finished(&Diagnosis{
		Machine: report.Machine{OS: "Ubuntu 20.04.6 LTS", Arch: "amd64", CPU: "Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz",
			GPU: report.GPU{Status: report.GPUOk, Source: report.SourceNvidiaSMI, Driver: "460.91.03", CUDA: "11.2",
				Counts: &report.Counts{NVML: new(2), CUDA: new(1), Dev: new(2), Why: report.DifferVisible},
				Devices: []report.Device{card("GeForce GTX 1080 Ti", "6.1", 11178, 28, 3584, 352),
					card("GeForce RTX 3090", "8.6", 24268, 82, 10496, 384)}}},
		System: System{Kernel: "Linux 5.4.0-190-generic", Processors: 8, MemoryBytes: 64 << 30, AvailableBytes: 51 << 30, SharedBytes: 32 << 30,
			Cards: []Card{{Driver: "nvidia"}, {Driver: "nvidia"}}},
		CUDA: CUDA{Module: "460.91.03", Library: "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
			Installed: []Toolkit{{Version: "11.2", Path: "/usr/local/cuda-11.2"}}, Variables: []Variable{{"CUDA_VISIBLE_DEVICES", "0"}}},
		Pythons: []Python{
			python("", "system", "/usr/bin/python3", report.Framework{Name: "torch", Version: "2.6.0+cu124", CUDA: "12.4"}),
			python("old", "configured", "$SITE/old/bin/python", report.Framework{Name: "tensorflow", Version: "2.11.0", CUDA: "11.2"}),
			{Name: "sick", Kind: "conda", Path: "~/miniconda3/envs/sick/bin/python", Failed: "exit status 127", Frameworks: []Framework{}},
			python("cpu", "conda", "~/miniconda3/envs/cpu/bin/python", report.Framework{Name: "torch", Version: "2.6.0+cpu", CPUOnly: true}),
		},
		Tools: toolList("-", "prlimit"),
		Site: &Forecast{Pages: 8, Run: 1, Skip: 1, Fail: 1, Faults: []Fault{}, Checks: []Check{
			{Name: "lab.gpus", Kind: "gpu", Place: report.Place{File: "content/pt/gpu.md", Line: 12}, Decision: "run"},
			{Name: "lab.driver", Kind: "gpu", Place: report.Place{File: "content/pt/gpu.md", Line: 13}, Decision: "fail",
				Reason: &report.Reason{Code: report.ReasonUnmet, Need: "driver >= 525.60.13", Found: "460.91.03"}},
			{Name: "count", Kind: "python", Place: report.Place{File: "content/pt/gpu.md", Line: 31}, Decision: "skip",
				Reason: &report.Reason{Code: report.ReasonNeeds, Need: "runs cu124", Verdict: new(compat.Judge(report.Machine{GPU: report.GPU{
					Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{{Name: "GeForce RTX 3090", Compute: "8.6"}}}}, "", "cu124"))}},
		}},
	})
}

// broken has a driver that was updated while it ran, and content with errors.
func broken() *Diagnosis {
	return finished(&Diagnosis{
		Machine: report.Machine{OS: "Debian GNU/Linux 12 (bookworm)", Arch: "arm64", GPU: report.GPU{Status: report.GPUBroken,
			Code: report.CodeMismatch, Detail: "Driver/library version mismatch"}},
		System: System{Kernel: "Linux 6.1.0-22-arm64", Processors: 1, MemoryBytes: 480 << 30, LimitBytes: 16 << 30, SharedBytes: 64 << 20,
			Container: "docker", VM: "kvm", SecureBoot: new(true), Cards: []Card{{Driver: "nvidia"}, {Driver: "vfio-pci"}}},
		CUDA: CUDA{Module: "535.183.01"},
		Pythons: []Python{{Kind: "system", lacks: &report.Reason{Code: report.ReasonNoInterpreter, Program: "python3"}, Frameworks: []Framework{}},
			{Name: "slow", Kind: "venv", Path: "$SITE/slow/bin/python", Failed: PythonTimeout, Frameworks: []Framework{}}},
		Slurm: &Slurm{Version: "22.05.8", Partitions: []Partition{}, Failed: SlurmTimeout},
		Tools: toolList("bwrap: Creating new namespace failed: Operation not permitted", "prlimit"),
		Site: &Forecast{Checks: []Check{}, Faults: []Fault{
			{Place: report.Place{File: "content/es/uso-gpu.md", Line: 14}, Message: diag.Say("markdown.include-attribute-unknown", "name", "sesion")},
			{Place: report.Place{File: "gpudocs.toml"}, Message: diag.Plain("languages.es has no pages")}}},
	})
}

// wsl2 is Linux inside Windows.
func wsl2() *Diagnosis {
	return finished(&Diagnosis{
		Machine: report.Machine{OS: "Ubuntu 24.04.1 LTS", Arch: "amd64", CPU: "13th Gen Intel(R) Core(TM) i9-13900H",
			GPU: report.GPU{Status: report.GPUOk, Source: report.SourceNVML, Driver: "572.16", CUDA: "12.8", Platform: report.PlatformWSL2,
				Counts: &report.Counts{NVML: new(1), CUDA: new(1)},
				Devices: []report.Device{{Name: "NVIDIA GeForce RTX 4070 Laptop GPU", MemoryBytes: 8188 << 20, Compute: "8.9", Readings: &report.Readings{
					SMs: new(36), Cores: new(4608), Clocks: report.Clocks{Graphics: new(210), MaxGraphics: new(3105)}, Throttle: []string{"gpu-idle"},
					Temperature: new(41), Power: report.Power{Draw: new(3.1)}, Persistence: new(true),
					Unknown: []report.Unknown{{Field: "power.limit_w", Why: report.WhyNotSupported}}}}}}},
		System: System{Kernel: "Linux 5.15.167.4-microsoft-standard-WSL2", Processors: 20, MemoryBytes: 16 << 30, AvailableBytes: 900 << 20, WSL2: true},
		CUDA:   CUDA{Library: "/usr/lib/wsl/lib/libcuda.so.1"},
		Pythons: []Python{python("", "system", "/usr/bin/python3"),
			python(".venv", "venv", "$SITE/.venv/bin/python", report.Framework{Name: "torch", Version: "2.7.1+cu128", CUDA: "12.8"})},
		Tools: toolList("", "prlimit"),
	})
}

// noGPU is a laptop without a GPU.
func noGPU() *Diagnosis {
	return finished(&Diagnosis{
		Machine: report.Machine{OS: "Fedora Linux 42 (Workstation Edition)", Arch: "amd64", CPU: "AMD Ryzen 7 7840U w/ Radeon 780M Graphics",
			GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}},
		System:  System{Kernel: "Linux 6.14.0-63.fc42.x86_64", Processors: 16, MemoryBytes: 32 << 30, AvailableBytes: 20 << 30},
		Pythons: []Python{python("", "system", "/usr/bin/python3", report.Framework{Name: "torch", Version: "2.6.0+cu124", CUDA: "12.4"})},
		Tools:   toolList("", "cgroup2"),
		Site: &Forecast{Pages: 2, Run: 1, Skip: 2, Faults: []Fault{}, Checks: []Check{
			{Name: "hello", Kind: "bash", Place: report.Place{File: "content/pt/index.md", Line: 5}, Decision: "run"},
			{Name: "lab.gpus", Kind: "gpu", Place: report.Place{File: "content/pt/index.md", Line: 12}, Decision: "skip",
				Reason: &report.Reason{Code: report.ReasonNoGPU, Why: report.CodeNoLibrary}},
			{Name: "count", Kind: "python", Place: report.Place{File: "content/pt/index.md", Line: 20}, Decision: "skip",
				Reason: &report.Reason{Code: report.ReasonNeeds, Need: "gpus >= 1", Found: "0"}}}},
	})
}
