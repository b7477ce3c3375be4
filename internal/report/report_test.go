package report

import (
	"os"
	"runtime/debug"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMain collects garbage less often; otherwise it takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// sample returns a report with every field and every outcome.
func sample() *Report {
	exit := 1
	run, ran := time.Date(2026, 3, 14, 15, 9, 0, 0, time.UTC), time.Date(2026, 3, 14, 15, 9, 26, 535_000_000, time.UTC)
	place := Place{File: "content/pt/configuração.md", Line: 12}
	return &Report{
		Schema:    Schema,
		Generator: "gpudocs 0.1.0",
		Machine: Machine{
			Name: "deep-nine.lab_2", OS: "Debian GNU/Linux 12 (bookworm)", Arch: "amd64", CPU: "Some CPU @ 2.00GHz",
			Limits: LimitsCgroup, Sandbox: SandboxBwrap, Containment: ContainmentNamespace,
			Environments: []Environment{{Name: "torch", Interpreter: "Python 3.12.4", Frameworks: []Framework{
				{Name: "torch", Version: "2.6.0+cu124", CUDA: "12.4", CPUOnly: true, ROCm: true}}}},
			GPU: GPU{
				Status: GPUOk, Code: CodeNoDevice, Detail: "the driver's words", Source: SourceNVML, Driver: "550.54.14", CUDA: "12.4",
				Compat: "12.8", Platform: "docker", Counts: &Counts{NVML: new(2), CUDA: new(1), Why: DifferVisible},
				Devices: []Device{{Name: "NVIDIA A100-SXM4-40GB", MemoryBytes: 42949672960, Compute: "8.0", Readings: readings()}, {Name: "odd"}},
			},
			Had: &Had{Devices: []Device{{Name: "NVIDIA L4"}}, Ran: ran},
		},
		Checks: []Check{
			{
				ID: id(1), Kind: KindBash, Page: "configuração", Name: "gpus", Places: []Place{place, {File: "content/es/configuración.md", Line: 1}},
				Outcome: Passed, Run: run, Ran: ran, DurationMS: 12.5, Exit: new(int), Stdout: &Stream{Text: "ok\n", Cut: 7, Bytes: 10, SHA256: "e3b0c442"}, Stderr: &Stream{Text: "<b>&\u2028"},
				Captures: []Capture{{Name: "bandwidth", Value: "812.4", Unit: "GB/s", Bound: "[-5%, +20%]", Reference: 800,
					Drift: &Drift{N: 20, Median: 811.9, Allowed: 0.1, Drifted: true, Why: DriftFew}}}, Figures: []Figure{{PNG: picture(3, 2)}, {JPEG: photo(3, 2)}, {SVG: drawing}, {HTML: "<b>1</b>"}, {LaTeX: "$x$"}},
				Interpreter: "bash 5.2.15", Packages: []Package{{Name: "torch", Version: "2.6.0"}, {Name: "jax"}},
				History: []Past{{Run: run.AddDate(0, 0, -1), Ran: ran.AddDate(0, 0, -1), Outcome: Failed, Code: ReasonExit, DurationMS: 3.5, Captures: []Capture{{Name: "bandwidth", Value: "811.9", Unit: "GB/s"}}, Changed: true, SameCode: true}},
			},
			{
				ID: id(2), Kind: KindPycon, Page: "p", Name: "#2", Places: []Place{place}, Outcome: Failed, Run: run, Ran: ran, DurationMS: 0, Exit: &exit,
				Reason: &Reason{Code: ReasonException, Said: "NameError: ...", Place: &Place{File: "content/pt/p.md", Line: 14}},
				Diff:   []DiffLine{{Op: " ", Text: "a", Taken: [][2]int{{0, 1}}}, {Op: "-", Text: "b"}, {Op: "+", Text: ""}},
			},
			{
				ID: id(3), Kind: KindGPU, Page: "p", Name: "lab.driver", Places: []Place{place}, Outcome: Skipped, Run: run, Ran: ran, Want: "driver >= 560", Found: "550.54.14",
				Reason: &Reason{Code: ReasonUnmet, Need: "driver >= 560", Found: "550.54.14"},
			},
			{
				ID: id(4), Kind: KindSbatch, Page: "p", Name: "#4", Places: []Place{place}, Outcome: Errored, Run: run, Ran: ran, DurationMS: 30_000,
				Reason: &Reason{Code: ReasonTimeout, Limit: &Limit{LimitTime, 30}}, Stdout: &Stream{Text: "a\n"},
				Tasks: []Task{{Index: 17, Outcome: Passed, Exit: &exit, DurationMS: 250.5, Bytes: 2}, {Index: 19, Outcome: Failed, Reason: &Reason{Code: ReasonSlurm, Why: JobEnded, Said: "NODE_FAIL"}}},
			},
			{
				ID: id(5), Kind: KindGPU, Page: "p", Name: "lab.runs", Places: []Place{place}, Outcome: Failed, Run: run, Ran: ran, Want: "runs torch", Asks: true,
				Reason: &Reason{Code: ReasonUnmet, Need: "runs torch", Found: "driver 550.54.14", Verdict: &Verdict{What: "torch", Answer: RunsNo, By: ByDriver,
					Version: "2.9.0+cu130", Toolkit: "13.0", Driver: "550.54.14", CUDA: "12.4", NeedDriver: "580.65.06", NeedMinor: "580.65.06",
					GPU: "NVIDIA A100-SXM4-40GB", Compute: "8.0", NeedCompute: "7.5-12.0"}},
			},
			{
				ID: id(6), Kind: KindGPU, Page: "p", Name: "lab.matmul", Places: []Place{place}, Outcome: Passed, Run: run, Ran: ran, Want: "matmul n=4096 dtype=fp32",
				Measurement: &Measurement{What: "matmul", N: 4096, DType: "fp32", Unit: "TFLOP/s", GPUs: []Measured{
					{Backend: "cuBLAS 12.8.4", Runs: 20, Median: 8.5, Min: 8.25, P90: 9.5, Rate: 16.25, Returned: 0.5, Waited: 8.75, MaxError: 1e-7, Tolerance: 1e-5,
						Clock: 1410, PowerDraw: 250.5, Throttle: []string{"sw-power-cap"}, Peak: 19.5, Wrong: true},
					{Device: 1, Why: WhyNoMemory, Detail: "out of memory", Peers: []Peer{{Device: 2, Rate: 25.5, Direct: true, Wrong: true}}}},
					CPU: &MeasuredCPU{Library: "OpenBLAS 0.3.21", Threads: 2, N: 1024, Runs: 5, Median: 1000.5, Rate: 0.125, Why: WhyNoLibrary, Detail: "none found"}},
			},
			{
				ID: id(7), Kind: "cuda", Page: "p", Name: "saxpy", Places: []Place{place}, Outcome: Failed, Run: run, Ran: ran,
				Reason: &Reason{Code: ReasonBuild, Exit: &exit}, Exit: &exit,
				Build: &Build{Outcome: Failed, DurationMS: 1900.5, Tool: "nvcc 12.4.131", Cached: true, Stdout: &Stream{Text: "a"}, Stderr: &Stream{Text: "b"}},
			},
		},
	}
}

// readings returns known and unknown values of a GPU.
func readings() *Readings {
	return &Readings{
		SMs: new(108), Cores: new(6912), BusBits: new(5120), Temperature: new(34), Throttle: []string{"gpu-idle"},
		Clocks: Clocks{Graphics: new(210), SM: new(210), Memory: new(1215), MaxGraphics: new(1410), MaxSM: new(1410), MaxMemory: new(1215)},
		Power:  Power{Draw: new(52.5), Limit: new(400.5)},
		PCIe:   PCIe{Generation: new(4), Width: new(16), MaxGeneration: new(4), MaxWidth: new(16), UnderLoad: true},
		ECC:    ECC{Enabled: new(true), Corrected: new(uint64(0)), Uncorrected: new(uint64(1))},
		Rows:   Rows{Correctable: new(0), Uncorrectable: new(1), Pending: new(true), Failed: new(false)},
		MIG:    MIG{Enabled: new(true), Instances: []Instance{{Profile: "1g.5gb", MemoryBytes: 4 << 30, SMs: 14}}},
		NVLink: NVLink{Links: new(12), Active: new(12)}, Persistence: new(true),
		Unknown: []Unknown{{Field: "virtualization", Why: WhyNotSupported}},
	}
}

// TestSameDevice: results of a GPU stay valid for it when its readings change, and not for
// another model or another division.
func TestSameDevice(t *testing.T) {
	device := func(change func(*Device)) Device {
		d := Device{Name: "NVIDIA A100", MemoryBytes: 40 << 30, Compute: "8.0", Readings: readings()}
		change(&d)
		return d
	}
	base := device(func(*Device) {})
	for _, tt := range []struct {
		name   string
		change func(*Device)
		same   bool
	}{
		{"nothing", func(*Device) {}, true},
		{"temperature and clocks", func(d *Device) { d.Readings.Temperature, d.Readings.Clocks.SM = new(80), nil }, true},
		{"name", func(d *Device) { d.Name = "NVIDIA A30" }, false},
		{"memory", func(d *Device) { d.MemoryBytes *= 2 }, false},
		{"compute capability", func(d *Device) { d.Compute = "8.6" }, false},
		{"MIG profile", func(d *Device) { d.Readings.MIG.Instances[0].Profile = "2g.10gb" }, false},
		{"one more MIG device", func(d *Device) { d.Readings.MIG.Instances = append(d.Readings.MIG.Instances, Instance{}) }, false},
		{"no MIG device", func(d *Device) { d.Readings.MIG.Instances = nil }, false},
		{"no readings", func(d *Device) { d.Readings = nil }, false},
	} {
		other := device(tt.change)
		if base.Same(other) != tt.same || other.Same(base) != tt.same {
			t.Errorf("%s: got SameDevice %v", tt.name, !tt.same)
		}
	}
	if a, b := (Device{Name: "a"}), (Device{Name: "a", Readings: &Readings{}}); !a.Same(b) {
		t.Error("a GPU without readings differs from an undivided one")
	}
	// Another kernel leaves a little more or less of the machine's memory.
	shared := func(mib uint64) Device {
		return Device{Name: "NVIDIA GB10", MemoryBytes: mib << 20, MemoryShared: true}
	}
	if a := shared(122502); !a.Same(shared(122489)) || a.Same(Device{Name: "NVIDIA GB10"}) {
		t.Error("shared memory is compared by its size")
	}
}

// id returns a well-formed ID, a different one for every n.
func id(n int) ID { return GPULine(string(rune('0' + n))) }

// TestOutputs: the output of a check is that of its tasks, unless it has been shortened.
func TestOutputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		bytes []int
		want  []string
	}{
		{"abc", []int{1, 0, 2}, []string{"a", "", "bc"}}, {"abc", []int{1, 1}, nil}, {"a", []int{1, 1}, nil}, {"", []int{0}, []string{""}}, {"a", []int{-1, 2}, nil}, {"a", nil, nil},
	} {
		check := Check{Stdout: &Stream{Text: c.text}}
		for _, n := range c.bytes {
			check.Tasks = append(check.Tasks, Task{Bytes: n})
		}
		if d := cmp.Diff(c.want, check.Outputs()); d != "" {
			t.Errorf("%q %v: %s", c.text, c.bytes, d)
		}
	}
}

func TestPlace(t *testing.T) {
	for want, p := range map[string]Place{
		"content/pt/a.md:3":                  {File: "content/pt/a.md", Line: 3},
		"content/pt/a.ipynb, cell 4, line 2": {File: "content/pt/a.ipynb", Cell: 4, Line: 2},
	} {
		if p.String() != want {
			t.Errorf("%q, want %q", p, want)
		}
	}
}
