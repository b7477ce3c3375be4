package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// noise matches what a GPU's name has beside its model: the maker, the form, the memory.
var noise = lazyregexp.New(`(?i)\b(NVIDIA|GeForce|Tesla|GPU|Generation)\b|[- ](SXM\d*|PCIe|HBM\d*e?|\d+ ?GB)\b`)

// cpuNoise matches what a CPU's name has beside its model, as /proc/cpuinfo has it.
var cpuNoise = lazyregexp.New(`(?i)\((R|TM)\)|\b(with|w/) .*|@ .*|\b(\d+th Gen|\d+-Cores?|CPU|Processor)\b`)

// CPU returns the short name of a machine's CPU: "AMD EPYC 7R13" of "AMD EPYC 7R13 48-Core Processor".
func CPU(m *Machine) string {
	return invisible.Visible(strings.Join(strings.Fields(cpuNoise.ReplaceAllString(m.CPU, " ")), " "))
}

// devices returns the GPUs of a machine, or those that it had if it has none now: readers know it by them.
func devices(m *Machine) []report.Device {
	if m.Had != nil {
		return m.Had.Devices
	}
	return m.GPU.Devices
}

// model returns the short name of a GPU: "RTX 2070" of "NVIDIA GeForce RTX 2070", "A100" of "NVIDIA A100-SXM4-40GB".
func model(d report.Device) string {
	return cmp.Or(strings.Join(strings.Fields(noise.ReplaceAllString(d.Name, "")), " "), d.Name)
}

// gigabytes returns the memory of a GPU as it is sold.
func gigabytes(d report.Device) int { return int(math.Ceil(float64(d.MemoryBytes) / (1 << 30))) }

// cardsOf names the GPUs of each machine in short: "4 × A100". Their memory is named if the machines have the model with
// another one too. A machine without a GPU has an empty name.
func cardsOf(machines []*Machine) []string {
	models, sizes := map[string]string{}, map[string][]int{} // by the whole name, by the model
	for _, m := range machines {
		for _, d := range devices(m) {
			if models[d.Name] == "" {
				models[d.Name] = model(d)
			}
			if n := gigabytes(d); n > 0 && !slices.Contains(sizes[models[d.Name]], n) {
				sizes[models[d.Name]] = append(sizes[models[d.Name]], n)
			}
		}
	}
	list := make([]string, len(machines))
	for i, m := range machines {
		list[i] = together(devices(m), " + ", func(d report.Device) string {
			name := models[d.Name]
			if n := gigabytes(d); n > 0 && len(sizes[name]) > 1 {
				name += fmt.Sprintf(" %d GB", n)
			}
			return name
		})
	}
	return list
}

// Models returns a short list of the models of GPUs, such as "4 × A100 + L4". It is empty without a GPU.
func Models(list []report.Device) string { return together(list, " + ", model) }

// together lists the names of GPUs. A name that occurs more than once is listed once, with its count.
func together(list []report.Device, separator string, name func(report.Device) string) string {
	var names []string
	count := map[string]int{}
	for _, d := range list {
		n := name(d)
		if count[n]++; count[n] == 1 {
			names = append(names, n)
		}
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = fmt.Sprintf("%d × %s", count[n], n)
		}
	}
	return strings.Join(names, separator)
}

// Cards names the GPUs of a machine for readers: "4 × A100", "CPU only".
func Cards(v *Presenter, m *Machine) string {
	switch cards := v.cards()[m.index]; {
	case m.Had != nil:
		return v.t.Get("cards_lost", "cards", cards)
	case cards != "":
		return cards
	case m.GPU.Status == report.GPUBroken:
		return v.t.Get("cards_broken")
	}
	return v.t.Get("cards_none")
}

// Label names a machine for readers, by its GPUs first: "RTX 2070, deepnine", "CPU only, nogpu".
func Label(v *Presenter, m *Machine) string { return Cards(v, m) + ", " + m.Name }

// LabelOf names a machine as what found a value of a block, by its CPU first if the block uses no GPU: "Intel Xeon (H100,
// deepnine)", "Intel Xeon (nogpu)".
func LabelOf(v *Presenter, b *site.Block, m *Machine) string { return v.onCPU(b, m, Label(v, m)) }

func (v *Presenter) onCPU(b *site.Block, m *Machine, label string) string {
	cpu := CPU(m)
	switch {
	case cpu == "", len(m.GPU.Devices) > 0 && usesGPU(b, m):
		return label
	case len(m.GPU.Devices) == 0:
		label = m.Name
	}
	return cpu + " (" + label + ")"
}
