package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// gpus writes a short block for each GPU.
func (t *Text) gpus(d *Diagnosis) {
	g := d.Machine.GPU
	switch {
	case g.Status == report.GPUBroken:
		what, mend := t.status(g.Code, "")
		t.item(2, bad, what)
		t.hang(4, "→ ", "2", mend)
	case g.Status == report.GPUNone:
		why := differs(g)
		what, mend := t.status(g.Code, why)
		t.item(2, plain, t.get("gpu_none")+": "+what)
		if mend != "" && (len(d.System.Cards) > 0 || why != "") {
			t.hang(4, "→ ", "2", mend)
		}
	case len(g.Devices) > 0:
		t.item(2, good, list(t.s.Count("gpus", len(g.Devices)), t.askers(g)))
	}
	if g.Detail != "" {
		t.row(4, t.get("row_detail"), g.Detail)
	}
	if n := len(d.System.Cards); n > 0 && n != len(g.Devices) {
		t.row(4, t.get("row_bus"), t.s.Count("cards", n))
	}
	t.counts(g.Counts)
	t.devices(g.Devices)
	t.unknown(g.Devices)
}

// askers returns which library answered, and in which environment.
func (t *Text) askers(g report.GPU) string {
	source := map[string]string{report.SourceNVML: "NVML", report.SourceNvidiaSMI: "nvidia-smi", report.SourceCUDA: "CUDA"}[g.Source]
	if source != "" {
		source = t.get("gpus_source", "source", source)
	}
	return source
}

// counts writes how many GPUs different libraries see, if they disagree.
func (t *Text) counts(c *report.Counts) {
	if c == nil || c.Why == "" && !t.verbose {
		return
	}
	t.row(4, t.get("row_counts"), list(count("NVML", c.NVML), count("CUDA", c.CUDA), count("/dev", c.Dev)))
	if c.Why != "" {
		t.hang(4+labelWidth, "→ ", "2", t.get("differ_"+c.Why))
	}
	t.row(4, t.get("row_detail"), c.Detail)
}

// status writes why no GPU is usable, and the remedy. why is the reason why CUDA counts
// fewer GPUs than NVML.
func (t *Text) status(code, why string) (what, mend string) {
	key := "gpu_" + code
	if code == report.CodeNoDevice && why == report.DifferVisible {
		key = "gpu_hidden" // the driver sees them
	}
	what, mend, _ = strings.Cut(t.get(key), "; ")
	return what, mend
}

// differs is why NVML and CUDA count differently, or empty.
func differs(g report.GPU) string {
	if g.Counts == nil {
		return ""
	}
	return g.Counts.Why
}

func count(who string, n *int) string {
	if n == nil {
		return ""
	}
	return who + " " + strconv.Itoa(*n)
}

// devices writes a block for each GPU. For a GPU similar to an earlier one it only
// writes differences, so that they are noticed; with verbose it writes everything.
func (t *Text) devices(all []report.Device) {
	byKind := map[string]int{}
	for i, dev := range all {
		rows := t.device(dev)
		kind := fmt.Sprintf("%s %d %s", dev.Name, dev.MemoryBytes, dev.Compute)
		title := fmt.Sprintf("GPU %d: %s", i, dev.Name)
		sameAs, again := byKind[kind]
		t.write("\n")
		if again && !t.verbose {
			same := t.device(all[sameAs])
			rows = slices.DeleteFunc(rows, func(r [2]string) bool { return slices.Contains(same, r) || r[1] == "" })
			words := "like"
			if len(rows) > 0 {
				words = "like_but"
			}
			title = list(title, t.get(words, "gpu", strconv.Itoa(sameAs)))
		} else {
			byKind[kind] = i
		}
		t.line(2, title)
		for _, r := range rows {
			t.row(4, r[0], r[1])
		}
	}
}

// device returns the known values of a GPU with their labels. Unknown values are empty.
func (t *Text) device(dev report.Device) [][2]string {
	r, name := dev.Readings, t.s.Get
	if r == nil {
		r = &report.Readings{}
	}
	links := ""
	if r.NVLink.Links != nil && *r.NVLink.Links > 0 {
		links = name("nvlink", "active", number(r.NVLink.Active), "links", number(r.NVLink.Links))
	}
	mode := t.onOff("persistence", r.Persistence)
	if v := r.Virtualization; v != nil && *v != "none" {
		mode = list(mode, name("virtualization", "kind", *v))
	}
	return [][2]string{
		{name("row_compute"), list(t.capability(dev.Compute), known("SM", r.SMs), t.counted("cores", r.Cores))},
		{name("row_memory"), list(t.gibibytes(dev.MemoryBytes), t.held("bus_bits", r.BusBits))},
		{name("row_clocks"), t.clocks(r.Clocks)},
		{name("row_power"), list(t.watts(r.Power), known("°C", r.Temperature))},
		{name("row_throttle"), t.throttle(r.Throttle)},
		{"PCIe", t.pcie(r.PCIe)},
		{"ECC", t.ecc(r)},
		{"MIG", t.mig(r.MIG)},
		{"NVLink", links},
		{name("row_mode"), mode},
	}
}

func (t *Text) capability(compute string) string {
	if compute == "" {
		return ""
	}
	return t.get("capability", "n", compute)
}

