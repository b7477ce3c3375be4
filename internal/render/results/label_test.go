package results

import (
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestCards checks the short names of machines' GPUs.
func TestCards(t *testing.T) {
	t.Parallel()
	machine := func(gib uint64, names ...string) *Machine {
		m := &Machine{}
		for _, n := range names {
			m.GPU.Devices = append(m.GPU.Devices, report.Device{Name: n, MemoryBytes: gib << 30})
		}
		return m
	}
	for _, c := range []struct {
		machines []*Machine
		want     []string
	}{
		{[]*Machine{machine(8, "NVIDIA GeForce RTX 2070"), machine(0)}, []string{"RTX 2070", ""}},
		{[]*Machine{machine(40, "NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"), machine(12, "Tesla K80", "NVIDIA L4")}, []string{"2 × A100", "K80 + L4"}},
		{[]*Machine{machine(40, "NVIDIA A100-SXM4-40GB"), machine(80, "NVIDIA A100 80GB PCIe"), machine(0, "NVIDIA A100-PCIE-40GB")}, []string{"A100 40 GB", "A100 80 GB", "A100"}},
		{[]*Machine{machine(8, "NVIDIA GeForce RTX 4060 Laptop GPU"), machine(96, "NVIDIA GH200 480GB"), machine(6, "NVIDIA GeForce GTX 1060 6GB")}, []string{"RTX 4060 Laptop", "GH200", "GTX 1060"}},
		{[]*Machine{machine(48, "NVIDIA RTX 6000 Ada Generation"), machine(80, "NVIDIA H100 80GB HBM3"), machine(1, "NVIDIA")}, []string{"RTX 6000 Ada", "H100", "NVIDIA"}},
	} {
		if got := cardsOf(c.machines); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestCPU checks the short names of machines' CPUs.
func TestCPU(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Intel(R) Xeon(R) Processor":                 "Intel Xeon",
		"AMD EPYC 7R13 48-Core Processor":            "AMD EPYC 7R13",
		"Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz":    "Intel Core i7-8700",
		"AMD Ryzen 7 5800H with Radeon Graphics":     "AMD Ryzen 7 5800H",
		"13th Gen Intel(R) Core(TM) i9-13900K":       "Intel Core i9-13900K",
		"AMD Ryzen 5 PRO 4650U w/ Radeon Graphics ":  "AMD Ryzen 5 PRO 4650U",
		"AMD Ryzen Threadripper PRO 5995WX 64-Cores": "AMD Ryzen Threadripper PRO 5995WX",
		"Neoverse-V2": "Neoverse-V2",
		"":            "",
	} {
		if got := CPU(&Machine{Machine: report.Machine{CPU: name}}); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
