//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A reader fills the readings of one GPU.
type reader struct {
	library
	device nvml.Device
	r      *report.Readings
	// lost is the return value of a GPU that stopped responding. After that nothing is
	// read, because each call could block before it fails.
	lost nvml.Return
	// parts are the UUIDs of its MIG devices.
	parts []string
}

// readings reads all values of a GPU. Missing values are null with the reason.
func (l library) readings(device nvml.Device, c gpuInfo) *reader {
	rd := &reader{library: l, device: device, r: blank()}
	rd.readShape()
	rd.clocks()
	rd.power()
	rd.pcie()
	rd.ecc()
	rd.rows()
	rd.mig(c.Memory)
	rd.nvlink()
	rd.modes()
	completeCores(rd.r, c.Compute)
	return rd
}

// get reads one value of the GPU. If it cannot be read, get returns the reason.
func get[T any](rd *reader, from func() (T, nvml.Return)) (v T, why string) {
	if rd.lost != nvml.SUCCESS {
		return v, report.WhyLost
	}
	v, ret := orZero(from())
	if ret == nvml.ERROR_GPU_IS_LOST || ret == nvml.ERROR_RESET_REQUIRED {
		rd.lost = ret
	}
	return v, reason(ret)
}

// reason returns why a reading is missing, or "".
func reason(ret nvml.Return) string {
	switch ret {
	case nvml.SUCCESS:
		return ""
	case nvml.ERROR_NOT_SUPPORTED, nvml.ERROR_NOT_FOUND:
		return report.WhyNotSupported
	case nvml.ERROR_NO_PERMISSION, nvml.ERROR_OPERATING_SYSTEM:
		return report.WhyPermission
	case nvml.ERROR_FUNCTION_NOT_FOUND, nvml.ERROR_ARGUMENT_VERSION_MISMATCH, nvml.ERROR_DEPRECATED:
		return report.WhyOldDriver
	case nvml.ERROR_GPU_IS_LOST, nvml.ERROR_RESET_REQUIRED:
		return report.WhyLost
	}
	return report.WhyFailed
}

// number reads a 32-bit number between least and most. A driver reports an unknown
// value by a number outside of it, such as all ones (NVML_VALUE_NOT_AVAILABLE), or 0 if
// that is not valid.
func (rd *reader) number(to **int, field string, least, most uint32, call func() (uint32, nvml.Return)) {
	v, why := get(rd, call)
	if why == "" && (v < least || v > most) {
		why = report.WhyNotSupported
	}
	put(rd.r, to, field, int(v), why)
}

// whole converts a call of go-nvml that returns 32 bits as an int.
func whole(call func() (int, nvml.Return)) func() (uint32, nvml.Return) {
	return func() (uint32, nvml.Return) {
		v, ret := call()
		return uint32(v), ret
	}
}

func (rd *reader) readShape() {
	rd.number(&rd.r.Cores, "cores", 1, maxCores, whole(rd.device.GetNumGpuCores))
	// No function reports the SMs of a whole GPU: completeCores or CUDA does.
	_, why := get(rd, rd.device.GetNumGpuCores)
	unknown(rd.r, "sms", cmp.Or(why, report.WhyNotSupported))
	rd.number(&rd.r.BusBits, "bus_bits", 1, math.MaxUint16, rd.device.GetMemoryBusWidth)
}

