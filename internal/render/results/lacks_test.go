package results

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/test/reporttest"
	"github.com/gpudocs/gpudocs/themes"
)

// TestNeedOf: what machines lack for the same reason is one need.
func TestNeedOf(t *testing.T) {
	unmet := func(need, found string) report.Check {
		return report.Check{Reason: &report.Reason{Code: report.ReasonNeeds, Need: need, Found: found}}
	}
	why := func(code, detail string) report.Check {
		return report.Check{Reason: &report.Reason{Code: code, Why: detail, Program: detail}}
	}
	runs := func(v report.Verdict) report.Check {
		return report.Check{Reason: &report.Reason{Code: report.ReasonNeeds, Need: "runs torch", Verdict: &v}}
	}
	for _, c := range []struct {
		check report.Check
		want  need
	}{
		{unmet("gpus >= 1", "0"), needGPU},
		{unmet("gpus > 0", "0"), needGPU},
		{why(report.ReasonNoGPU, report.CodeNoDevice), needGPU},
		{unmet("memory >= 8 GiB", ""), needGPU},
		{runs(report.Verdict{By: report.ByNoDriver}), needGPU},
		{unmet("gpus >= 2", "1"), need{"exact", "gpus >= 2"}},
		{unmet("memory >= 8 GiB", "6.0 GiB"), need{kind: "memory"}},
		{unmet("driver >= 550", "460.91"), need{kind: "driver"}},
		{runs(report.Verdict{By: report.ByDriver}), need{kind: "driver"}},
		{runs(report.Verdict{By: report.ByNotInstalled, What: "torch"}), need{"software", "PyTorch"}},
		{unmet("torch >= 2.7", ""), need{"software", "PyTorch"}},
		{unmet("torch >= 2.7", "1.13.0"), need{"exact", "torch >= 2.7"}},
		{unmet(`has("cmake")`, ""), need{"software", "cmake"}},
		{unmet(`module("cuda/12")`, ""), need{"exact", `module("cuda/12")`}},
		{unmet("machine == deepten", "deepnine"), need{"exact", "machine == deepten"}},
		{unmet("os == Debian*", "Fedora"), need{"exact", "os == Debian*"}},
		{unmet("not an expression", ""), need{"exact", "not an expression"}},
		{why(report.ReasonNoSandbox, ""), need{kind: "sandbox"}},
		{why(report.ReasonNoInterpreter, "julia"), need{"software", "julia"}},
	} {
		c.check.Outcome = report.Skipped
		m := report.Machine{GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}, Environments: []report.Environment{{}},
			Answers: []report.Answer{{Ask: `has("cmake")`}, {Ask: `module("cuda/12")`}}}
		if got := needOf(Finding{Machine: &Machine{}, Check: &c.check}, compat.Facts(m, "")); got != c.want {
			t.Errorf("%s: got %+v, want %+v", reporttest.Text(c.check), got, c.want)
		}
	}
}

