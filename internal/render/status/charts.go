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
	rate, peak float64 // the fastest of equal ones
	clock      int     // of that peak, in MHz
	low        float64 // the slowest of them
	wrong      bool
	check      *report.Check
	count      int // of equal GPUs
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
	if r.check.Ran.After(list[i].check.Ran) {
		list[i] = r
	}
	return list
}

func readingsOf(machine *results.Machine, c *report.Check) (list []reading) {
	m := c.Measurement
	for _, g := range m.GPUs {
		if g.Rate > 0 {
			list = append(list, reading{
				machine: machine,
				device:  g.Device,
				name:    results.DeviceName(machine.GPU, g.Device),
				rate:    g.Rate,
				peak:    g.Peak,
				clock:   g.Clock,
				low:     g.Rate,
				wrong:   g.Wrong,
				check:   c,
				count:   1,
			})
		}
	}
	if p := m.CPU; p != nil && p.Rate > 0 && m.DType == "fp32" {
		name := results.CPU(machine)
		if p.Library != "" {
			name = strings.TrimPrefix(name+", "+invisible.Visible(p.Library), ", ")
		}
		if p.N > 0 && p.N != m.N {
			name += ", n=" + strconv.Itoa(p.N)
		}
		list = append(list, reading{machine: machine, device: cpu, name: name, rate: p.Rate, low: p.Rate, check: c, count: 1})
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
		if a.wrong != b.wrong { // a wrong result is no record
			if a.wrong {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.rate, a.rate), a.machine.Compare(b.machine), cmp.Compare(a.device, b.device), cmp.Compare(a.name, b.name))
	})
	list = together(list)
	v := theme.ChartView{Title: w.quantity(q), Unit: invisible.Visible(q.unit), Cut: max(0, len(list)-maxBars), T: w.t}
	list = list[:len(list)-v.Cut]
	scale := 0.0
	for _, r := range list {
		scale = max(scale, r.rate, r.peak)
	}
	for _, r := range list {
		name := r.name
		if r.count > 1 {
			name = w.t.Get("chart_each", "n", strconv.Itoa(r.count), "name", r.name)
		}
		bar := theme.BarView{Machine: results.Label(w.Presenter, r.machine), GPU: name, URL: w.locationURL(at.Current(r.check.ID)),
			Rate: results.Rates(w.Presenter, r.low, r.rate, q.unit), Length: percent(r.rate / scale), CPU: r.device == cpu, Wrong: r.wrong,
			DateISO: r.check.Ran.UTC().Format(time.RFC3339), Date: w.t.Date(r.check.Ran)}
		if r.peak > 0 {
			v.Peaks = true
			bar.Peak, bar.Mark = w.Peak(q.what, r.peak, q.unit, r.clock), percent(r.peak/scale)
			bar.Share = w.t.Number(100*r.rate/r.peak, 0)
		}
		v.Bars = append(v.Bars, bar)
	}
	return v
}

// together makes one reading of the equal GPUs of a machine, which are as fast as each other. A GPU that is more than 10% slower
// than the fastest, or wrong, stays apart.
func together(list []reading) (all []reading) {
	type model struct {
		machine *results.Machine
		name    string
	}
	first := map[model]int{}
	for _, r := range list {
		if r.device == cpu || r.device >= len(r.machine.GPU.Devices) || r.wrong {
			all = append(all, r)
			continue
		}
		key := model{r.machine, r.machine.GPU.Devices[r.device].Name}
		if i, ok := first[key]; ok && r.rate >= .9*all[i].rate {
			all[i].low, all[i].name = r.rate, key.name
			all[i].count++
			continue
		} else if !ok {
			first[key] = len(all)
		}
		all = append(all, r)
	}
	return all
}

// measured returns the values of pages that several machines have, by page, and how many are left out.
func (w *Writer) measured(checked []*nav.Entry) (pages []theme.MeasuredPage, cut int) {
	n := 0
	everywhere := w.Present(w.t, w.from, w.Machines)
	for _, e := range checked {
		p := theme.MeasuredPage{Title: e.Placed.Page.Title, URL: nav.Href(w.from, e.Placed.URL()), Lang: e.Placed.Foreign()}
		p.T = w.t
		for _, m := range results.Measures(everywhere, e.Placed.Page) {
			if !m.Compared() || m.Line {
				continue // charts have those of gpu blocks
			}
			if n++; n > maxHistories {
				cut++
				continue
			}
			m.URL = p.URL + m.URL
			p.List = append(p.List, m)
		}
		if p.List != nil {
			pages = append(pages, p)
		}
	}
	return pages, cut
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
