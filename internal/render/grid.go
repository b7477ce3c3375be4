package render

import (
	"github.com/gpudocs/gpudocs/internal/content"
)

// A grid is how the blocks of a page stand on the machines.
type grid struct {
	rows []gridRow
}

// A gridRow is a block; its cells are in the order of the sources.
type gridRow struct {
	block *content.Block
	cells []gridCell
}

// A gridCell is the worst that a machine found for a block. place is that of its
// result among those of the block's panel, from 1, and 0 where it has none.
type gridCell struct {
	status string
	place  int
}

// grid is made once for a page, which badges, status pages and the feed ask for.
func (s *Site) grid(p *content.Page) *grid {
	if g, ok := s.grids.Load(p); ok {
		return g.(*grid)
	}
	g := &grid{}
	for _, b := range p.Blocks {
		row := gridRow{b, make([]gridCell, len(s.results.sources))}
		found, place := s.results.block(b), 0
		for i, src := range s.results.sources {
			row.cells[i].status = statusNone
			list := found[src.Report.Machine.Name]
			if len(list) == 0 {
				continue
			}
			place++
			row.cells[i].place = place
			for _, f := range list {
				row.cells[i].status = worse(row.cells[i].status, f.status())
			}
		}
		g.rows = append(g.rows, row)
	}
	known, _ := s.grids.LoadOrStore(p, g)
	return known.(*grid)
}

// worst is how a block stands on all machines.
func (r gridRow) worst() string {
	status := statusNone
	for _, c := range r.cells {
		status = worse(status, c.status)
	}
	return status
}

// checks counts a page's blocks by the worst that any machine found.
func (s *Site) checks(p *content.Page) (c CheckCount) {
	for _, row := range s.grid(p).rows {
		c.add(row.worst())
	}
	return c
}

// checksOn counts them by what one machine found.
func (s *Site) checksOn(p *content.Page, source int) (c CheckCount) {
	for _, row := range s.grid(p).rows {
		c.add(row.cells[source].status)
	}
	return c
}

func (c *CheckCount) add(status string) {
	c.Total++
	switch status {
	case statusNone:
		c.NotRun++
	case statusPassed:
		c.Passed++
	case statusSkipped:
		c.Skipped++
	case statusStale:
		c.Stale++
	case statusAltered:
		c.Altered++
	default:
		c.Failed++
	}
}

// plus adds two counts.
func (c CheckCount) plus(d CheckCount) CheckCount {
	return CheckCount{c.Total + d.Total, c.Passed + d.Passed, c.Failed + d.Failed, c.Skipped + d.Skipped,
		c.Stale + d.Stale, c.NotRun + d.NotRun, c.Altered + d.Altered}
}
