package gpu

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// blank are readings in which nothing stands yet.
func blank() *report.Readings {
	return &report.Readings{Unknown: []report.Unknown{}}
}

// put stores the value of a reading, or, where why is one of package report's
// Why codes, that it is not known. Field is its name in JSON, "power.draw_w".
// Both who ask, NVML and nvidia-smi, fill readings through it, so that no null
// is without a reason.
func put[T any](r *report.Readings, to **T, field string, value T, why string) {
	if why == "" {
		*to = &value
		return
	}
	unknown(r, field, why)
}

// unknown notes why a field has no value.
func unknown(r *report.Readings, field, why string) {
	r.Unknown = append(r.Unknown, report.Unknown{Field: field, Why: why})
}

// complete gives a value to a field that was not known.
func complete[T any](r *report.Readings, to **T, field string, value T) {
	*to = &value
	known(r, field)
}

// known takes back the reason why a field has no value.
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

// Bounds of what is a value, and not a driver's way to say that it does not know.
const (
	maxMHz        = 1e5
	maxCores      = 1e6
	maxMilliwatts = 1e8 // 100 kW
	maxRows       = 1e6
	// PCIe 6.0 is the newest in use, and a link has at most 32 lanes.
	maxGeneration, maxWidth = 9, 32
)

var fieldName = lazyregexp.New(`^[a-z][a-z_.]{1,63}$`)

// throttles returns the reasons in a mask of NVML: never nil, for an empty list
// says that there are none. Bits that nobody has a word for are left out.
func throttles(mask uint64) []string {
	reasons := []string{}
	for i, t := range throttleBits {
		if mask&(1<<i) != 0 {
			reasons = append(reasons, t.code)
		}
	}
	return reasons
}
