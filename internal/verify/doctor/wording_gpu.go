package doctor

import (
	"fmt"
	"strconv"
	"strings"

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
	links := ""
	if r.NVLink.Links != nil && *r.NVLink.Links > 0 {
		links = name("nvlink", "active", number(r.NVLink.Active), "links", number(r.NVLink.Links))
	}
	mode := w.onOff("persistence", r.Persistence)
	if v := r.Virtualization; v != nil && *v != "none" {
		mode = list(mode, name("virtualization", "kind", *v))
	}
	return [][2]string{
		{name("row_compute"), list(w.capability(dev.Compute), known("SM", r.SMs), w.counted("cores", r.Cores))},
		{name("row_memory"), list(w.gibibytes(dev.MemoryBytes), w.held("bus_bits", r.BusBits))},
		{name("row_clocks"), w.clocks(r.Clocks)},
		{name("row_power"), list(w.watts(r.Power), known("°C", r.Temperature))},
		{name("row_throttle"), w.throttle(r.Throttle)},
		{"PCIe", w.pcie(r.PCIe)},
		{"ECC", w.ecc(r)},
		{"MIG", w.mig(r.MIG)},
		{"NVLink", links},
		{name("row_mode"), mode},
	}
}

func (w wording) capability(compute string) string {
	if compute == "" {
		return ""
	}
	return w.Get("capability", "n", compute)
}

// clocks returns the clocks of the multiprocessors, which on some GPUs only the
// graphics clock shows, and of the memory.
func (w wording) clocks(c report.Clocks) string {
	memory := w.of(c.Memory, c.MaxMemory, "MHz")
	if memory != "" {
		memory = w.Get("clock_memory", "clock", memory)
	}
	return list(w.of(first(c.SM, c.Graphics), first(c.MaxSM, c.MaxGraphics), "MHz"), memory)
}

func (w wording) counted(name string, n *int) string {
	if n == nil {
		return ""
	}
	return w.Count(name, *n)
}

func (w wording) held(name string, n *int) string {
	if n == nil {
		return ""
	}
	return w.Get(name, "n", strconv.Itoa(*n))
}

// of formats "1155 of 1410 MHz", or the part of it that is known.
func (w wording) of(now, most *int, unit string) string {
	switch {
	case now == nil && most == nil:
		return ""
	case now == nil:
		return w.Get("at_most", "value", known(unit, most))
	case most == nil:
		return known(unit, now)
	}
	return w.Get("of", "now", strconv.Itoa(*now), "most", known(unit, most))
}

func (w wording) watts(p report.Power) string {
	number := func(v *float64) string { return w.Number(*v, 1) }
	switch {
	case p.Draw == nil && p.Limit == nil:
		return ""
	case p.Draw == nil:
		return w.Get("at_most", "value", number(p.Limit)+" W")
	case p.Limit == nil:
		return number(p.Draw) + " W"
	}
	return w.Get("of", "now", number(p.Draw), "most", number(p.Limit)+" W")
}

// throttle returns why the clocks are low now.
func (w wording) throttle(codes []string) string {
	if codes == nil {
		return ""
	}
	var all []string
	for _, c := range codes {
		words := c
		if w.Has("throttle_" + c) {
			words = w.Get("throttle_" + c)
		}
		all = append(all, words)
	}
	if len(all) == 0 {
		return w.Get("throttle_none")
	}
	return list(all...)
}

func (w wording) pcie(p report.PCIe) string {
	generation, lanes := w.of(p.Generation, p.MaxGeneration, ""), w.of(p.Width, p.MaxWidth, "")
	if generation != "" {
		generation = w.Get("pcie_generation", "n", strings.TrimSpace(generation))
	}
	if lanes != "" {
		lanes = w.Get("pcie_lanes", "n", strings.TrimSpace(lanes))
	}
	when := ""
	if generation+lanes != "" {
		when = w.Get("pcie_idle")
		if p.UnderLoad {
			when = w.Get("pcie_load")
		}
	}
	return list(generation, lanes, when)
}

func (w wording) ecc(r *report.Readings) string {
	if r.ECC.Enabled == nil {
		return ""
	}
	errors := ""
	if c, u := r.ECC.Corrected, r.ECC.Uncorrected; c != nil && u != nil {
		errors = w.Get("ecc_errors", "corrected", strconv.FormatUint(*c, 10), "uncorrected", strconv.FormatUint(*u, 10))
	}
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
		size := list(w.gibibytes(i.MemoryBytes), known("SM", &i.SMs))
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

// known formats a value with its unit, if it is known.
func known(unit string, n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n) + " " + unit
}

func first(a, b *int) *int {
	if a != nil {
		return a
	}
	return b
}

func count(who string, n *int) string {
	if n == nil {
		return ""
	}
	return who + " " + strconv.Itoa(*n)
}

// differs is why NVML and CUDA count differently, or empty.
func differs(g report.GPU) string {
	if g.Counts == nil {
		return ""
	}
	return g.Counts.Why
}
