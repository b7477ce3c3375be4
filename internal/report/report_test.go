package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/require"
)

// sample holds every field that a report can have, and every outcome.
func sample() *Report {
	exit := 1
	ran := time.Date(2026, 3, 14, 15, 9, 26, 535_000_000, time.UTC)
	place := Place{File: "content/pt/configuração.md", Line: 12}
	return &Report{
		Schema:    Schema,
		Generator: "gpudocs 0.1.0",
		Machine: Machine{
			Name: "deep-nine.lab_2", OS: "Debian GNU/Linux 12 (bookworm)", Arch: "amd64", CPU: "Some CPU @ 2.00GHz",
			Limits: LimitsCgroup, Sandbox: SandboxBwrap,
			GPU: GPU{
				Status: GPUOk, Code: CodeNoDevice, Detail: "the driver's words", Source: SourceNVML, Driver: "550.54.14", CUDA: "12.4",
				Devices: []Device{{Name: "NVIDIA A100-SXM4-40GB", MemoryBytes: 42949672960, Compute: "8.0"}, {Name: "odd"}},
			},
		},
		Checks: []Check{
			{
				ID: id(1), Kind: KindBash, Page: "configuração", Name: "gpus", Places: []Place{place, {File: "content/es/configuración.md", Line: 1}},
				Outcome: Passed, Ran: ran, DurationMS: 12.5, Exit: new(int), Stdout: &Stream{Text: "ok\n", Cut: 7, Bytes: 10, SHA256: "e3b0c442"}, Stderr: &Stream{Text: "<b>&\u2028"},
				Captures: []Capture{{Name: "bandwidth", Value: "812.4", Unit: "GB/s"}}, Figures: []Figure{{PNG: picture(3, 2)}},
				Interpreter: "bash 5.2.15", Packages: []Package{{Name: "torch", Version: "2.6.0"}, {Name: "jax"}},
				History: []Past{{Ran: ran, Outcome: Failed, Code: ReasonExit, DurationMS: 3.5}},
			},
			{
				ID: id(2), Kind: KindPycon, Page: "p", Name: "#2", Places: []Place{place}, Outcome: Failed, Ran: ran, DurationMS: 0, Exit: &exit,
				Reason: &Reason{Code: ReasonException, Detail: "NameError: ...", Place: &Place{File: "content/pt/p.md", Line: 14}},
				Diff:   []DiffLine{{Op: " ", Text: "a", Taken: [][2]int{{0, 1}}}, {Op: "-", Text: "b"}, {Op: "+", Text: ""}},
			},
			{
				ID: id(3), Kind: KindGPU, Page: "p", Name: "lab.driver", Places: []Place{place}, Outcome: Skipped, Ran: ran, Want: "driver >= 560", Found: "550.54.14",
				Reason: &Reason{Code: ReasonUnmet, Need: "driver >= 560", Found: "550.54.14"},
			},
			{
				ID: id(4), Kind: KindPython, Page: "p", Name: "#4", Places: []Place{place}, Outcome: Errored, Ran: ran, DurationMS: 30_000,
				Reason: &Reason{Code: ReasonTimeout, Detail: "30s"},
			},
		},
	}
}

// id makes a well-formed ID of its own for every n.
func id(n int) ID { return GPULine(string(rune('0' + n))) }

func TestFacts(t *testing.T) {
	version := func(s string) require.Value {
		v, err := require.Version(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tests := []struct {
		name string
		gpu  GPU
		want require.Machine
	}{
		{"nothing known", GPU{Status: GPUBroken}, require.Machine{}},
		{"no driver", GPU{Status: GPUNone}, require.Machine{require.GPUs: require.Count(0)}},
		{
			"a driver without a GPU", GPU{Status: GPUOk, Driver: "550.54.14", CUDA: "12.4"},
			require.Machine{require.GPUs: require.Count(0), require.Driver: version("550.54.14"), require.CUDA: version("12.4")},
		},
		{
			"the smallest and the oldest stand for all",
			GPU{Status: GPUOk, Devices: []Device{{MemoryBytes: 16 << 30, Compute: "8.10"}, {MemoryBytes: 8 << 30, Compute: "8.6"}, {MemoryBytes: 24 << 30, Compute: "9.0"}}},
			require.Machine{require.GPUs: require.Count(3), require.Memory: require.Bytes(8 << 30), require.Compute: version("8.6")},
		},
		{
			"one that does not say leaves it unknown",
			GPU{Status: GPUOk, Devices: []Device{{MemoryBytes: 16 << 30, Compute: "8.6"}, {}}},
			require.Machine{require.GPUs: require.Count(2)},
		},
		{
			"what is no version is unknown",
			GPU{Status: GPUOk, Driver: "unknown", CUDA: "N/A", Devices: []Device{{MemoryBytes: 1, Compute: "?"}}},
			require.Machine{require.GPUs: require.Count(1), require.Memory: require.Bytes(1)},
		},
		{
			"a broken driver may still tell its version",
			GPU{Status: GPUBroken, Driver: "460.91.03"},
			require.Machine{require.Driver: version("460.91.03")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.gpu.Facts(), cmp.AllowUnexported(require.Value{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
