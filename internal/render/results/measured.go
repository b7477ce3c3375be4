package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// measurement returns the view of what a line of a gpu block measured, or nil.
func (v *Presenter) measurement(f Finding) *theme.MeasurementView {
	m := f.Check.Measurement
	if m == nil {
		return nil
	}
	view := &theme.MeasurementView{Want: invisible.Visible(f.Check.Want)}
	for _, g := range m.GPUs {
		view.GPUs = append(view.GPUs, v.measured(m, g, f.Machine.GPU))
	}
	if slices.ContainsFunc(m.GPUs, func(g report.Measured) bool { return g.Waited > 0 }) {
		view.Lesson = v.t.Get("measured_clock")
	}
	view.CPU = v.measuredCPU(m)
	return view
}

// measured returns the view of what one GPU did.
func (v *Presenter) measured(m *report.Measurement, g report.Measured, gpu report.GPU) theme.MeasuredView {
	view := theme.MeasuredView{GPU: DeviceName(gpu, g.Device), Backend: invisible.Visible(g.Backend)}
	if g.Why != "" {
		view.Why = invisible.Visible(reason.Unmeasured(v.t, g.Why, g.Detail))
		return view
	}
	view.Rate = v.Rate(g.Rate, m.Unit)
	if g.Peak > 0 && g.Rate > 0 {
		view.Bar = strconv.FormatFloat(min(100*g.Rate/g.Peak, 100), 'f', 1, 64)
		share := v.t.Number(100*g.Rate/g.Peak, 0)
		view.Share = v.t.Get("measured_share", "share", share, "peak", v.Peak(m.What, g.Peak, m.Unit, g.Clock))
	}
	if g.Median > 0 {
		view.Times = v.t.Get("measured_times", "median", milliseconds(v.t, g.Median), "min", milliseconds(v.t, g.Min),
			"p90", milliseconds(v.t, g.P90), "n", strconv.Itoa(g.Runs))
	}
	if g.Waited > 0 {
		view.Lesson = v.t.Get("measured_lesson", "returned", milliseconds(v.t, g.Returned), "waited", milliseconds(v.t, g.Waited))
	}
	if g.PowerDraw > 0 {
		view.Power = v.t.Number(g.PowerDraw, 0) + " W"
	}
	var reasons []string
	for _, code := range g.Throttle {
		reasons = append(reasons, v.code("throttle", code))
	}
	view.Throttle = strings.Join(reasons, ", ")
	switch {
	case g.Tolerance > 0 && g.Wrong && g.MaxError == 0: // NaN, which JSON cannot express
		view.Error = v.t.Get("measured_error_nan", "tolerance", scientific(v.t, g.Tolerance))
	case g.Tolerance > 0:
		view.Error = v.t.Get("measured_error", "error", scientific(v.t, g.MaxError), "tolerance", scientific(v.t, g.Tolerance))
	}
	view.Wrong = g.Wrong
	var peers []string
	for _, p := range g.Peers {
		peers = append(peers, g.To(p)+": "+v.t.Get("peer_"+p.Route(), "rate", v.Rate(p.Rate, m.Unit)))
	}
	view.Peers = strings.Join(peers, " · ")
	return view
}

// Peak formats the peak of a GPU. That of a matrix multiplication depends on the clock, which other work or heat lowers on one
// machine and not on another.
func (v *Presenter) Peak(what string, peak float64, unit string, clock int) string {
	if what == ask.Matmul && clock > 0 {
		return v.t.Get("peak_at", "peak", v.Rate(peak, unit), "clock", strconv.Itoa(clock))
	}
	return v.Rate(peak, unit)
}

// DeviceName names a GPU of a machine, by its model first: "NVIDIA L4", or "NVIDIA L4, GPU 0" if there are several.
func DeviceName(g report.GPU, device int) string {
	name := fmt.Sprintf("GPU %d", device)
	switch {
	case device < 0 || device >= len(g.Devices):
		return name
	case len(g.Devices) == 1:
		return g.Devices[0].Name
	}
	return g.Devices[device].Name + ", " + name
}

