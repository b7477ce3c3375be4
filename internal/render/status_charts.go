package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// maxBars bounds the bars of a chart: the fastest are shown.
const maxBars = 40

// A quantity is what can be compared: the same work, whatever was asked of it.
type quantity struct {
	what, dtype, unit string
	n                 int
}

// A reading is what a GPU or a processor made of it, on one machine.
type reading struct {
	source, device int // device is -1 for the processor
	name           string
	rate, peak     float64
	wrong          bool
	ran            time.Time
	check          *report.Check
}

const processor = -1

// readings gathers what was measured for blocks as they are now, the newest where a
// machine has measured the same twice. Reports with a wrong signature do not count.
func (s *Site) readings(at spots) map[quantity][]reading {
	all := map[quantity][]reading{}
	for i, src := range s.results.sources {
		if src.Signature.State == SignedOther {
			continue
		}
		for c := range s.results.checks(i) {
			if m := c.Measurement; m != nil && at.byID[c.ID] != nil {
				q := quantity{m.What, m.DType, m.Unit, m.N}
				for _, r := range readingsOf(i, s.results.machines[i], c) {
					all[q] = newest(all[q], r)
				}
			}
		}
	}
	return all
}

func newest(list []reading, r reading) []reading {
	i := slices.IndexFunc(list, func(had reading) bool { return had.source == r.source && had.device == r.device && had.name == r.name })
	if i < 0 {
		return append(list, r)
	}
	if r.ran.After(list[i].ran) {
		list[i] = r
	}
	return list
}

func readingsOf(source int, machine report.Machine, c *report.Check) (list []reading) {
	m := c.Measurement
	for _, g := range m.GPUs {
		if g.Rate <= 0 {
			continue
		}
		name := fmt.Sprintf("GPU %d", g.Device)
		if g.Device >= 0 && g.Device < len(machine.GPU.Devices) {
			name += ": " + machine.GPU.Devices[g.Device].Name
		}
		list = append(list, reading{source, g.Device, name, g.Rate, g.Peak, g.Wrong, c.Ran, c})
	}
	if p := m.CPU; p != nil && p.Rate > 0 && m.DType == "fp32" {
		name := visible(p.Library)
		if p.N > 0 && p.N != m.N {
			name += ", n=" + strconv.Itoa(p.N)
		}
		list = append(list, reading{source, processor, name, p.Rate, 0, false, c.Ran, c})
	}
	return list
}

// charts compares them, in the order of what is measured.
func (w *statusWriter) charts(at spots) (charts []ChartView) {
	all := w.r.readings(at)
	quantities := make([]quantity, 0, len(all))
	for q := range all {
		quantities = append(quantities, q)
	}
	order := []string{"matmul", "bandwidth", "host-to-device", "device-to-host"}
	slices.SortFunc(quantities, func(a, b quantity) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.what), slices.Index(order, b.what)), cmp.Compare(a.what, b.what),
			cmp.Compare(a.dtype, b.dtype), cmp.Compare(a.n, b.n), cmp.Compare(a.unit, b.unit))
	})
	for _, q := range quantities {
		charts = append(charts, w.chart(q, all[q], at))
	}
	return charts
}

func (w *statusWriter) chart(q quantity, list []reading, at spots) ChartView {
	slices.SortFunc(list, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.rate, a.rate), cmp.Compare(a.source, b.source), cmp.Compare(a.device, b.device), cmp.Compare(a.name, b.name))
	})
	v := ChartView{Title: w.quantity(q), Unit: visible(q.unit), Cut: max(0, len(list)-maxBars), T: w.t}
	list = list[:len(list)-v.Cut]
	scale := 0.0
	for _, r := range list {
		scale = max(scale, r.rate, r.peak)
	}
	for _, r := range list {
		bar := BarView{Machine: w.r.results.machines[r.source].Name, GPU: r.name, URL: w.spotURL(at.byID[r.check.ID]),
			Rate: w.rate(r.rate, q.unit), Length: percent(r.rate / scale), CPU: r.device == processor, Wrong: r.wrong,
			DateISO: r.ran.UTC().Format(time.RFC3339), Date: w.t.Date(r.ran)}
		if r.peak > 0 {
			v.Peaks = true
			bar.Peak, bar.Mark = w.rate(r.peak, q.unit), percent(r.peak/scale)
			bar.Share = w.t.Number(100*r.rate/r.peak, 0)
		}
		v.Bars = append(v.Bars, bar)
	}
	return v
}

// percent is a place on a scale, of few digits.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

func (w *statusWriter) quantity(q quantity) string {
	title := visible(q.what)
	if key := "chart_" + q.what; w.t.Has(key) {
		title = w.t.Get(key)
	}
	parts := []string{title}
	if q.n > 0 {
		parts = append(parts, "n="+strconv.Itoa(q.n))
	}
	if q.dtype != "" {
		parts = append(parts, visible(q.dtype))
	}
	return strings.Join(parts, ", ")
}

// Spots are where the checks of a language's pages stand: the first place of each.
type spots struct {
	byID    map[report.ID]*spot
	byPlace map[place]*spot
	results *results
}

type spot struct {
	placed
	block *content.Block
}

func (s *Site) spots(l *content.Language) spots {
	at := spots{map[report.ID]*spot{}, map[place]*spot{}, s.results}
	for _, e := range s.checked(l) {
		p := *e.placed
		for _, b := range p.page.Blocks {
			here := &spot{p, b}
			note := func(id report.ID, name string) {
				if at.byID[id] == nil {
					at.byID[id] = here
				}
				if key := (place{p.page.Key, name}); at.byPlace[key] == nil {
					at.byPlace[key] = here
				}
			}
			if b.Kind != content.GPU {
				note(b.ID, b.Name)
			}
			for _, line := range b.GPULines {
				note(line.ID, line.Name)
			}
		}
	}
	return at
}

// of finds a check, also where its code has changed since; stale tells that. What
// another language says at the same place is none of this one's.
func (at spots) of(c *report.Check) (here *spot, stale bool) {
	if here = at.byID[c.ID]; here != nil {
		return here, false
	}
	if here = at.byPlace[place{c.Page, c.Name}]; here != nil && at.results.left(c, here.page) {
		return here, true
	}
	return nil, false
}

// panel is the id of the block's results.
func (s *spot) panel() string { return panelID(s.block) }

func (w *statusWriter) spotURL(s *spot) string { return href(w.from, s.url()) + "#" + s.panel() }
