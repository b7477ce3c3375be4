package gpu

import (
	"math"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// readings returns the values of a GPU in the XML. If their place depends on the driver, all
// places are listed, first the one with the same meaning as NVML's value:
//
//   - before 525, power is in power_readings, with power_limit (requested by software) and
//     enforced_power_limit (in effect); since then in gpu_power_readings, with
//     requested_power_limit and current_power_limit;
//   - since 560 there is no power_draw but average_power_draw and instant_power_draw; power_draw
//     was the average over a second on GPUs that have one (manual page, "Power Draw");
//   - clocks_throttle_reasons are clocks_event_reasons since 535;
//   - ECC errors are counted as single_bit and double_bit of a total on GPUs before Ampere, and
//     by memory on newer ones; since 545 the uncorrectable errors of the SRAM are counted by how
//     they were found.
//
// Sources: the DTD in nvidia-smi 535, and its manual page with the list of
// changes, https://docs.nvidia.com/deploy/nvidia-smi/.
func (g smiGPU) readings() *report.Readings {
	r := blank()
	v := values{g.record, r}
	for _, missing := range []string{"sms", "cores", "bus_bits", "nvlink.links", "nvlink.active", "pcie.under_load"} {
		unknown(r, missing, report.WhySource)
	}
	v.integer(&r.Clocks.Graphics, "clocks.graphics_mhz", "MHz", "clocks/graphics_clock")
	v.integer(&r.Clocks.SM, "clocks.sm_mhz", "MHz", "clocks/sm_clock")
	v.integer(&r.Clocks.Memory, "clocks.memory_mhz", "MHz", "clocks/mem_clock")
	v.integer(&r.Clocks.MaxGraphics, "clocks.max_graphics_mhz", "MHz", "max_clocks/graphics_clock")
	v.integer(&r.Clocks.MaxSM, "clocks.max_sm_mhz", "MHz", "max_clocks/sm_clock")
	v.integer(&r.Clocks.MaxMemory, "clocks.max_memory_mhz", "MHz", "max_clocks/mem_clock")
	v.number(&r.Power.Draw, "power.draw_w", "W", "gpu_power_readings/power_draw", "gpu_power_readings/average_power_draw",
		"gpu_power_readings/instant_power_draw", "power_readings/power_draw")
	v.number(&r.Power.Limit, "power.limit_w", "W", "gpu_power_readings/current_power_limit", "power_readings/enforced_power_limit")
	v.integer(&r.Temperature, "temperature_c", "C", "temperature/gpu_temp")
	v.throttle()
	v.integer(&r.PCIe.Generation, "pcie.generation", "", link+"pcie_gen/current_link_gen")
	v.integer(&r.PCIe.Width, "pcie.width", "x", link+"link_widths/current_link_width")
	v.integer(&r.PCIe.MaxGeneration, "pcie.max_generation", "", link+"pcie_gen/max_link_gen")
	v.integer(&r.PCIe.MaxWidth, "pcie.max_width", "x", link+"link_widths/max_link_width")
	v.flag(&r.ECC.Enabled, "ecc.enabled", "ecc_mode/current_ecc")
	v.sum(&r.ECC.Corrected, "ecc.corrected", "sram_correctable", "dram_correctable", "single_bit/total")
	v.sum(&r.ECC.Uncorrected, "ecc.uncorrected", "sram_uncorrectable", "sram_uncorrectable_parity", "sram_uncorrectable_secded",
		"dram_uncorrectable", "double_bit/total")
	v.integer(&r.Rows.Correctable, "remapped_rows.correctable", "", "remapped_rows/remapped_row_corr")
	v.integer(&r.Rows.Uncorrectable, "remapped_rows.uncorrectable", "", "remapped_rows/remapped_row_unc")
	v.flag(&r.Rows.Pending, "remapped_rows.pending", "remapped_rows/remapped_row_pending")
	v.flag(&r.Rows.Failed, "remapped_rows.failed", "remapped_rows/remapped_row_failure")
	v.flag(&r.MIG.Enabled, "mig.enabled", "mig_mode/current_mig")
	r.MIG.Instances = g.instances()
	v.flag(&r.Persistence, "persistence", "persistence_mode")
	fill(v, &r.Virtualization, "virtualization", []string{"gpu_virtualization_mode/virtualization_mode"}, func(text string) (string, bool) {
		word, ok := virtualization[strings.ToLower(text)]
		return word, ok
	})
	return r
}

const link = "pci/pci_gpu_link_info/"

// virtualization maps nvidia-smi's words to those of a report.
var virtualization = map[string]string{
	"none": "none", "pass-through": "passthrough", "vgpu": "vgpu", "host vgpu": "host-vgpu", "host vsga": "host-vsga",
}

// values fill readings from a record.
type values struct {
	record
	*report.Readings
}

// fill sets a field to the first text at one of the paths that parse accepts. If there is none,
// the first text is the reason why the value is unknown.
func fill[T any](v values, to **T, field string, paths []string, parse func(text string) (T, bool)) {
	why := report.WhySource
	for _, p := range paths {
		text, ok := v.at(p)
		if !ok {
			continue
		}
		if value, ok := parse(text); ok {
			put(v.Readings, to, field, value, "")
			return
		}
		if why == report.WhySource {
			why = whyNull(text)
		}
	}
	unknown(v.Readings, field, why)
}

// whyNull returns the meaning of a text in the place of a value. Some are messages of
// nvmlErrorString.
func whyNull(text string) string {
	switch bare(text) {
	case "N/A", "Not Supported", "Not supported", "None":
		return report.WhyNotSupported
	case "Insufficient Permissions", "No Permission":
		return report.WhyPermission
	case "GPU is lost", "GPU requires reset":
		return report.WhyLost
	case "Function Not Found":
		return report.WhyOldDriver
	}
	return report.WhyFailed
}

func (v values) number(to **float64, field, unit string, paths ...string) {
	fill(v, to, field, paths, func(text string) (float64, bool) { return quantity(text, unit) })
}

func (v values) integer(to **int, field, unit string, paths ...string) {
	fill(v, to, field, paths, func(text string) (int, bool) {
		x, ok := quantity(text, unit)
		return int(x), ok && x == math.Trunc(x) && x <= math.MaxInt32
	})
}

func (v values) flag(to **bool, field, path string) {
	fill(v, to, field, []string{path}, func(text string) (on, ok bool) {
		on = text == "Enabled" || text == "Yes"
		return on, on || text == "Disabled" || text == "No"
	})
}

// sum adds the counters of errors since the driver was loaded.
func (v values) sum(to **uint64, field string, counters ...string) {
	var paths []string
	for _, c := range counters {
		paths = append(paths, "ecc_errors/volatile/"+c)
	}
	var total uint64
	why := v.all(paths, func(_ int, text string) bool {
		n, ok := quantity(text, "")
		ok = ok && n == math.Trunc(n)
		if ok {
			total += uint64(n)
		}
		return ok
	})
	put(v.Readings, to, field, total, why)
}

// throttle sets the reasons for low clocks that are active. The list may be empty.
func (v values) throttle() {
	var paths []string
	for _, t := range throttleBits {
		paths = append(paths, "clocks_event_reasons/clocks_event_reason_"+t.smi, "clocks_throttle_reasons/clocks_throttle_reason_"+t.smi)
	}
	active := []string{}
	why := v.all(paths, func(i int, text string) bool {
		if text == "Active" {
			active = append(active, throttleBits[i/2].code)
		}
		return text == "Active" || text == "Not Active"
	})
	if why != "" {
		unknown(v.Readings, "throttle", why)
		return
	}
	v.Throttle = slices.Compact(active)
}

// all calls parse with the text at each path. It returns "" if parse accepted some of them and
// the GPU does not have the others, or else why the value is unknown.
func (v values) all(paths []string, parse func(i int, text string) bool) (why string) {
	accepted, why := false, report.WhySource
	for i, p := range paths {
		text, ok := v.at(p)
		switch {
		case !ok:
		case parse(i, text):
			accepted = true
		case why == report.WhySource, why == report.WhyNotSupported:
			why = whyNull(text)
		}
	}
	if accepted && (why == report.WhySource || why == report.WhyNotSupported) {
		return ""
	}
	return why
}

// instances lists the MIG devices; the XML does not name their profiles.
func (g smiGPU) instances() (list []report.Instance) {
	for _, m := range g.mig[:min(len(g.mig), maxInstances)] {
		memory, _ := quantity(m["fb_memory_usage/total"], "MiB")
		sms, _ := quantity(m["device_attributes/shared/multiprocessor_count"], "")
		list = append(list, report.Instance{MemoryBytes: uint64(memory) << 20, SMs: int(min(sms, math.MaxInt32))})
	}
	return list
}