// measuredCPU says how fast the CPU did the same matrix multiplication, of what size, and how many
// times as fast the GPU is, or why that is not known. The CPU computes in fp32, so only fp32 on
// a GPU is compared with it.
func (v *Presenter) measuredCPU(m *report.Measurement) string {
	c := m.CPU
	switch {
	case c == nil:
		return ""
	case c.Why == report.WhyNoLibrary:
		return v.t.Get("measured_cpu_no-library")
	case c.Why == report.WhyFailed && c.Detail != "": // not the driver failed, but a library or the process
		return v.t.Get("measured_cpu_none", "detail", invisible.Visible(c.Detail))
	case c.Why != "":
		return v.t.Get("measured_cpu_none", "detail", invisible.Visible(reason.Unmeasured(v.t, c.Why, c.Detail)))
	case c.Rate <= 0:
		return ""
	}
	what := "fp32"
	if c.N > 0 {
		what += ", n=" + strconv.Itoa(c.N)
	}
	best := 0.0
	for _, g := range m.GPUs {
		if !g.Wrong && (m.DType == "" || m.DType == "fp32") {
			best = max(best, g.Rate)
		}
	}
	key := "measured_cpu_times"
	if best < 1.5*c.Rate {
		key = "measured_cpu"
	}
	return v.t.Get(key, "library", invisible.Visible(c.Library), "what", what, "rate", v.Rate(c.Rate, m.Unit), "times",
		v.t.Number(best/c.Rate, 0))
}

// Rate formats a rate, or a value that an author captured, with three significant digits.
func (v *Presenter) Rate(rate float64, unit string) string {
	return strings.TrimRight(digits(v.t, rate)+" "+invisible.Visible(unit), " ")
}

// Notes returns what is required of a value, its reference and its history.
func Notes(v *Presenter, c report.Capture) (notes []string) {
	for _, s := range compare.Notes(v.t, c, v.Rate) {
		notes = append(notes, invisible.Visible(s))
	}
	return notes
}

// digits formats a number with three significant digits.
func digits(t text.Catalog, x float64) string {
	size := math.Abs(x)
	if size >= 1e15 || size > 0 && size < 1e-4 {
		digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
		n, _ := strconv.ParseFloat(digits, 64)
		return t.Number(n, 2) + "e" + exponent
	}
	decimals := 0
	for limit := 100.0; x != 0 && size < limit && decimals < 6; limit /= 10 {
		decimals++
	}
	return t.Number(x, decimals)
}

// milliseconds formats a number of milliseconds, however small.
func milliseconds(t text.Catalog, ms float64) string {
	if ms < 1 {
		return t.Number(1000*ms, 0) + " µs"
	}
	if ms < 100 {
		return t.Number(ms, 2) + " ms"
	}
	return t.Duration(ms)
}

// code returns the text for a code of a report, or the code itself if this version does not know it.
func (v *Presenter) code(kind, code string) string {
	if key := kind + "_" + code; v.t.Has(key) {
		return v.t.Get(key)
	}
	return invisible.Visible(code)
}

// scientific formats a small number: 1.2 × 10⁻⁷.
func scientific(t text.Catalog, x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e")
	n, err := strconv.Atoi(exponent)
	if err != nil || n == 0 {
		return t.Number(x, 1)
	}
	if f, err := strconv.ParseFloat(mantissa, 64); err == nil {
		mantissa = t.Number(f, 1)
	}
	return mantissa + " × 10" + superscripts.Replace(strconv.Itoa(n))
}

var superscripts = strings.NewReplacer(strings.Fields("- ⁻ 0 ⁰ 1 ¹ 2 ² 3 ³ 4 ⁴ 5 ⁵ 6 ⁶ 7 ⁷ 8 ⁸ 9 ⁹")...)
