package gpu

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// orCUDA replaces the inventory with the answer of CUDA if neither NVML nor nvidia-smi
// answered, as in a container started with NVIDIA_DRIVER_CAPABILITIES=compute.
func (h host) orCUDA(inv inventory, t probeOutput) inventory {
	a, module := t.cuda, h.moduleVersion()
	driver := module
	switch {
	case a == nil:
		return inv
	case h.namesParts(inv):
		// nvidia-smi does not list MIG devices by UUID. CUDA lists only this one.
		if a.Count == nil || *a.Count == 0 {
			return inv
		}
		driver = inv.Driver
	case inv.answered():
		return inv
	}
	answer := inventory{Source: report.SourceCUDA, Driver: driver, CUDA: cudaVersion(a.Version)}
	// CUDA returns the same errors if there is no driver and if a container got none of
	// its files. [host.explain] distinguishes them.
	driverPresent := module != "" && h.has("dev/nvidiactl")
	switch {
	case a.Count != nil && *a.Count > 0:
		for _, d := range t.gpus {
			answer.GPUs = append(answer.GPUs, d.info())
		}
		if len(t.gpus) != *a.Count {
			answer.Fault = brokenGPU(report.CodeDriverFailed, fmt.Sprintf("CUDA counts %d GPUs and describes %d", *a.Count, len(t.gpus)))
		}
	case a.Count != nil && driverPresent:
		answer.Fault = noGPU(report.CodeNoDevice, "")
		if _, masked := lookup(h.env, "CUDA_VISIBLE_DEVICES"); masked {
			answer.Fault.Detail = "CUDA_VISIBLE_DEVICES"
		}
	case a.fault(module) != nil:
		answer.Fault = a.fault(module)
	case a.failed() && driverPresent:
		answer.Fault = brokenGPU(report.CodeDriverFailed, a.Error)
	case a.Count != nil && h.platform() == "" && module == "":
		// libcuda is installed, and finds no kernel module.
		answer.Fault = noGPU(report.CodeNotLoaded, "")
	case a.Missing && inv.Fault.Code == report.CodeUnsupported:
		// A program without cgo cannot load NVML. If the rest of the driver is missing,
		// so is NVML.
		f := *inv.Fault
		f.Code, f.Detail = report.CodeNoLibrary, f.Detail+"; "+a.Error
		inv.Fault = &f
		return inv
	default:
		return inv
	}
	return answer
}

// answered reports whether NVML or nvidia-smi reported anything about the driver, even
// if only an error.
func (inv inventory) answered() bool {
	return inv.Fault == nil || len(inv.GPUs) > 0 || inv.Source == report.SourceNVML ||
		inv.Fault.Value != 0 && inv.Fault.Value != nvmlLibraryNotFound
}

// namesParts reports whether CUDA_VISIBLE_DEVICES names a MIG device and the inventory
// has none.
func (h host) namesParts(inv inventory) bool {
	mask, _ := lookup(h.env, "CUDA_VISIBLE_DEVICES")
	return inv.Source == report.SourceNvidiaSMI && inv.Fault == nil && strings.HasPrefix(strings.TrimSpace(mask), "MIG-")
}

// info converts a GPU that only CUDA has listed. It has no PCI address, because it need
// not be matched.
func (d cudaGPU) info() gpuInfo {
	c := gpuInfo{Name: d.Name, Compute: d.Compute, Memory: d.Memory, Shared: d.Integrated, Readings: blank()}
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
		// These are the numbers of the MIG device. Those of the GPU are not known.
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

// cudaSilent are the readings that CUDA does not have.
var cudaSilent = []string{
	"clocks.graphics_mhz", "clocks.sm_mhz", "clocks.memory_mhz", "clocks.max_graphics_mhz",
	"power.draw_w", "power.limit_w", "temperature_c", "throttle",
	"pcie.generation", "pcie.width", "pcie.max_generation", "pcie.max_width", "pcie.under_load",
	"ecc.enabled", "ecc.corrected", "ecc.uncorrected",
	"remapped_rows.correctable", "remapped_rows.uncorrectable", "remapped_rows.pending", "remapped_rows.failed",
	"nvlink.links", "nvlink.active", "persistence", "virtualization",
}