// TestUnknown: a machine that may have what is asked for does not lack it.
func TestUnknown(t *testing.T) {
	gpus := func(list ...report.Device) report.Machine {
		return report.Machine{Cores: 8, GPU: report.GPU{Status: report.GPUOk, Driver: "580.65.06", CUDA: "13.0", Devices: list}}
	}
	whole := report.Device{Name: "NVIDIA A100-SXM4-40GB", MemoryBytes: 40 << 30, Compute: "8.0"}
	gb10 := report.Device{Name: "NVIDIA GB10", Compute: "12.1"}
	parent := report.Device{Name: "NVIDIA A100-SXM4-40GB", MemoryBytes: 40 << 30, Readings: &report.Readings{MIG: report.MIG{Enabled: new(true)}}}
	noDriver := gpus(whole)
	noDriver.GPU.Driver, noDriver.GPU.CUDA = "", ""
	broken := report.Machine{GPU: report.GPU{Status: report.GPUBroken, Code: report.CodeMismatch}}
	none := report.Machine{GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoDevice}}
	for _, c := range []struct {
		m    report.Machine
		need string
		want string
	}{
		{gpus(gb10), "memory >= 8 GiB", "1 not run (GPU memory not known on this machine)"},
		{gpus(gb10), "not memory < 8 GiB", "1 not run (GPU memory not known on this machine)"},
		{gpus(parent), "memory >= 8 GiB", "1 not run (GPU memory not known on this machine)"},
		{gpus(report.Device{Name: "Orin (nvgpu)"}), "compute >= 8.7", "1 not run (compute capability not known on this machine)"},
		{gpus(whole, gb10), "memory >= 8 GiB", "1 not run (GPU memory not known on this machine)"},
		{gpus(whole), "memory >= 80 GiB", "1 needs a GPU with more memory"},
		{noDriver, "driver >= 590", "1 not run (driver not known on this machine)"},
		{noDriver, "cuda >= 13.1", "1 not run (CUDA not known on this machine)"},
		{gpus(whole), "ram >= 16 GiB", "1 not run (memory not known on this machine)"},
		{gpus(whole), "torch >= 2.6", "1 not run (PyTorch not known on this machine)"},
		{gpus(whole), `has("cmake")`, "1 not run (the program cmake not known on this machine)"},
		{broken, "gpus >= 1", "1 not run (gpus not known on this machine)"},
		{none, "memory >= 8 GiB", "1 needs a GPU"},
		{none, "driver >= 550", "1 needs a GPU"},
	} {
		e, err := ask.Parse(c.need)
		if err != nil {
			t.Fatal(err)
		}
		facts := compat.Facts(c.m, "")
		v := e.Judge(facts)
		if unknown := strings.Contains(c.want, "not known"); unknown != (v.Answer == ask.Unknown) {
			t.Errorf("%s: %+v", c.need, v)
		}
		check := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNeeds, Need: v.Need, Found: v.Found}}
		block := BlockStatus{&site.Block{Name: "a"}, []MachineStatus{{Place: 1, need: needOf(Finding{Machine: &Machine{}, Check: &check}, facts)}}, nil}
		list := needs(themeTexts(t), []BlockStatus{block}, func(b BlockStatus) (MachineStatus, int) { return b.machines[0], 1 })
		if list[0].Text != c.want || list[0].Nowhere == list[0].Unknown {
			t.Errorf("%s: %+v, want %s", c.need, list, c.want)
		}
	}
}

// TestNoCode: what would help where software has no code for the GPU depends on which of the two is older.
func TestNoCode(t *testing.T) {
	for _, c := range []struct{ gpu, torch, need, want string }{
		{"NVIDIA GeForce RTX 5090 12.0", "2.6.0+cu124", "runs torch", "a newer PyTorch"},
		{"NVIDIA GeForce RTX 5090 12.0", "", "runs cu124", "CUDA 12.8 or newer"},
		{"NVIDIA B300 10.3", "", "runs cu126", "CUDA 12.9 or newer"},
		{"NVIDIA H100 PCIe 9.0", "", "runs cu112", "CUDA 11.8 or newer"},
		{"Tesla K80 3.7", "2.6.0+cu124", "runs torch", "a newer GPU"},
		{"Tesla V100-SXM2-16GB 7.0", "", "runs cu130", "a newer GPU"},
		{"NVIDIA of tomorrow 30.0", "", "runs cu130", "a newer CUDA"},
		{"NVIDIA GPU ?", "", "runs cu124", "compute capability"},
		{"NVIDIA L4 8.9", "", "runs numba", "Numba"},
		{"NVIDIA L4 8.9", "2.6.0+cpu", "runs torch", "PyTorch with CUDA"},
		{"NVIDIA L4 8.9", "2.6.0+rocm6.2", "runs torch", "PyTorch with CUDA"},
	} {
		at := strings.LastIndexByte(c.gpu, ' ')
		m := report.Machine{Arch: "amd64", GPU: report.GPU{Status: report.GPUOk, Driver: "595.45.04", CUDA: "13.2", Devices: []report.Device{{Name: c.gpu[:at], Compute: c.gpu[at+1:]}}},
			Environments: []report.Environment{{Frameworks: []report.Framework{{Name: "torch", Version: c.torch, CPUOnly: strings.HasSuffix(c.torch, "+cpu"), ROCm: strings.Contains(c.torch, "rocm")}}}}}
		v := compat.Judge(m, "", strings.TrimPrefix(c.need, "runs "))
		check := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNeeds, Need: c.need, Verdict: &v}}
		if got := needOf(Finding{Machine: &Machine{}, Check: &check}, compat.Facts(m, "")).in(themeTexts(t)); v.Runs() || got != c.want {
			t.Errorf("%s on %s: %q, want %q (%+v)", c.need, c.gpu, got, c.want, v)
		}
	}
	// What is not known of a machine is not what it lacks.
	l4 := report.GPU{Status: report.GPUOk, Driver: "N/A", Devices: []report.Device{{Name: "NVIDIA L4", Compute: "8.9"}}}
	for what, m := range map[string]report.Machine{
		"cu130": {GPU: l4}, "torch": {GPU: report.GPU{Status: report.GPUOk, Driver: "595.45.04", CUDA: "13.2", Devices: l4.Devices}},
		"cu118": {GPU: report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported}},
	} {
		v := compat.Judge(m, "", what)
		check := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNeeds, Need: "runs " + what, Verdict: &v}}
		want := map[string]need{"cu130": unknown(ask.Driver), "torch": unknown("torch"), "cu118": unknown(ask.GPUs)}[what]
		if got := needOf(Finding{Machine: &Machine{}, Check: &check}, compat.Facts(m, "")); got != want {
			t.Errorf("%s: %+v, want %+v (%+v)", what, got, want, v)
		}
	}
}

