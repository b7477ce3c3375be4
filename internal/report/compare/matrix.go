package compare

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Row is a check of a [Matrix] with what each report says of it.
type Row struct {
	report.Spot
	Cells []Cell
}

// A Cell is what a report says of a check. Check is nil if that is nothing. Stale is set if its code has changed since.
type Cell struct {
	Check *report.Check
	Stale bool
}

// Matrix returns a row for each check of the reports, page by page, each in the order in which the reports name them, and how
// many results of blocks that are gone it has left out. Of a check that a report has twice, for its code was edited or it has
// moved, the current one counts. held are the checks of the site; if the reports are of another, or it is nil, the newest
// result of a block is of its current code.
func Matrix(held report.Held, reports ...*report.Report) (rows []Row, gone int) {
	if !slices.ContainsFunc(reports, func(r *report.Report) bool {
		return slices.ContainsFunc(r.Checks, func(c report.Check) bool { return held[c.ID] != nil })
	}) {
		held = newest(reports)
	}
	spots := map[report.Spot]bool{}
	for _, at := range held {
		for _, s := range at {
			spots[s] = true
		}
	}
	index, pages := map[report.Spot]int{}, map[string]int{}
	for i, r := range reports {
		for j := range r.Checks {
			c := &r.Checks[j]
			spot := report.Spot{Page: c.Page, Name: c.Name}
			at, current := held[c.ID]
			switch {
			case current && !slices.Contains(at, spot):
				spot = at[0]
			case !current && !spots[spot]:
				gone++
				continue
			}
			n, known := index[spot]
			if !known {
				n = len(rows)
				index[spot] = n
				rows = append(rows, Row{spot, make([]Cell, len(reports))})
				if _, known := pages[spot.Page]; !known {
					pages[spot.Page] = len(pages)
				}
			}
			if cell := &rows[n].Cells[i]; cell.Check == nil || cell.Stale && (current || c.Ran.After(cell.Check.Ran)) {
				*cell = Cell{c, !current}
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return pages[a.Page] - pages[b.Page] })
	return rows, gone
}

// newest returns the checks of the site that the reports are of, as far as they tell.
func newest(reports []*report.Report) report.Held {
	var all []*report.Check
	for _, r := range reports {
		for i := range r.Checks {
			all = append(all, &r.Checks[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *report.Check) int { return b.Ran.Compare(a.Ran) })
	held, taken := report.Held{}, map[report.Spot]bool{}
	for _, c := range all {
		if spot := (report.Spot{Page: c.Page, Name: c.Name}); held[c.ID] == nil && !taken[spot] {
			held[c.ID], taken[spot] = []report.Spot{spot}, true
		}
	}
	return held
}
