package gpu

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// orCUDA returns what CUDA said in the place of an inventory in which nobody
// answered, as in a container that was started with
// NVIDIA_DRIVER_CAPABILITIES=compute, and else the inventory.
func (h host) orCUDA(inv inventory, t told) inventory {
	a, module := t.cuda, h.moduleVersion()
	driver := module
	switch {
	case a == nil:
		return inv
	case h.namesParts(inv):
		// nvidia-smi does not know which part that is; CUDA shows it alone.
		if a.Count == nil || *a.Count == 0 {
			return inv
		}
		driver = inv.Driver
	case inv.answered():
		return inv
	}
	said := inventory{Source: report.SourceCUDA, Driver: driver, CUDA: cudaVersion(a.Version)}
	// CUDA gives the same errors where there is no driver, and where a container
	// was given none of its files: that [host.explain] tells better.
	here := module != "" && h.has("dev/nvidiactl")
	switch {
	case a.Count != nil && *a.Count > 0:
		for _, d := range t.cards {
			said.Cards = append(said.Cards, d.card())
		}
		if len(t.cards) != *a.Count {
			said.Fault = &fault{Status: report.GPUBroken, Code: report.CodeDriverFailed,
				Detail: fmt.Sprintf("CUDA counts %d GPUs and describes %d", *a.Count, len(t.cards))}
		}
	case a.Count != nil && here:
		said.Fault = &fault{Status: report.GPUNone, Code: report.CodeNoDevice, Detail: "CUDA sees no GPU"}
		if _, masked := lookup(h.env, "CUDA_VISIBLE_DEVICES"); masked {
			said.Fault.Detail += ", and CUDA_VISIBLE_DEVICES is set"
		}
	case a.fault(module) != nil:
		said.Fault = a.fault(module)
	case a.failed() && here:
		said.Fault = &fault{Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: a.Error}
	case a.Count != nil && h.platform() == "" && module == "":
		// libcuda is there, and finds no module to ask.
		said.Fault = &fault{Status: report.GPUNone, Code: report.CodeNotLoaded, Detail: "CUDA sees no GPU, and the driver's kernel module is not loaded"}
	case a.Missing && inv.Fault.Code == report.CodeUnsupported:
		// A program without cgo cannot look for NVML; where the rest of the driver is
		// missing, so is that.
		f := *inv.Fault
		f.Code, f.Detail = report.CodeNoLibrary, f.Detail+"; "+a.Error
		inv.Fault = &f
		return inv
	default:
		return inv
	}
	return said
}

// answered tells whether NVML or nvidia-smi said anything of the driver, if only
// what is wrong with it.
func (inv inventory) answered() bool {
	return inv.Fault == nil || len(inv.Cards) > 0 || inv.Source == report.SourceNVML ||
		inv.Fault.Value != 0 && inv.Fault.Value != nvmlLibraryNotFound
}

// namesParts tells whether CUDA_VISIBLE_DEVICES names a MIG device, and the
// inventory none.
func (h host) namesParts(inv inventory) bool {
	mask, _ := lookup(h.env, "CUDA_VISIBLE_DEVICES")
	return inv.Source == report.SourceNvidiaSMI && inv.Fault == nil && strings.HasPrefix(strings.TrimSpace(mask), "MIG-")
}

// card is one of which CUDA alone told. It has no PCI address, as nobody is left
// to match it with.
func (d cudaCard) card() card {
	c := card{Name: d.Name, Compute: d.Compute, Memory: d.Memory, Readings: blank()}
	r := c.Readings
	number := func(to **int, field string, n, most int) {
		why := ""
		if n < 1 || n > most {
			why = report.WhySource
		}
		put(r, to, field, n, why)
	}
	profile := migProfile(clean(d.Name, maxName))
	if profile == "" {
		number(&r.SMs, "sms", d.SMs, maxCores)
		number(&r.BusBits, "bus_bits", d.BusBits, maxCores)
		unknown(r, "cores", report.WhySource)
		completeCores(r, d.Compute)
		unknown(r, "mig.enabled", report.WhySource)
	} else {
		// These numbers are the part's, and those of the card nobody knows.
		yes := true
		r.MIG.Enabled = &yes
		r.MIG.Instances = []report.Instance{{Profile: profile, MemoryBytes: d.Memory, SMs: min(max(d.SMs, 0), maxCores)}}
		for _, field := range []string{"sms", "cores", "bus_bits"} {
			unknown(r, field, report.WhySource)
		}
	}
	number(&r.Clocks.MaxSM, "clocks.max_sm_mhz", d.MaxSM, maxMHz)
	number(&r.Clocks.MaxMemory, "clocks.max_memory_mhz", d.MaxMemory, maxMHz)
	for _, field := range cudaSilent {
		unknown(r, field, report.WhySource)
	}
	return c
}

// cudaSilent are the readings that CUDA says nothing of.
var cudaSilent = []string{
	"clocks.graphics_mhz", "clocks.sm_mhz", "clocks.memory_mhz", "clocks.max_graphics_mhz",
	"power.draw_w", "power.limit_w", "temperature_c", "throttle",
	"pcie.generation", "pcie.width", "pcie.max_generation", "pcie.max_width", "pcie.under_load",
	"ecc.enabled", "ecc.corrected", "ecc.uncorrected",
	"remapped_rows.correctable", "remapped_rows.uncorrectable", "remapped_rows.pending", "remapped_rows.failed",
	"nvlink.links", "nvlink.active", "persistence", "virtualization",
}
