package gpu

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// valid reports whether an inventory can be from a working probe. A faulty library may
// overwrite the probe's memory, and then it may write anything.
func (inv *inventory) valid() bool {
	return (inv.Source == report.SourceNVML || inv.Source == "" && inv.Fault != nil) &&
		len(inv.GPUs) <= maxDevices && inv.Fault.valid() &&
		!slices.ContainsFunc(inv.GPUs, func(c gpuInfo) bool { return !c.valid() })
}

func (a *cudaAnswer) valid() bool {
	return a.Count == nil && a.Error != "" || a.Count != nil && *a.Count >= 0 && *a.Count <= maxDevices
}

func (c gpuInfo) valid() bool {
	return c.Fault.valid() && (c.Readings == nil || validReadings(c.Readings))
}

func (f *fault) valid() bool {
	return f == nil || (f.Status == report.GPUNone || f.Status == report.GPUBroken) && slices.Contains(probeCodes, f.Code)
}

// probeCodes are the codes that a probe itself can give.
var probeCodes = []string{report.CodeNoLibrary, report.CodeNotLoaded, report.CodeNoDevice, report.CodeMismatch, report.CodeNoPermission,
	report.CodeLost, report.CodeReset, report.CodeUnsupported, report.CodeDriverFailed}

var whyCodes = []string{report.WhyNotSupported, report.WhyPermission, report.WhyOldDriver, report.WhySource, report.WhyLost,
	report.WhyFailed, report.WhyNoMemory, report.WhyInUse, report.WhyHidden, report.WhyNoLibrary}

// validReadings reports whether readings have known codes and plausible numbers.
func validReadings(r *report.Readings) bool {
	p := r.PCIe
	for _, n := range []*int{r.SMs, r.Cores, r.BusBits, r.Temperature, p.Generation, p.Width, p.MaxGeneration, p.MaxWidth,
		r.Clocks.Graphics, r.Clocks.SM, r.Clocks.Memory, r.Clocks.MaxGraphics, r.Clocks.MaxSM, r.Clocks.MaxMemory,
		r.Rows.Correctable, r.Rows.Uncorrectable, r.NVLink.Links, r.NVLink.Active} {
		if n != nil && (*n < 0 || *n > maxRows*1000) {
			return false
		}
	}
	for _, w := range []*float64{r.Power.Draw, r.Power.Limit} {
		if w != nil && (*w < 0 || *w > maxMilliwatts/1000) {
			return false
		}
	}
	for _, i := range r.MIG.Instances {
		if i.SMs < 0 || i.SMs > maxCores || i.Profile != "" && !profileName.MatchString(i.Profile) {
			return false
		}
	}
	return len(r.MIG.Instances) <= maxInstances && len(r.Unknown) <= 64 && r.Unknown != nil &&
		(r.Virtualization == nil || slices.Contains(virtualizations, *r.Virtualization)) &&
		!slices.ContainsFunc(r.Unknown, func(u report.Unknown) bool {
			return !fieldName.MatchString(u.Field) || !slices.Contains(whyCodes, u.Why)
		}) &&
		!slices.ContainsFunc(r.Throttle, func(code string) bool {
			return !slices.ContainsFunc(throttleBits, func(t throttleBit) bool { return t.code == code })
		})
}
