package results

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Table returns the view of :::machines.
func (v *Presenter) Table() theme.MachinesView {
	view := theme.MachinesView{Unreadable: v.Unreadable, T: v.t}
	for _, m := range v.Machines {
		facts := ask.MachineOf(m.Machine)
		row := theme.MachineView{
			Name:       m.Name,
			Cards:      Cards(v, m),
			Local:      m.Local,
			OS:         m.OS,
			CPU:        m.CPU,
			GPU:        v.GPUName(m.GPU),
			Driver:     m.GPU.Driver,
			CUDA:       m.GPU.CUDA,
			Memory:     v.t.Amount(facts[ask.Memory].String()),
			Compute:    facts[ask.Compute].String(),
			Devices:    v.devices(m.GPU),
			Software:   v.software(m.Machine),
			Counts:     v.counts(m.GPU.Counts),
			CheckCount: v.Totals()[m.index],
			Signature:  v.signature(m.Signature),
		}
		if row.Memory != "" && m.GPU.SharesMemory() {
			row.Memory = v.t.Get("memory_shared", "size", row.Memory)
		}
		if !m.Last.IsZero() {
			row.DateISO, row.Date = m.Last.UTC().Format(time.RFC3339), v.t.Date(m.Last)
		}
		view.Machines = append(view.Machines, row)
	}
	return view
}

// devices describes the GPUs of a machine, in one line for all that are equal.
func (v *Presenter) devices(g report.GPU) (lines []string) {
	several := slices.ContainsFunc(g.Devices, func(d report.Device) bool { return d.Name != g.Devices[0].Name })
	for _, d := range g.Devices {
		line := v.device(d)
		if line != "" && several {
			line = d.Name + ": " + line
		}
		if line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// device describes a GPU, as far as is known: its SMs, clock, power limit.
func (v *Presenter) device(d report.Device) string {
	r := d.Readings
	if r == nil {
		return ""
	}
	var parts []string
	add := func(n *int, key string) {
		if n != nil && *n > 0 {
			parts = append(parts, v.t.Get(key, "n", strconv.Itoa(*n)))
		}
	}
	add(r.SMs, "device_sms")
	add(r.Cores, "device_cores")
	add(r.Clocks.MaxSM, "device_clock")
	if w := r.Power.Limit; w != nil {
		parts = append(parts, v.t.Get("device_power", "n", v.t.Number(*w, 0)))
	}
	if r.PCIe.MaxGeneration != nil && r.PCIe.MaxWidth != nil {
		parts = append(parts, "PCIe "+strconv.Itoa(*r.PCIe.MaxGeneration)+".0 ×"+strconv.Itoa(*r.PCIe.MaxWidth))
	}
	if r.ECC.Enabled != nil && *r.ECC.Enabled {
		parts = append(parts, "ECC")
	}
	if n := len(r.MIG.Instances); n > 0 {
		parts = append(parts, v.t.Get("device_mig", "n", strconv.Itoa(n)))
	}
	add(r.NVLink.Active, "device_nvlink")
	return strings.Join(parts, " · ")
}

// software returns which frameworks run on a machine, by the rules of package compat. A framework that several
// environments have is one entry, which names them unless blocks without an environment have it too.
func (v *Presenter) software(m report.Machine) (list []theme.SoftwareView) {
	for _, e := range m.Environments {
		for _, f := range e.Frameworks {
			verdict := compat.Judge(m, e.Name, f.Name)
			s := theme.SoftwareView{Name: invisible.Visible(f.Name + " " + f.Version), Environment: invisible.Visible(e.Name),
				Status: standing.NotApplicable.String(), Text: invisible.Visible(compat.Sentence(v.t, verdict))}
			switch {
			case verdict.Runs():
				s.Status = standing.Passed.String()
			case verdict.Answer != report.RunsNo:
			case slices.Contains([]string{report.ByDriver, report.ByCompute, report.ByForward, report.ByCUDA, report.ByBroken}, verdict.By):
				s.Status = standing.Failed.String()
			}
			at := slices.IndexFunc(list, func(o theme.SoftwareView) bool { return o.Name == s.Name && o.Text == s.Text })
			switch {
			case at < 0:
				list = append(list, s)
			case list[at].Environment != "" && s.Environment != "":
				list[at].Environment += ", " + s.Environment
			default:
				list[at].Environment = ""
			}
		}
	}
	return list
}

// counts explains why NVML and CUDA see different numbers of GPUs.
func (v *Presenter) counts(c *report.Counts) string {
	if c == nil || c.Why == "" || c.NVML == nil || c.CUDA == nil {
		return ""
	}
	return v.t.Get("counts_differ", "nvml", strconv.Itoa(*c.NVML), "cuda", strconv.Itoa(*c.CUDA), "why", v.code("differ", c.Why))
}