func (rd *reader) clocks() {
	c := &rd.r.Clocks
	for _, k := range []struct {
		kind     nvml.ClockType
		now, max **int
		name     string
	}{
		{nvml.CLOCK_GRAPHICS, &c.Graphics, &c.MaxGraphics, "graphics_mhz"},
		{nvml.CLOCK_SM, &c.SM, &c.MaxSM, "sm_mhz"},
		{nvml.CLOCK_MEM, &c.Memory, &c.MaxMemory, "memory_mhz"},
	} {
		rd.number(k.now, "clocks."+k.name, 0, maxMHz,
			func() (uint32, nvml.Return) { return rd.device.GetClockInfo(k.kind) })
		rd.number(k.max, "clocks.max_"+k.name, 1, maxMHz,
			func() (uint32, nvml.Return) { return rd.device.GetMaxClockInfo(k.kind) })
	}
	// The newer name came with driver 535; both return the same bits.
	mask, why := get(rd, rd.device.GetCurrentClocksEventReasons)
	if why == report.WhyOldDriver {
		mask, why = get(rd, rd.device.GetCurrentClocksThrottleReasons)
	}
	reasons := throttles(mask)
	if why == "" && mask != 0 && len(reasons) == 0 {
		why = report.WhyFailed // there is a reason without a code
	}
	if why != "" {
		unknown(rd.r, "throttle", why)
		return
	}
	rd.r.Throttle = reasons
}

func (rd *reader) power() {
	rd.watts(&rd.r.Power.Draw, "power.draw_w", 0, rd.device.GetPowerUsage)
	// The limit in effect is the enforced limit: the lowest of all, including the power
	// supply's.
	limit := rd.device.GetEnforcedPowerLimit
	if _, why := get(rd, limit); why != "" {
		limit = rd.device.GetPowerManagementLimit
	}
	rd.watts(&rd.r.Power.Limit, "power.limit_w", 1, limit)
	rd.number(&rd.r.Temperature, "temperature_c", 0, 1000,
		func() (uint32, nvml.Return) { return rd.device.GetTemperature(nvml.TEMPERATURE_GPU) })
}

// watts reads milliwatts.
func (rd *reader) watts(to **float64, field string, least uint32, call func() (uint32, nvml.Return)) {
	v, why := get(rd, call)
	if why == "" && (v < least || v > maxMilliwatts) {
		why = report.WhyNotSupported
	}
	put(rd.r, to, field, float64(v)/1000, why)
}

func (rd *reader) pcie() {
	p := &rd.r.PCIe
	for _, k := range []struct {
		to    **int
		field string
		most  uint32
		call  func() (int, nvml.Return)
	}{
		{&p.Generation, "pcie.generation", maxGeneration, rd.device.GetCurrPcieLinkGeneration},
		{&p.Width, "pcie.width", maxWidth, rd.device.GetCurrPcieLinkWidth},
		{&p.MaxGeneration, "pcie.max_generation", maxGeneration, rd.device.GetMaxPcieLinkGeneration},
		{&p.MaxWidth, "pcie.max_width", maxWidth, rd.device.GetMaxPcieLinkWidth},
	} {
		// 0 means that the GPU has no such link (GB10, Jetson, some virtual GPUs).
		rd.number(k.to, k.field, 1, k.most, whole(k.call))
	}
	// CUDA loads the bus after everything is read; see load.
	unknown(rd.r, "pcie.under_load", report.WhyNoLibrary)
}

func (rd *reader) ecc() {
	on, why := get(rd, func() (nvml.EnableState, nvml.Return) {
		now, _, ret := rd.device.GetEccMode()
		return now, ret
	})
	put(rd.r, &rd.r.ECC.Enabled, "ecc.enabled", on == nvml.FEATURE_ENABLED, why)
	for _, k := range []struct {
		to    **uint64
		field string
		kind  nvml.MemoryErrorType
	}{
		{&rd.r.ECC.Corrected, "ecc.corrected", nvml.MEMORY_ERROR_TYPE_CORRECTED},
		{&rd.r.ECC.Uncorrected, "ecc.uncorrected", nvml.MEMORY_ERROR_TYPE_UNCORRECTED},
	} {
		v, why := get(rd, func() (uint64, nvml.Return) { return rd.device.GetTotalEccErrors(k.kind, nvml.VOLATILE_ECC) })
		if v == math.MaxUint32 || v == math.MaxUint64 {
			why = report.WhyNotSupported
		}
		put(rd.r, k.to, k.field, v, why)
	}
}

