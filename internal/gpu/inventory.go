package gpu

import (
	"fmt"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// maxDevices is what a report may hold.
const maxDevices = 1024

// An inventory is what NVML or nvidia-smi said, in its own words.
type inventory struct {
	source       string
	driver, cuda string
	cards        []card
	// fault says why there are no cards to list; nil if there is no such reason.
	fault *fault
}

// A card is one GPU. Its UUID and PCI address are there to be matched and never
// to be shown.
type card struct {
	name, compute string
	memory        uint64
	uuid, pci     string
	// readings are what else is known of it; [put] fills them.
	readings *report.Readings
	fault    *fault // why the card cannot be used
}

// gpu turns an inventory into the result, for a process with the environment env.
func (inv inventory) gpu(env []string) report.GPU {
	g := report.GPU{
		Status: report.GPUOk,
		Source: inv.source,
		Driver: version(inv.driver),
		CUDA:   version(inv.cuda),
	}
	if inv.fault == nil {
		n := len(inv.cards)
		g.Counts = &report.Counts{NVML: &n}
	}
	allowed, fault := inv.allowed()
	mask, masked := lookup(env, "CUDA_VISIBLE_DEVICES")
	seen := allowed
	if masked {
		seen = visible(allowed, mask)
	}
	for _, c := range seen {
		// A card that was lost after it had told its name is shown, with what was read.
		if (c.fault == nil || c.readings != nil) && len(g.Devices) < maxDevices {
			g.Devices = append(g.Devices, c.device())
		}
	}
	if fault == nil && len(seen) == 0 {
		fault = hidden(mask, len(allowed))
	}
	return fault.addTo(g)
}

func (c card) device() report.Device {
	return report.Device{Name: clean(c.name, maxName), MemoryBytes: c.memory, Compute: version(c.compute), Readings: c.readings}
}

// allowed returns the cards that the operating system lets this process use,
// and what is wrong with the whole: one broken card is enough to say so, for
// on such a machine nothing that runs on the others can be relied on.
func (inv inventory) allowed() ([]card, *fault) {
	if inv.fault != nil {
		return nil, inv.fault
	}
	cards := slices.DeleteFunc(slices.Clone(inv.cards), func(c card) bool {
		return c.fault != nil && c.fault.code == report.CodeNoPermission
	})
	switch {
	case len(inv.cards) == 0:
		return nil, &fault{report.GPUNone, report.CodeNoDevice, "the driver sees no GPU"}
	case len(cards) == 0:
		return nil, inv.cards[0].fault
	}
	if i := slices.IndexFunc(cards, func(c card) bool { return c.fault != nil }); i >= 0 {
		f := *cards[i].fault
		f.detail = fmt.Sprintf("GPU %d: %s", i, f.detail)
		return cards, &f
	}
	return cards, nil
}
