package status

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// maxBars limits the bars of a chart: the fastest are shown.
const maxBars = 40

// A quantity is what can be compared: the same work and unit, whatever the page requires of it.
type quantity struct {
	what, dtype, unit string
	n                 int
}

// A reading is the measurement of a quantity on a GPU or CPU of a machine.
type reading struct {
	machine    *results.Machine
	device     int // -1 for the CPU
	name       string
	rate, peak float64
	wrong      bool
	ran        time.Time
	check      *report.Check
}

const cpu = -1

// readings collects the measurements of blocks with their current code, the newest if a machine has
// several. Altered reports do not count.
func readings(machines []*results.Machine, at results.Locations) map[quantity][]reading {
	all := map[quantity][]reading{}
	for _, machine := range machines {
		if !machine.Trusted() {
			continue
		}
		for c := range machine.Checks() {
			if m := c.Measurement; m != nil && at.Current(c.ID) != nil {
				q := quantity{m.What, m.DType, m.Unit, m.N}
				for _, r := range readingsOf(machine, c) {
					all[q] = newest(all[q], r)
				}
			}
		}
	}
	return all
}

func newest(list []reading, r reading) []reading {
	i := slices.IndexFunc(list, func(had reading) bool {
		return had.machine == r.machine && had.device == r.device && had.name == r.name
	})
	if i < 0 {
		return append(list, r)
	}
	if r.ran.After(list[i].ran) {
		list[i] = r
	}
	return list
}

func readingsOf(machine *results.Machine, c *report.Check) (list []reading) {
	m := c.Measurement
	for _, g := range m.GPUs {
		if g.Rate > 0 {
			list = append(list, reading{machine, g.Device, results.DeviceName(machine.GPU, g.Device), g.Rate, g.Peak, g.Wrong, c.Ran, c})
		}
	}
	if p := m.CPU; p != nil && p.Rate > 0 && m.DType == "fp32" {
		name := invisible.Visible(p.Library)
		if p.N > 0 && p.N != m.N {
			name += ", n=" + strconv.Itoa(p.N)
		}
		list = append(list, reading{machine, cpu, name, p.Rate, 0, false, c.Ran, c})
	}
	return list
}

// charts returns a chart for each quantity, in the order of what is measured.
func (w *Writer) charts(at results.Locations) (charts []theme.ChartView) {
	all := readings(w.Machines, at)
	order := []string{"matmul", "bandwidth", "host-to-device", "device-to-host", "peer"}
	quantities := slices.SortedFunc(maps.Keys(all), func(a, b quantity) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.what), slices.Index(order, b.what)), cmp.Compare(a.what, b.what),
			cmp.Compare(a.dtype, b.dtype), cmp.Compare(a.n, b.n), cmp.Compare(a.unit, b.unit))
	})
	for _, q := range quantities {
		charts = append(charts, w.chart(q, all[q], at))
	}
	return charts
}

func (w *Writer) chart(q quantity, list []reading, at results.Locations) theme.ChartView {
	slices.SortFunc(list, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.rate, a.rate), a.machine.Compare(b.machine), cmp.Compare(a.device, b.device), cmp.Compare(a.name, b.name))
	})
	v := theme.ChartView{Title: w.quantity(q), Unit: invisible.Visible(q.unit), Cut: max(0, len(list)-maxBars), T: w.t}
	list = list[:len(list)-v.Cut]
	scale := 0.0
	for _, r := range list {
		scale = max(scale, r.rate, r.peak)
	}
	for _, r := range list {
		bar := theme.BarView{Machine: results.Label(w.Presenter, r.machine), GPU: r.name, URL: w.locationURL(at.Current(r.check.ID)),
			Rate: w.Rate(r.rate, q.unit), Length: percent(r.rate / scale), CPU: r.device == cpu, Wrong: r.wrong,
			DateISO: r.ran.UTC().Format(time.RFC3339), Date: w.t.Date(r.ran)}
		if r.peak > 0 {
			v.Peaks = true
			bar.Peak, bar.Mark = w.Rate(r.peak, q.unit), percent(r.peak/scale)
			bar.Share = w.t.Number(100*r.rate/r.peak, 0)
		}
		v.Bars = append(v.Bars, bar)
	}
	return v
}

// percent formats a position on a scale.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

func (w *Writer) quantity(q quantity) string {
	title := invisible.Visible(q.what)
	if key := "chart_" + q.what; w.t.Has(key) {
		title = w.t.Get(key)
	}
	parts := []string{title}
	if q.n > 0 {
		parts = append(parts, "n="+strconv.Itoa(q.n))
	}
	if q.dtype != "" {
		parts = append(parts, invisible.Visible(q.dtype))
	}
	return strings.Join(parts, ", ")
}

func (w *Writer) locationURL(s *results.Location) string {
	return nav.Href(w.from, s.URL()) + "#" + results.PanelID(s.Block)
}
