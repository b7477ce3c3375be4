package results

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Match is a check of a report that a page has, with the current code or an earlier one.
type Match struct {
	Machine string
	ID      report.ID
	Stale   bool
}

// Matching returns which checks of the reports belong to the blocks and {live} values of a page, in
// order. With [Index.Sources] it determines all that a page shows of machines.
func (r *Index) Matching(p *site.Page) (list []Match) {
	for _, b := range p.Blocks {
		for _, result := range r.For(b) {
			for _, f := range result.Findings {
				list = append(list, Match{result.Name, f.Check.ID, f.Stale})
			}
		}
		list = append(list, Match{}) // the end of a block
	}
	for _, n := range p.LiveValues {
		for _, c := range r.capture(p, n.Fact) {
			list = append(list, Match{ID: c.ID})
		}
		list = append(list, Match{})
	}
	return list
}

// Sources returns the reports, in the order of the machines.
func (r *Index) Sources() (list []Source) {
	for _, m := range r.Machines {
		list = append(list, m.Source)
	}
	return list
}
