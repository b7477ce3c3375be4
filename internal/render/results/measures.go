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

// A measure is a time or a rate that a block measured. combinations are those of its rows, of a block with matrix=.
type measure struct {
	theme.MeasureView
	combinations [][]site.Value
}

// Measures returns the times and rates that the included machines found on a page, each with its values on all of them, the
// best first, or in the order of the combinations of a block with matrix=. For a page with a single value it returns nil.
func Measures(v *Presenter, p *site.Page) (list []theme.MeasureView) {
	rows := 0
	for _, b := range p.Blocks {
		for _, m := range measuresOf(v, b) {
			rows += len(m.Rows)
			most := 0.0
			for _, r := range m.Rows {
				most = max(most, r.Size)
			}
			for i, r := range m.Rows {
				if r.Size > 0 {
					m.Rows[i].Bar = strconv.Itoa(int(100*(r.Size/most) + .5))
				}
			}
			if b.Combinations != nil {
				m.Grids, m.Rows = m.grids(b), nil
			}
			slices.SortStableFunc(m.Rows, func(a, b theme.MeasureRow) int { return m.Better * cmp.Compare(b.Size, a.Size) })
			list = append(list, m.MeasureView)
		}
	}
	if rows < 2 {
		return nil
	}
	return list
}

// measuresOf returns what the included machines measured in a block, in the order of its checks.
func measuresOf(v *Presenter, b *site.Block) (list []*measure) {
	var findings []Finding
	for _, r := range v.For(b) {
		if slices.Contains(v.included, r.Machine) && !withoutValues(r) {
			findings = append(findings, r.Findings...)
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.place, b.place) }) // the first machine may lack one
	add := func(name string, f Finding, x float64, unit, text string, c report.Capture) {
		name = invisible.Visible(name)
		i := slices.IndexFunc(list, func(m *measure) bool { return m.Name == name })
		if i < 0 {
			i = len(list)
			list = append(list, &measure{MeasureView: theme.MeasureView{Name: name, Title: invisible.Visible(b.Section), URL: "#" + b.Anchor(),
				Line: b.Kind == site.GPU}})
		}
		list[i].Better = ask.Better(unit)
		row := theme.MeasureRow{Machine: f.Machine.Name, Name: nameOf(v, b, f.Machine), Value: text, Size: x,
			History: strings.Join(Notes(v, report.Capture{Value: c.Value, Unit: c.Unit, Drift: c.Drift}), "; ")}
		c.Drift = nil
		row.Required = strings.Join(Notes(v, c), "; ")
		list[i].Rows = append(list[i].Rows, row)
		if b.Combinations != nil {
			list[i].combinations = append(list[i].combinations, b.Combinations[f.place-1].Values)
		}
	}
	for _, f := range findings {
		if m := f.Check.Measurement; m != nil && len(m.GPUs) > 0 {
			if text := rates(v, m); text != "" {
				add(f.Check.Want, f, m.GPUs[0].Rate, m.Unit, text, slices.Concat(f.Check.Captures, []report.Capture{{}})[0])
			}
			continue
		}
		for _, c := range f.Check.Captures {
			if x, err := strconv.ParseFloat(c.Value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) && ask.Better(c.Unit) != 0 {
				add(c.Name, f, x, c.Unit, v.Rate(x, c.Unit), c)
			}
		}
	}
	return list
}

// grids returns the tables of a block with matrix=: of one parameter a column for each machine, of several a table for each machine with
// a column for each value of the last one.
func (m *measure) grids(b *site.Block) []theme.MeasureGrid {
	last := len(b.Values) - 1
	cells := map[[3]int]theme.MeasureRow{} // by table, row and column
	var list []theme.MeasureGrid
	for i, r := range m.Rows {
		values := m.combinations[i]
		grid := theme.MeasureGrid{Corner: parameters(values[:max(1, last)], func(v site.Value) string { return v.Name })}
		column := theme.MeasureColumn{Machine: r.Machine, Name: r.Name}
		if last > 0 {
			grid.Corner += " \\ " + invisible.Visible(values[last].Name)
			grid.Machine, grid.Name = r.Machine, r.Name
			column = theme.MeasureColumn{Name: invisible.Visible(values[last].Text)}
		}
		of := slices.IndexFunc(list, func(g theme.MeasureGrid) bool { return g.Machine == grid.Machine })
		if of < 0 {
			of, list = len(list), append(list, grid)
		}
		g := &list[of]
		x := slices.Index(g.Columns, column)
		if x < 0 {
			x, g.Columns = len(g.Columns), append(g.Columns, column)
		}
		name := parameters(values[:max(1, last)], func(v site.Value) string { return v.Text })
		y := slices.IndexFunc(g.Rows, func(r theme.MeasureGridRow) bool { return r.Name == name })
		if y < 0 {
			y, g.Rows = len(g.Rows), append(g.Rows, theme.MeasureGridRow{Name: name})
		}
		cells[[3]int{of, y, x}] = r
	}
	for of, g := range list {
		for y := range g.Rows {
			for x, c := range g.Columns {
				r, is := cells[[3]int{of, y, x}]
				if !is {
					r.Machine = c.Machine
				}
				g.Rows[y].Cells = append(g.Rows[y].Cells, r)
			}
		}
	}
	return list
}

// parameters joins the names or the texts of some parameters.
func parameters(values []site.Value, part func(site.Value) string) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, invisible.Visible(part(v)))
	}
	return strings.Join(parts, ", ")
}