// TestNeeds: equal needs are counted together, the most frequent first, and link to the first block.
func TestNeeds(t *testing.T) {
	lacks := func(name string, n need, s standing.Standing) BlockStatus {
		return BlockStatus{&site.Block{Name: name}, []MachineStatus{{State: standing.State{Standing: s}, Place: 1, need: n}}, []site.GPULine{{ID: "x"}}}
	}
	torch := need{"software", "PyTorch"}
	list := needs(themeTexts(t), []BlockStatus{lacks("a", torch, standing.NotApplicable), lacks("b", needGPU, standing.NotApplicable), lacks("c", needGPU, standing.NotApplicable),
		lacks("d", torch, standing.Passed)}, func(b BlockStatus) (MachineStatus, int) {
		return b.machines[0], boolean(b.machines[0].Standing == standing.NotApplicable)
	})
	if len(list) != 2 || list[0].N != 2 || list[1].N != 1 || list[0].URL != "#"+resultID(&site.Block{Name: "b"}, MachineStatus{Place: 1}) {
		t.Errorf("got %+v", list)
	}
}

// TestPartly: a result of which not all demands were met says how many were. Answers do not count.
func TestPartly(t *testing.T) {
	yes := report.Check{Kind: report.KindGPU, Want: "torch", Asks: true, Outcome: report.Passed}
	passed := report.Check{Kind: report.KindGPU, Want: "driver >= 1", Outcome: report.Passed}
	lacks := report.Check{Kind: report.KindGPU, Want: "memory >= 1 GiB", Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNoGPU}}
	for _, c := range []struct {
		checks []report.Check
		want   string
	}{
		{[]report.Check{passed}, "passed"},
		{[]report.Check{passed, yes}, "passed"},
		{[]report.Check{passed, passed, lacks, yes}, "passed (2 of 3)"},
		{[]report.Check{lacks}, "not applicable"},
		{[]report.Check{yes}, "yes"},
		{[]report.Check{yes, yes}, "answered"},
	} {
		var findings []Finding
		for i := range c.checks {
			findings = append(findings, Finding{Machine: &Machine{}, Check: &c.checks[i]})
		}
		if got := newResult(&Machine{}, findings...).text(themeTexts(t)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.checks, got, c.want)
		}
	}
}

func themeTexts(t *testing.T) text.Catalog {
	t.Helper()
	c, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