func (rd *reader) rows() {
	type rows struct {
		correctable, uncorrectable int
		pending, failed            bool
	}
	v, why := get(rd, func() (rows, nvml.Return) {
		c, u, pending, failed, ret := rd.device.GetRemappedRows()
		return rows{c, u, pending, failed}, ret
	})
	if v.correctable > maxRows || v.uncorrectable > maxRows {
		why = report.WhyNotSupported
	}
	to := &rd.r.Rows
	put(rd.r, &to.Correctable, "remapped_rows.correctable", v.correctable, why)
	put(rd.r, &to.Uncorrectable, "remapped_rows.uncorrectable", v.uncorrectable, why)
	put(rd.r, &to.Pending, "remapped_rows.pending", v.pending, why)
	put(rd.r, &to.Failed, "remapped_rows.failed", v.failed, why)
}

// maxLinks is more than the links of any GPU. A larger number is not believed.
const maxLinks = 144

// nvlink counts the links that the GPU has, and those of them that are active. Their number is a
// field, which nvidia-smi reads too: NVML_NVLINK_MAX_LINKS is the most that any GPU has, and for a
// number that the GPU does not have a driver may answer "inactive". Where the field is unknown, the
// links are those whose state can be read.
func (rd *reader) nvlink() {
	most, none := nvml.NVLINK_MAX_LINKS, report.WhyNotSupported
	n, why := get(rd, func() (uint32, nvml.Return) {
		v := []nvml.FieldValue{{FieldId: nvml.FI_DEV_NVLINK_LINK_COUNT}}
		ret := rd.device.GetFieldValues(v)
		return binary.NativeEndian.Uint32(v[0].Value[:]), cmp.Or(ret, nvml.Return(v[0].NvmlReturn))
	})
	if why == "" && n <= maxLinks {
		most = int(n)
	}
	links, active := 0, 0
	for i := range most {
		on, why := get(rd, func() (bool, nvml.Return) {
			state, ret := rd.device.GetNvLinkState(i)
			if ret == nvml.ERROR_INVALID_ARGUMENT {
				ret = nvml.ERROR_NOT_SUPPORTED // there is no link with this number
			}
			return state == nvml.FEATURE_ENABLED, ret
		})
		switch why {
		case "":
			links++
			if on {
				active++
			}
		case report.WhyNotSupported:
		default: // a part of the links would be a wrong number
			put(rd.r, &rd.r.NVLink.Links, "nvlink.links", 0, why)
			put(rd.r, &rd.r.NVLink.Active, "nvlink.active", 0, why)
			return
		}
	}
	if links > 0 {
		none = ""
	}
	put(rd.r, &rd.r.NVLink.Links, "nvlink.links", links, none)
	put(rd.r, &rd.r.NVLink.Active, "nvlink.active", active, none)
}

func (rd *reader) modes() {
	on, why := get(rd, rd.device.GetPersistenceMode)
	put(rd.r, &rd.r.Persistence, "persistence", on == nvml.FEATURE_ENABLED, why)
	mode, why := get(rd, rd.device.GetVirtualizationMode)
	word := ""
	if int(mode) < len(virtualizations) {
		word = virtualizations[mode]
	} else if why == "" {
		why = report.WhyFailed
	}
	put(rd.r, &rd.r.Virtualization, "virtualization", word, why)
}

// mig reads whether the GPU is divided, and its MIG devices. memory is that of the
// whole GPU, 0 if it is not known.
func (rd *reader) mig(memory uint64) {
	on, why := get(rd, func() (bool, nvml.Return) {
		now, _, ret := rd.device.GetMigMode()
		return now == nvml.DEVICE_MIG_ENABLE, ret
	})
	put(rd.r, &rd.r.MIG.Enabled, "mig.enabled", on, why)
	if !on {
		return
	}
	// Positions are numbered up to the maximum; some are empty.
	most, why := get(rd, rd.device.GetMaxMigDeviceCount)
	for i := range min(most, maxInstances) {
		device, ret := rd.device.GetMigDeviceHandleByIndex(i)
		if ret == nvml.SUCCESS {
			uuid, _ := get(rd, device.GetUUID)
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
	a, _ := get(rd, device.GetAttributes)
	name, _ := get(rd, device.GetName)
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
