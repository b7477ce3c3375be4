package gpu

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// blank returns empty readings.
func blank() *report.Readings {
	return &report.Readings{Unknown: []report.Unknown{}}
}

// put sets the value of a reading or, if why is not empty, records one of package
// report's Why codes as the reason why it is unknown. field is its name in JSON,
// "power.draw_w". All readings are set through put, so that every null has a reason.
func put[T any](r *report.Readings, to **T, field string, value T, why string) {
	if why == "" {
		*to = &value
		return
	}
	unknown(r, field, why)
}

// unknown records why a field has no value.
func unknown(r *report.Readings, field, why string) {
	r.Unknown = append(r.Unknown, report.Unknown{Field: field, Why: why})
}

// complete sets a field that was unknown.
func complete[T any](r *report.Readings, to **T, field string, value T) {
	*to = &value
	known(r, field)
}

// known removes the reason why a field has no value.
func known(r *report.Readings, field string) {
	r.Unknown = slices.DeleteFunc(r.Unknown, func(u report.Unknown) bool { return u.Field == field })
}

// throttleBits are the reasons for low clocks, by their bits in NVML's mask
// (nvml.h, "nvmlClocksEventReasons"), in the words of package report. The ends of
// nvidia-smi's element names are the same in all drivers ("clocks_throttle_reason_"
// until 530, "clocks_event_reason_" since).
var throttleBits = []throttleBit{
	{"gpu-idle", "gpu_idle"},
	{"app-clocks", "applications_clocks_setting"},
	{"sw-power-cap", "sw_power_cap"},
	{"hw-slowdown", "hw_slowdown"},
	{"sync-boost", "sync_boost"},
	{"sw-thermal", "sw_thermal_slowdown"},
	{"hw-thermal", "hw_thermal_slowdown"},
	{"hw-power-brake", "hw_power_brake_slowdown"},
	{"display-clocks", "display_clocks_setting"},
}

type throttleBit struct{ code, smi string }

// virtualizations are the words for NVML's nvmlGpuVirtualizationMode_t, by value.
var virtualizations = []string{"none", "passthrough", "vgpu", "host-vgpu", "host-vsga"}

// Limits of valid values. A driver reports unknown values as larger numbers.
const (
	maxMHz        = 1e5
	maxCores      = 1e6
	maxMilliwatts = 1e8 // 100 kW
	maxRows       = 1e6
	// PCIe 6.0 is the newest in use, and a link has at most 32 lanes.
	maxGeneration, maxWidth = 9, 32
)

var fieldName = lazyregexp.New(`^[a-z][a-z_.]{1,63}$`)

// throttles returns the reasons in a mask of NVML. It is never nil, because an empty
// list means that there are none. Unknown bits are ignored.
func throttles(mask uint64) []string {
	reasons := []string{}
	for i, t := range throttleBits {
		if mask&(1<<i) != 0 {
			reasons = append(reasons, t.code)
		}
	}
	return reasons
}
