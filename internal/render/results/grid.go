package results

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A GridRow is how a block of a page stands on the machines.
type GridRow struct {
	Block *site.Block
	// cells are in the order of the machines.
	cells []GridCell
}

// A GridCell is the status of a block on a machine. Place is that of its result among those of the block's
// panel, from 1, and 0 if there is none.
type GridCell struct {
	Status string
	Place  int
}

// On returns how the block stands on a machine.
func (r GridRow) On(m *Machine) GridCell { return r.cells[m.index] }

// Worst is how the block stands on all machines.
func (r GridRow) Worst() string {
	status := None
	for _, c := range r.cells {
		status = worse(status, c.Status)
	}
	return status
}

// Grid returns a row for each block of a page. It is made once for a page.
func (r *Results) Grid(p *site.Page) []GridRow {
	if g, ok := r.grids.Load(p); ok {
		return g.([]GridRow)
	}
	rows := make([]GridRow, 0, len(p.Blocks))
	for _, b := range p.Blocks {
		row := GridRow{b, make([]GridCell, len(r.Machines))}
		for i := range row.cells {
			row.cells[i].Status = None
		}
		for i, result := range r.For(b) {
			row.cells[result.index] = GridCell{result.Status, i + 1}
		}
		rows = append(rows, row)
	}
	known, _ := r.grids.LoadOrStore(p, rows)
	return known.([]GridRow)
}

// Checks counts a page's blocks by the worst that any machine found.
func (r *Results) Checks(p *site.Page) (c theme.CheckCount) {
	for _, row := range r.Grid(p) {
		CountStatus(&c, row.Worst())
	}
	return c
}

// ChecksOn counts them by what one machine found.
func (r *Results) ChecksOn(p *site.Page, m *Machine) (c theme.CheckCount) {
	for _, row := range r.Grid(p) {
		CountStatus(&c, row.On(m).Status)
	}
	return c
}

// CountStatus adds a block with that status.
func CountStatus(c *theme.CheckCount, status string) {
	c.Total++
	switch status {
	case None:
		c.NotRun++
	case Passed:
		c.Passed++
	case Skipped:
		c.Skipped++
	case Stale:
		c.Stale++
	case Altered:
		c.Altered++
	default:
		c.Failed++
	}
}

// Included returns the machines whose results a page holds, maxHere at most: the worst on the blocks of
// some pages go first, for the others have the least to say.
func (r *Results) Included(pages ...*site.Page) []*Machine {
	all := slices.Clone(r.Machines)
	if len(all) <= MaxIncluded {
		return all
	}
	rank := make([]int, len(all))
	for i, m := range all {
		for _, p := range pages {
			for _, row := range r.Grid(p) {
				rank[i] = max(rank[i], slices.Index(Statuses, row.On(m).Status))
			}
		}
		if m.Local {
			rank[i] = len(Statuses)
		}
	}
	slices.SortStableFunc(all, func(a, b *Machine) int { return cmp.Compare(rank[b.index], rank[a.index]) })
	all = all[:MaxIncluded]
	slices.SortFunc(all, func(a, b *Machine) int { return cmp.Compare(a.index, b.index) })
	return all
}
