package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Fact is a property of the machines that differs.
type Fact struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// facts returns the properties that differ, the GPU's first.
func facts(a, b *report.Report) []Fact {
	all := []Fact{{"driver", a.Machine.GPU.Driver, b.Machine.GPU.Driver}, {"CUDA", a.Machine.GPU.CUDA, b.Machine.GPU.CUDA},
		{"GPUs", Devices(a.Machine.GPU), Devices(b.Machine.GPU)}, {"GPU status", status(a.Machine.GPU), status(b.Machine.GPU)},
		{"OS", a.Machine.OS, b.Machine.OS}, {"CPU", a.Machine.CPU, b.Machine.CPU}, {"architecture", a.Machine.Arch, b.Machine.Arch},
		{"limits", a.Machine.Limits, b.Machine.Limits}, {"sandbox", a.Machine.Sandbox, b.Machine.Sandbox},
		{"containment", a.Machine.Containment, b.Machine.Containment},
		{"interpreters", interpreters(a), interpreters(b)}}
	pa, pb := packages(a), packages(b)
	names := maps.Clone(pa)
	maps.Copy(names, pb)
	for _, n := range slices.Sorted(maps.Keys(names)) {
		all = append(all, Fact{n, pa[n], pb[n]})
	}
	all = append(all, Fact{"written by", a.Generator, b.Generator})
	return slices.DeleteFunc(all, func(f Fact) bool { // what no check used in one of them may still be there
		return f.A == f.B || f.Name == "interpreters" && (f.A == "" || f.B == "")
	})
}

// Devices formats the GPUs on one line, equal ones together: "2 x Tesla V100 16 GiB
// compute 7.0".
func Devices(g report.GPU) string {
	var kinds []string
	number := map[string]int{}
	for _, d := range g.Devices {
		text := d.Name
		if d.MemoryBytes > 0 {
			text += fmt.Sprintf(" %.4g GiB", float64(d.MemoryBytes)/(1<<30))
		}
		if d.Compute != "" {
			text += " compute " + d.Compute
		}
		if number[text] == 0 {
			kinds = append(kinds, text)
		}
		number[text]++
	}
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%d x %s", number[k], k)
	}
	return strings.Join(kinds, ", ")
}

func status(g report.GPU) string { return strings.TrimSpace(g.Status + " " + g.Code) }

// interpreters returns all interpreters that ran a check.
func interpreters(r *report.Report) string {
	set := map[string]bool{}
	for _, c := range r.Checks {
		for name := range strings.SplitSeq(c.Interpreter, ", ") { // of a compiled block: its compiler and its shell
			set[name] = true
		}
	}
	delete(set, "")
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}

// packages returns the versions of all declared packages. A package may have several, as
// environments differ.
func packages(r *report.Report) map[string]string {
	sets := map[string]map[string]bool{}
	for _, c := range r.Checks {
		for _, p := range c.Packages {
			if sets[p.Name] == nil {
				sets[p.Name] = map[string]bool{}
			}
			sets[p.Name][cmp.Or(p.Version, "not installed")] = true
		}
	}
	out := map[string]string{}
	for name, set := range sets {
		out[name] = strings.Join(slices.Sorted(maps.Keys(set)), ", ")
	}
	return out
}
