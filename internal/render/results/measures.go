package results

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Measures returns the times and rates that the included machines found on a page, each with its values on all of them, the
// best first. For a page with a single value it returns nil.
func Measures(v *Presenter, p *site.Page) (list []theme.MeasureView) {
	rows := 0
	for _, b := range p.Blocks {
		found := slices.DeleteFunc(slices.Clone(v.For(b)), func(r Result) bool {
			return !slices.Contains(v.included, r.Machine) || withoutValues(r)
		})
		at := map[string]int{}
		add := func(name string, m *Machine, x float64, unit, text string, c report.Capture) {
			i, ok := at[name]
			if !ok {
				i, at[name] = len(list), len(list)
				list = append(list, theme.MeasureView{Name: invisible.Visible(name), Title: invisible.Visible(b.Section), URL: "#" + b.Anchor()})
			}
			list[i].Better, list[i].Line = ask.Better(unit), b.Kind == site.GPU
			limits := c
			limits.Drift = nil
			list[i].Rows = append(list[i].Rows, theme.MeasureRow{Machine: m.Name, Name: nameOf(v, b, m), Value: text, Size: x,
				Required: strings.Join(Notes(v, limits), "; "), History: strings.Join(Notes(v, report.Capture{Value: c.Value, Unit: c.Unit, Drift: c.Drift}), "; ")})
			rows++
		}
		var findings []Finding
		for _, r := range found {
			findings = append(findings, r.Findings...)
		}
		slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.place, b.place) }) // the first machine may lack one
		for _, f := range findings {
			if m := f.Check.Measurement; m != nil && len(m.GPUs) > 0 {
				if text := rates(v, m); text != "" {
					add(f.Check.Want, f.Machine, m.GPUs[0].Rate, m.Unit, text, slices.Concat(f.Check.Captures, []report.Capture{{}})[0])
				}
				continue
			}
			for _, c := range f.Check.Captures {
				if x, err := strconv.ParseFloat(c.Value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) && ask.Better(c.Unit) != 0 {
					add(c.Name+strings.TrimPrefix(f.Name, b.Name), f.Machine, x, c.Unit, v.Rate(x, c.Unit), c)
				}
			}
		}
	}
	if rows < 2 {
		return nil
	}
	for _, m := range list {
		slices.SortStableFunc(m.Rows, func(a, b theme.MeasureRow) int { return m.Better * cmp.Compare(b.Size, a.Size) })
		most := 0.0
		for _, r := range m.Rows {
			most = max(most, r.Size)
		}
		for i, r := range m.Rows {
			if r.Size > 0 {
				m.Rows[i].Bar = strconv.Itoa(int(100*(r.Size/most) + .5))
			}
		}
	}
	return list
}
