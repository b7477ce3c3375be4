package gpu

import (
	"fmt"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// maxDevices is what a report may hold.
const maxDevices = 1024

// An inventory is what NVML, nvidia-smi or CUDA said, in its own words. The probe
// writes NVML's as JSON.
type inventory struct {
	Source string `json:"source,omitempty"`
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
	// Library is the version of NVML: that of the driver that is installed, which
	// may not be the one that is loaded.
	Library string `json:"library,omitempty"`
	Cards   []card `json:"cards,omitempty"`
	// Fault says why there are no cards to list; nil if there is no such reason.
	Fault *fault `json:"fault,omitempty"`
}

// A card is one GPU. Its UUID and PCI address are there to be matched and never
// to be shown.
type card struct {
	Name    string `json:"name"`
	Compute string `json:"compute,omitempty"`
	Memory  uint64 `json:"memory,omitempty"`
	UUID    string `json:"uuid,omitempty"`
	PCI     string `json:"pci,omitempty"`
	// Parts are the UUIDs of its MIG devices, in the order of the readings' instances.
	Parts []string `json:"parts,omitempty"`
	// Readings are what else is known of it; [put] fills them.
	Readings *report.Readings `json:"readings,omitempty"`
	// FabricDown: it waits for a fabric manager.
	FabricDown bool `json:"fabric_down,omitempty"`
	// Fault is why the card cannot be used.
	Fault *fault `json:"fault,omitempty"`
}

// gpu turns an inventory into the result, for a process with the environment env.
func (inv inventory) gpu(env []string) report.GPU {
	g := report.GPU{
		Status: report.GPUOk,
		Source: inv.Source,
		Driver: version(inv.Driver),
		CUDA:   version(inv.CUDA),
	}
	if inv.Fault == nil && inv.Source != report.SourceCUDA {
		n := len(inv.Cards)
		g.Counts = &report.Counts{NVML: &n}
	}
	allowed, fault := inv.allowed()
	mask, masked := lookup(env, "CUDA_VISIBLE_DEVICES")
	seen := allowed
	if masked && inv.Source != report.SourceCUDA { // which has done so itself
		seen = visible(allowed, mask)
	}
	for _, c := range seen {
		// A card that was lost after it had told its name is shown, with what was read.
		if (c.Fault == nil || c.Readings != nil) && len(g.Devices) < maxDevices {
			g.Devices = append(g.Devices, c.device())
		}
	}
	if fault == nil && len(seen) == 0 {
		fault = hidden(mask, allowed)
	}
	return fault.addTo(g)
}

func (c card) device() report.Device {
	return report.Device{Name: clean(c.Name, maxName), MemoryBytes: c.Memory, Compute: version(c.Compute), Readings: c.Readings}
}

// allowed returns the cards that the operating system lets this process use,
// and what is wrong with the whole: one broken card is enough to say so, for
// on such a machine nothing that runs on the others can be relied on.
func (inv inventory) allowed() ([]card, *fault) {
	if inv.Fault != nil {
		return nil, inv.Fault
	}
	cards := slices.DeleteFunc(slices.Clone(inv.Cards), func(c card) bool {
		return c.Fault != nil && c.Fault.Code == report.CodeNoPermission
	})
	switch {
	case len(inv.Cards) == 0:
		return nil, &fault{Status: report.GPUNone, Code: report.CodeNoDevice, Detail: "the driver sees no GPU"}
	case len(cards) == 0:
		return nil, inv.Cards[0].Fault
	}
	if i := slices.IndexFunc(cards, func(c card) bool { return c.Fault != nil }); i >= 0 {
		f := *cards[i].Fault
		f.Detail = fmt.Sprintf("GPU %d: %s", i, f.Detail)
		return cards, &f
	}
	return cards, nil
}
