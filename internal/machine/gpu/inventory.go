package gpu

import (
	"fmt"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// maxDevices is the limit of a report.
const maxDevices = 1024

// An inventory is what NVML, nvidia-smi or CUDA reported, unchanged. The probe writes
// NVML's as JSON.
type inventory struct {
	Source string `json:"source,omitempty"`
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
	// Library is the version of NVML: that of the installed driver, which may not be
	// the loaded one.
	Library string    `json:"library,omitempty"`
	GPUs    []gpuInfo `json:"cards,omitempty"`
	// Fault is why there are no GPUs, or nil.
	Fault *fault `json:"fault,omitempty"`
}

// A gpuInfo is one GPU. Its UUID and PCI address are for matching only and are never
// shown.
type gpuInfo struct {
	Name    string `json:"name"`
	Compute string `json:"compute,omitempty"`
	// Memory is 0 if it is unknown. Denied means that this user may not know it, and Shared
	// that it is the CPU's too.
	Memory uint64 `json:"memory,omitempty"`
	Denied bool   `json:"denied,omitempty"`
	Shared bool   `json:"shared,omitempty"`
	UUID   string `json:"uuid,omitempty"`
	PCI    string `json:"pci,omitempty"`
	// Parts are the UUIDs of its MIG devices, in the order of the readings' instances.
	Parts []string `json:"parts,omitempty"`
	// Readings are all other values; [put] sets them.
	Readings *report.Readings `json:"readings,omitempty"`
	// FabricDown means that it waits for a fabric manager.
	FabricDown bool `json:"fabric_down,omitempty"`
	// Fault is why the GPU cannot be used.
	Fault *fault `json:"fault,omitempty"`
}

// gpu converts an inventory to the result for a process with the environment env.
func (inv inventory) gpu(env []string) report.GPU {
	g := report.GPU{
		Status: report.GPUOk,
		Source: inv.Source,
		Driver: version(inv.Driver),
		CUDA:   version(inv.CUDA),
	}
	if inv.Fault == nil && inv.Source != report.SourceCUDA {
		n := len(inv.GPUs)
		g.Counts = &report.Counts{NVML: &n}
	}
	allowed, fault := inv.allowed()
	mask, masked := lookup(env, "CUDA_VISIBLE_DEVICES")
	seen := allowed
	if masked && inv.Source != report.SourceCUDA { // CUDA applies it itself
		seen = visible(allowed, mask)
	}
	for _, c := range seen {
		// A GPU that was lost after its name was read is listed with what was read.
		if (c.Fault == nil || c.Readings != nil) && len(g.Devices) < maxDevices {
			g.Devices = append(g.Devices, c.device())
		}
	}
	if fault == nil && len(seen) == 0 {
		fault = hidden(mask, allowed)
	}
	return fault.addTo(g)
}

func (c gpuInfo) device() report.Device {
	return report.Device{Name: clean(c.Name, maxName), MemoryBytes: c.Memory, MemoryShared: c.Shared, Compute: version(c.Compute),
		Readings: c.Readings}
}

// allowed returns the GPUs that the operating system lets this process use, and the
// fault of the whole. One broken GPU is a fault of the whole, because on such a machine
// programs on other GPUs are not reliable either.
func (inv inventory) allowed() ([]gpuInfo, *fault) {
	if inv.Fault != nil {
		return nil, inv.Fault
	}
	gpus := slices.DeleteFunc(slices.Clone(inv.GPUs), func(c gpuInfo) bool {
		return c.Fault != nil && c.Fault.Code == report.CodeNoPermission
	})
	switch {
	case len(inv.GPUs) == 0:
		return nil, noGPU(report.CodeNoDevice, "")
	case len(gpus) == 0:
		return nil, inv.GPUs[0].Fault
	}
	if i := slices.IndexFunc(gpus, func(c gpuInfo) bool { return c.Fault != nil }); i >= 0 {
		f := *gpus[i].Fault
		f.Detail = fmt.Sprintf("GPU %d: %s", i, f.Detail)
		return gpus, &f
	}
	return gpus, nil
}
