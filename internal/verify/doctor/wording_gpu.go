package doctor

import (
	"cmp"
	"fmt"

	"github.com/gpudocs/gpudocs/internal/report"
)

// gibibytes formats an amount of memory, in the units of vendors and nvidia-smi.
func (w wording) gibibytes(n uint64) string {
	switch {
	case n == 0:
		return ""
	case n < 1<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<40:
		return w.Number(float64(n)/(1<<40), 1) + " TiB"
	}
	return w.Number(float64(n)/(1<<30), 1) + " GiB"
}

// device returns the known values of a GPU with their labels. Unknown values are empty.
func (w wording) device(dev report.Device) [][2]string {
	r, name := dev.Readings, w.Get
	if r == nil {
		r = &report.Readings{}
	}
	links := w.when(r.NVLink.Links != nil && *r.NVLink.Links > 0,
		"nvlink", "active", number(r.NVLink.Active), "links", number(r.NVLink.Links))
	capability := w.when(dev.Compute != "", "capability", "n", dev.Compute)
	mode := w.onOff("persistence", r.Persistence)
	if v := r.Virtualization; v != nil && *v != "none" {
		mode = list(mode, name("virtualization", "kind", *v))
	}
	return [][2]string{
		{name("row_compute"), list(capability, known("%d SM", r.SMs), w.counted("cores", r.Cores))},
		{name("row_memory"), list(w.gibibytes(dev.MemoryBytes), w.when(dev.MemoryShared, "memory_shared"),
			w.when(r.BusBits != nil, "bus_bits", "n", number(r.BusBits)))},
		{name("row_clocks"), w.clocks(r.Clocks)},
		{name("row_power"), list(w.watts(r.Power), known("%d °C", r.Temperature))},
		{name("row_throttle"), w.throttle(r.Throttle)},
		{"PCIe", w.pcie(r.PCIe)},
		{"ECC", w.ecc(r)},
		{"MIG", w.mig(r.MIG)},
		{"NVLink", links},
		{name("row_mode"), mode},
	}
}

// clocks returns the clocks of the multiprocessors, which on some GPUs only the
// graphics clock shows, and of the memory.
func (w wording) clocks(c report.Clocks) string {
	sm := w.of(known("%d", cmp.Or(c.SM, c.Graphics)), known("%d", cmp.Or(c.MaxSM, c.MaxGraphics)), " MHz")
	memory := w.of(known("%d", c.Memory), known("%d", c.MaxMemory), " MHz")
	return list(sm, w.when(memory != "", "clock_memory", "clock", memory))
}

func (w wording) counted(name string, n *int) string {
	if n == nil {
		return ""
	}
	return w.Count(name, *n)
}

// of formats "1155 of 1410 MHz", or the part of it that is known.
func (w wording) of(now, most, unit string) string {
	switch {
	case now == "" && most == "":
		return ""
	case now == "":
		return w.Get("at_most", "value", most+unit)
	case most == "":
		return now + unit
	}
	return w.Get("of", "now", now, "most", most+unit)
}

func (w wording) watts(p report.Power) string {
	decimal := func(v *float64) string {
		if v == nil {
			return ""
		}
		return w.Number(*v, 1)
	}
	return w.of(decimal(p.Draw), decimal(p.Limit), " W")
}

// throttle returns why the clocks are low now.
func (w wording) throttle(codes []string) string {
	if codes == nil {
		return ""
	}
	var all []string
	for _, c := range codes {
		if w.Has("throttle_" + c) {
			c = w.Get("throttle_" + c)
		}
		all = append(all, c)
	}
	return cmp.Or(list(all...), w.Get("throttle_none"))
}

func (w wording) pcie(p report.PCIe) string {
	generation := w.of(known("%d", p.Generation), known("%d", p.MaxGeneration), "")
	lanes := w.of(known("%d", p.Width), known("%d", p.MaxWidth), "")
	if generation+lanes == "" {
		return ""
	}
	load := "pcie_idle"
	if p.UnderLoad {
		load = "pcie_load"
	}
	return list(w.when(generation != "", "pcie_generation", "n", generation),
		w.when(lanes != "", "pcie_lanes", "n", lanes), w.Get(load))
}

func (w wording) ecc(r *report.Readings) string {
	if r.ECC.Enabled == nil {
		return ""
	}
	corrected, uncorrected := known("%d", r.ECC.Corrected), known("%d", r.ECC.Uncorrected)
	errors := w.when(corrected != "" && uncorrected != "", "ecc_errors", "corrected", corrected, "uncorrected", uncorrected)
	rows := ""
	if c, u := r.Rows.Correctable, r.Rows.Uncorrectable; c != nil && u != nil && *c+*u > 0 {
		rows = w.Count("rows", *c+*u)
	}
	return list(w.onOff("state", r.ECC.Enabled), errors, rows)
}

// mig returns the MIG devices of a GPU: equal ones once, with their number.
func (w wording) mig(m report.MIG) string {
	if m.Enabled == nil {
		return ""
	}
	var order []report.Instance
	n := map[report.Instance]int{}
	for _, i := range m.Instances {
		if n[i]++; n[i] == 1 {
			order = append(order, i)
		}
	}
	var parts []string
	for _, i := range order {
		size := list(w.gibibytes(i.MemoryBytes), known("%d SM", &i.SMs))
		parts = append(parts, fmt.Sprintf("%d × %s (%s)", n[i], i.Profile, size))
	}
	return list(append([]string{w.onOff("state", m.Enabled)}, parts...)...)
}

func (w wording) onOff(name string, on *bool) string {
	switch {
	case on == nil:
		return ""
	case *on:
		return w.Get(name + "_on")
	}
	return w.Get(name + "_off")
}
