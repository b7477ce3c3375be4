//go:build linux && cgo

package gpu

import (
	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// mig reads whether the GPU is divided, and its MIG devices. memory is that of the
// whole GPU, 0 if it is not known.
func (rd *reader) mig(memory uint64) {
	on, why := get(rd, func() (bool, nvml.Return) {
		now, _, ret := rd.device.GetMigMode()
		return now == nvml.DEVICE_MIG_ENABLE, ret
	}, "nvmlDeviceGetMigMode")
	put(rd.r, &rd.r.MIG.Enabled, "mig.enabled", on, why)
	if !on {
		return
	}
	// Positions are numbered up to the maximum; some are empty.
	most, why := get(rd, rd.device.GetMaxMigDeviceCount, "nvmlDeviceGetMaxMigDeviceCount")
	for i := range min(most, maxInstances) {
		device, ret := ask(rd.library, func() (nvml.Device, nvml.Return) { return rd.device.GetMigDeviceHandleByIndex(i) },
			"nvmlDeviceGetMigDeviceHandleByIndex")
		if ret == nvml.SUCCESS {
			uuid, _ := get(rd, device.GetUUID, "nvmlDeviceGetUUID")
			rd.parts = append(rd.parts, uuid)
			rd.r.MIG.Instances = append(rd.r.MIG.Instances, rd.instance(device, memory))
		} else if ret != nvml.ERROR_NOT_FOUND && ret != nvml.ERROR_INVALID_ARGUMENT {
			why = reason(ret)
		}
	}
	if why != "" {
		unknown(rd.r, "mig.instances", why)
	}
}

// instance describes a MIG device.
func (rd *reader) instance(device nvml.Device, memory uint64) report.Instance {
	a, _ := get(rd, device.GetAttributes, "nvmlDeviceGetAttributes_v2", "nvmlDeviceGetAttributes")
	name, _ := get(rd, device.GetName, "nvmlDeviceGetName")
	i := report.Instance{
		Profile:     migProfile(name),
		MemoryBytes: a.MemorySizeMB << 20,
		SMs:         int(a.MultiprocessorCount),
	}
	if i.Profile == "" && a.GpuInstanceSliceCount > 0 {
		i.Profile = workedOut(a.GpuInstanceSliceCount, a.ComputeInstanceSliceCount, i.MemoryBytes, memory)
	}
	return i
}