// clocks returns the clocks of the multiprocessors, which on some GPUs only the
// graphics clock shows, and of the memory.
func (t *Text) clocks(c report.Clocks) string {
	memory := t.of(c.Memory, c.MaxMemory, "MHz")
	if memory != "" {
		memory = t.get("clock_memory", "clock", memory)
	}
	return list(t.of(first(c.SM, c.Graphics), first(c.MaxSM, c.MaxGraphics), "MHz"), memory)
}

func first(a, b *int) *int {
	if a != nil {
		return a
	}
	return b
}

// known formats a value with its unit, if it is known.
func known(unit string, n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n) + " " + unit
}

func (t *Text) counted(name string, n *int) string {
	if n == nil {
		return ""
	}
	return t.s.Count(name, *n)
}

func (t *Text) held(name string, n *int) string {
	if n == nil {
		return ""
	}
	return t.get(name, "n", strconv.Itoa(*n))
}

// of formats "1155 of 1410 MHz", or the part of it that is known.
func (t *Text) of(now, most *int, unit string) string {
	switch {
	case now == nil && most == nil:
		return ""
	case now == nil:
		return t.get("at_most", "value", known(unit, most))
	case most == nil:
		return known(unit, now)
	}
	return t.get("of", "now", strconv.Itoa(*now), "most", known(unit, most))
}

func (t *Text) watts(p report.Power) string {
	w := func(v *float64) string { return t.s.Number(*v, 1) }
	switch {
	case p.Draw == nil && p.Limit == nil:
		return ""
	case p.Draw == nil:
		return t.get("at_most", "value", w(p.Limit)+" W")
	case p.Limit == nil:
		return w(p.Draw) + " W"
	}
	return t.get("of", "now", w(p.Draw), "most", w(p.Limit)+" W")
}

// throttle returns why the clocks are low now.
func (t *Text) throttle(codes []string) string {
	if codes == nil {
		return ""
	}
	var all []string
	for _, c := range codes {
		words := c
		if t.s.Has("throttle_" + c) {
			words = t.get("throttle_" + c)
		}
		all = append(all, words)
	}
	if len(all) == 0 {
		return t.get("throttle_none")
	}
	return list(all...)
}

func (t *Text) pcie(p report.PCIe) string {
	generation, lanes := t.of(p.Generation, p.MaxGeneration, ""), t.of(p.Width, p.MaxWidth, "")
	if generation != "" {
		generation = t.get("pcie_generation", "n", strings.TrimSpace(generation))
	}
	if lanes != "" {
		lanes = t.get("pcie_lanes", "n", strings.TrimSpace(lanes))
	}
	when := ""
	if generation+lanes != "" {
		when = t.get("pcie_idle")
		if p.UnderLoad {
			when = t.get("pcie_load")
		}
	}
	return list(generation, lanes, when)
}

func (t *Text) ecc(r *report.Readings) string {
	if r.ECC.Enabled == nil {
		return ""
	}
	errors := ""
	if c, u := r.ECC.Corrected, r.ECC.Uncorrected; c != nil && u != nil {
		errors = t.get("ecc_errors", "corrected", strconv.FormatUint(*c, 10), "uncorrected", strconv.FormatUint(*u, 10))
	}
	rows := ""
	if c, u := r.Rows.Correctable, r.Rows.Uncorrectable; c != nil && u != nil && *c+*u > 0 {
		rows = t.s.Count("rows", *c+*u)
	}
	return list(t.onOff("state", r.ECC.Enabled), errors, rows)
}

// mig returns the MIG devices of a GPU: equal ones once, with their number.
func (t *Text) mig(m report.MIG) string {
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
		size := list(t.gibibytes(i.MemoryBytes), known("SM", &i.SMs))
		parts = append(parts, fmt.Sprintf("%d × %s (%s)", n[i], i.Profile, size))
	}
	return list(append([]string{t.onOff("state", m.Enabled)}, parts...)...)
}

func (t *Text) onOff(name string, on *bool) string {
	switch {
	case on == nil:
		return ""
	case *on:
		return t.get(name + "_on")
	}
	return t.get(name + "_off")
}

// unknown writes which values of the GPUs are unknown: their number, or with verbose
// each with its reason.
func (t *Text) unknown(devices []report.Device) {
	total := 0
	for i, dev := range devices {
		if dev.Readings == nil {
			continue
		}
		total += len(dev.Readings.Unknown)
		if t.verbose {
			t.unknownOf(i, dev.Readings.Unknown)
		}
	}
	if total > 0 && !t.verbose {
		t.write("\n")
		t.line(2, t.s.Count("unknown", total))
	}
}

func (t *Text) unknownOf(gpu int, all []report.Unknown) {
	by := map[string][]string{}
	var whys []string
	for _, u := range all {
		if by[u.Why] == nil {
			whys = append(whys, u.Why)
		}
		by[u.Why] = append(by[u.Why], u.Field)
	}
	slices.Sort(whys)
	if len(whys) > 0 {
		t.write("\n")
	}
	for _, why := range whys {
		t.line(2, t.get("unknown_of", "gpu", strconv.Itoa(gpu), "why", t.get("why_"+why), "fields", strings.Join(by[why], ", ")))
	}
}
