package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
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

// device returns the known values of a GPU with their labels. Unknown values are empty. The readings have the names
// with which lines of gpu blocks ask for them: "power draw" is in the row power.
func (w wording) device(dev report.Device) [][2]string {
	r := cmp.Or(dev.Readings, &report.Readings{})
	rows := [][2]string{
		{w.Get("row_compute"), list(w.when(dev.Compute != "", "capability", "n", dev.Compute), known("%d SM", r.SMs),
			w.counted("cores", r.Cores))},
		{w.Get("row_memory"), list(w.gibibytes(dev.MemoryBytes), w.when(dev.MemoryShared, "memory_shared"),
			w.when(r.BusBits != nil, "bus_bits", "n", number(r.BusBits)))},
	}
	for _, e := range ask.Table() {
		label, rest, _ := strings.Cut(string(e.Fact), " ")
		value := e.ReadingOf(r)
		switch {
		case e.Source != ask.FromSensors:
			continue
		case label == "throttle":
			value = w.throttle(r.Throttle)
		case value != "":
			value = strings.TrimSpace(rest + " " + w.Amount(value))
		}
		if last := &rows[len(rows)-1]; last[0] == label {
			last[1] = list(last[1], value)
			continue
		}
		rows = append(rows, [2]string{label, value})
	}
	more := map[string]string{"mig": w.instances(r.MIG.Instances), "rows": known("correctable %d", r.Rows.Correctable)}
	if r.Clocks.SM == nil && r.Clocks.MaxSM == nil { // on some GPUs only this clock shows that of the multiprocessors
		more["clock"] = cmp.Or(known("graphics %d MHz", r.Clocks.Graphics), known("graphics max %d MHz", r.Clocks.MaxGraphics))
	}
	if r.PCIe.Generation != nil || r.PCIe.Width != nil {
		more["pcie"] = cmp.Or(w.when(r.PCIe.UnderLoad, "pcie_load"), w.Get("pcie_idle"))
	}
	if v := r.Virtualization; v != nil && *v != "none" {
		rows = append(rows, [2]string{w.Get("row_virtualization"), *v})
	}
	for i, row := range rows {
		rows[i][1] = list(row[1], more[row[0]])
	}
	return rows
}

func (w wording) counted(name string, n *int) string {
	if n == nil {
		return ""
	}
	return w.Count(name, *n)
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

// instances returns the MIG devices of a GPU: equal ones once, with their number.
func (w wording) instances(all []report.Instance) string {
	var order []report.Instance
	n := map[report.Instance]int{}
	for _, i := range all {
		if n[i]++; n[i] == 1 {
			order = append(order, i)
		}
	}
	var parts []string
	for _, i := range order {
		size := list(w.gibibytes(i.MemoryBytes), known("%d SM", &i.SMs))
		parts = append(parts, fmt.Sprintf("%d × %s (%s)", n[i], i.Profile, size))
	}
	return list(parts...)
}
